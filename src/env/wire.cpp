// Each put() has its get() beside it, and both go through the fields in the same order: a new field goes into
// both. A list is its length and then its elements. Loops over a list end as soon as the reader has failed,
// so that a length which is nonsense does no harm. Observations are views into the buffer; everything else is
// copied. Values of enumerations are taken as they come.
#include "env/wire.h"

namespace ordo::env {
namespace {

void putActions(Writer& writer, const std::vector<Action>& actions) {
  writer.put<std::uint64_t>(actions.size());
  for (const Action& action : actions) {
    writer.putBytes(action.name);
    writer.putBytes(action.kind);
    writer.putBytes(action.text);
  }
}

std::vector<Action> getActions(Reader& reader) {
  std::vector<Action> actions;
  const std::uint64_t count = reader.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    Action action;
    action.name = reader.getString();
    action.kind = reader.getString();
    action.text = reader.getString();
    actions.push_back(std::move(action));
  }
  return actions;
}

}  // namespace

void put(Writer& writer, const SessionSpec& spec) {
  writer.putBytes(spec.name);
  writer.putBytes(spec.program);
  putActions(writer, spec.actions);
  writer.putBytes(spec.settings);
}

SessionSpec getSpec(Reader& reader) {
  SessionSpec spec;
  spec.name = reader.getString();
  spec.program = reader.getString();
  spec.actions = getActions(reader);
  spec.settings = reader.getString();
  return spec;
}

void put(Writer& writer, const StepOutcome& outcome) {
  writer.put(outcome.status);
  writer.put(outcome.applied);
  writer.put(outcome.changed);
  writer.putBytes(outcome.detail);
}

StepOutcome getOutcome(Reader& reader) {
  StepOutcome outcome;
  outcome.status = reader.get<StepStatus>();
  outcome.applied = reader.get<std::uint32_t>();
  outcome.changed = reader.get<bool>();
  outcome.detail = reader.getString();
  return outcome;
}

void put(Writer& writer, const StepRequest& request) {
  writer.put(request.reset);
  writer.putArray(std::span<const ActionIndex>(request.actions));
  writer.put(request.hash);
  writer.put(request.legal);
  writer.put(request.verify);
  for (const std::vector<std::string>* names : {&request.metrics, &request.observations}) {
    writer.put<std::uint64_t>(names->size());
    for (const std::string& name : *names) writer.putBytes(name);
  }
}

StepRequest getStepRequest(Reader& reader) {
  StepRequest request;
  request.reset = reader.get<bool>();
  request.actions = reader.getArray<ActionIndex>();
  request.hash = reader.get<bool>();
  request.legal = reader.get<bool>();
  request.verify = reader.get<bool>();
  for (std::vector<std::string>* names : {&request.metrics, &request.observations}) {
    const auto count = reader.get<std::uint64_t>();
    for (std::uint64_t i = 0; i < count && reader.ok(); ++i) names->push_back(reader.getString());
  }
  return request;
}

void put(Writer& writer, const StepReport& report) {
  put(writer, report.outcome);
  writer.put(report.hash);
  writer.putArray(std::span<const std::uint8_t>(report.legal));
  writer.put<std::uint64_t>(report.measurements.size());
  for (const Measurement& measurement : report.measurements) put(writer, measurement);
  writer.put<std::uint64_t>(report.observations.size());
  for (const Observation& observation : report.observations) put(writer, observation);
}

StepReport getStepReport(Reader& reader) {
  StepReport report;
  report.outcome = getOutcome(reader);
  report.hash = reader.get<Hash128>();
  report.legal = reader.getArray<std::uint8_t>();
  auto count = reader.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i)
    report.measurements.push_back(getMeasurement(reader));
  count = reader.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i)
    report.observations.push_back(getObservation(reader));
  return report;
}

void put(Writer& writer, const Observation& observation) {
  writer.put(observation.dtype);
  writer.putArray(std::span<const std::uint32_t>(observation.shape));
  writer.putArray(observation.bytes);
}

Observation getObservation(Reader& reader) {
  Observation observation;
  observation.dtype = reader.get<DType>();
  observation.shape = reader.getArray<std::uint32_t>();
  observation.bytes = reader.getArrayView<std::byte>();
  std::uint64_t elements = 1;
  for (const std::uint32_t extent : observation.shape) elements *= extent;
  if (elements * elementBytes(observation.dtype) != observation.bytes.size()) reader.spoil();
  return observation;
}

void put(Writer& writer, const Measurement& measurement) {
  writer.put(measurement.status);
  writer.put(measurement.value);
  writer.putBytes(measurement.detail);
}

Measurement getMeasurement(Reader& reader) {
  Measurement measurement;
  measurement.status = reader.get<StepStatus>();
  measurement.value = reader.get<double>();
  measurement.detail = reader.getString();
  return measurement;
}

void put(Writer& writer, const BackendInfo& info) {
  writer.putBytes(info.name);
  writer.putBytes(info.version);
  writer.putBytes(info.build);
  writer.putBytes(info.target);
  writer.put<std::uint64_t>(info.observations.size());
  for (const ObservationInfo& observation : info.observations) {
    writer.putBytes(observation.name);
    writer.put(observation.version);
    writer.put(observation.dtype);
    writer.put(observation.width);
    writer.putBytes(observation.summary);
    writer.put(observation.columns);
    writer.put(observation.machine_dependent);
    writer.put<std::uint64_t>(observation.element_names.size());
    for (const std::string& name : observation.element_names) writer.putBytes(name);
  }
  writer.put<std::uint64_t>(info.metrics.size());
  for (const MetricInfo& metric : info.metrics) {
    writer.putBytes(metric.name);
    writer.putBytes(metric.unit);
    writer.put(metric.deterministic);
    writer.putBytes(metric.summary);
  }
  writer.put<std::uint64_t>(info.transforms.size());
  for (const TransformInfo& transform : info.transforms) {
    writer.putBytes(transform.name);
    writer.putBytes(transform.level);
    writer.putBytes(transform.params);
  }
  writer.putBytes(info.program);
  putActions(writer, info.actions);
  putActions(writer, info.baselines);
}

BackendInfo getInfo(Reader& reader) {
  BackendInfo info;
  info.name = reader.getString();
  info.version = reader.getString();
  info.build = reader.getString();
  info.target = reader.getString();
  for (std::uint64_t i = reader.get<std::uint64_t>(); i > 0 && reader.ok(); --i) {
    ObservationInfo observation;
    observation.name = reader.getString();
    observation.version = reader.get<int>();
    observation.dtype = reader.get<DType>();
    observation.width = reader.get<std::uint32_t>();
    observation.summary = reader.getString();
    observation.columns = reader.get<std::uint32_t>();
    observation.machine_dependent = reader.get<bool>();
    for (std::uint64_t n = reader.get<std::uint64_t>(); n > 0 && reader.ok(); --n) {
      observation.element_names.push_back(reader.getString());
    }
    info.observations.push_back(std::move(observation));
  }
  for (std::uint64_t i = reader.get<std::uint64_t>(); i > 0 && reader.ok(); --i) {
    MetricInfo metric;
    metric.name = reader.getString();
    metric.unit = reader.getString();
    metric.deterministic = reader.get<bool>();
    metric.summary = reader.getString();
    info.metrics.push_back(std::move(metric));
  }
  for (std::uint64_t i = reader.get<std::uint64_t>(); i > 0 && reader.ok(); --i) {
    TransformInfo transform;
    transform.name = reader.getString();
    transform.level = reader.getString();
    transform.params = reader.getString();
    info.transforms.push_back(std::move(transform));
  }
  info.program = reader.getString();
  info.actions = getActions(reader);
  info.baselines = getActions(reader);
  return info;
}

}  // namespace ordo::env
