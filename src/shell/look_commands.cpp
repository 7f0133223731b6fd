// Commands that show the state and what is known of it.
#include <fnmatch.h>

#include <algorithm>

#include "shell/command.h"
#include "shell/observation_text.h"
#include "shell/plot.h"
#include "support/table.h"
#include "support/text.h"

namespace ordo::shell {
namespace {

const std::string& metricOf(const Call& call) { return call.bench.spec().reward.metric; }

Result<Reply> state(Call& call) {
  ORDO_TRY(call.expect(0, 0));
  const Workbench& bench = call.bench;
  const std::vector<double>& metrics = bench.metrics();
  const std::optional<Reference> reference = bench.reference();
  Table table{
      {"step", metricOf(call), "change", "in all"}, {}, {true, true, true, true, reference.has_value()}};
  if (reference) table.columns.push_back("against " + reference->first);
  table.columns.emplace_back("action");
  Json steps = Json::array();
  const std::vector<env::Action> applied = bench.appliedActions();
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const std::string name = i == 0 ? "(as given)" : applied[i - 1].name;
    std::vector<std::string>& row = table.rows.emplace_back();
    row = {std::to_string(i), figure(metrics[i]), i == 0 ? "" : change(metrics[i - 1], metrics[i]),
           i == 0 ? "" : change(metrics[0], metrics[i])};
    if (reference) row.push_back(change(reference->second, metrics[i]));
    row.push_back(name);
    if (i > 0) steps.push_back({{"action", name}, {"metric", metrics[i]}});
  }
  Reply reply;
  reply.text =
      fmt::format("{}, space {}\n{}return {:.6g} (reward {})\n", bench.program().uri, bench.spec().space,
                  format(table), bench.totalReward(), bench.spec().reward.name());
  reply.json = {{"program", bench.program().uri},
                {"space", bench.spec().space},
                {"metric", metricOf(call)},
                {"initial", metrics[0]},
                {"steps", steps},
                {"reward", bench.spec().reward.name()},
                {"return", bench.totalReward()}};
  if (reference) reply.json["reference"] = {{"baseline", reference->first}, {"metric", reference->second}};
  return reply;
}

Result<Reply> actions(Call& call) {
  ORDO_TRY(call.expect(0, 1));
  const Workbench& bench = call.bench;
  const WorkbenchSpec& spec = bench.spec();
  const std::string pattern = call.words.empty() ? "*" : fmt::format("*{}*", call.words[0]);
  const std::vector<std::uint8_t> legal = bench.loaded() ? bench.mask() : spec.safe;
  Table table{{"index", "from here", "action"}, {}, {true, false, false}};
  Reply reply;
  reply.json["actions"] = Json::array();
  for (env::ActionIndex action = 0; action < spec.actions.size(); ++action) {
    if (::fnmatch(pattern.c_str(), spec.actions[action].name.c_str(), 0) != 0) continue;
    const Preview* preview = bench.loaded() ? bench.known(action) : nullptr;
    std::string note;
    if (spec.safe[action] == 0)
      note = "unsafe, never applied";
    else if (preview != nullptr && !preview->ok())
      note = env::name(preview->status);
    else if (preview != nullptr && preview->changed)
      note = fmt::format("{} {} ({})", figure(preview->metric), spec.reward.metric,
                         change(bench.metrics().back(), preview->metric));
    else if (preview != nullptr || legal[action] == 0)
      note = "no effect or fails";
    if (preview != nullptr && preview->ok() && !preview->changed) note = "no effect";
    table.rows.push_back({std::to_string(action), note, spec.actions[action].name});
    reply.json["actions"].push_back(
        {{"index", action}, {"name", spec.actions[action].name}, {"legal", legal[action] != 0}});
  }
  if (table.rows.empty()) {
    return fail(ErrorCode::kInvalidArgument, "no action of the space {} has '{}' in its name", spec.space,
                call.words[0]);
  }
  reply.text = format(table);
  return reply;
}

Result<Reply> observations(Call& call) {
  ORDO_TRY(call.expect(0, 1));
  const std::string pattern = call.words.empty() ? "*" : fmt::format("*{}*", call.words[0]);
  Table table{{"observation", "shape", "what it is"}, {}};
  std::size_t values = 0;
  Reply reply;
  reply.json["observations"] = Json::array();
  for (const env::Sensor& sensor : call.bench.sensors()) {
    if (::fnmatch(pattern.c_str(), sensor.name.c_str(), 0) != 0) continue;
    reply.json["observations"].push_back({{"name", sensor.name}, {"summary", sensor.summary}});
    if (sensor.source == env::Sensor::Source::kValue && call.words.empty()) {
      ++values;
      continue;
    }
    std::string shape;
    for (const std::uint32_t extent : sensor.shape) {
      shape += fmt::format("{}{}", shape.empty() ? "" : " x ", extent == 0 ? "any" : std::to_string(extent));
    }
    table.rows.push_back({sensor.name, fmt::format("{} {}", shape, name(sensor.dtype)), sensor.summary});
  }
  if (table.rows.empty() && values == 0) {
    return fail(ErrorCode::kInvalidArgument, "no observation has '{}' in its name", call.words[0]);
  }
  reply.text = format(table);
  if (values > 0) {
    reply.text +=
        fmt::format("and {} of the program, METRIC/initial and METRIC/BASELINE: 'observations /'\n", values);
  }
  return reply;
}

Result<Reply> observe(Call& call) {
  const bool all = call.take("--all");
  ORDO_TRY(call.expect(1, 1));
  ORDO_TRY_ASSIGN(const Observed observed, call.bench.observe(call.words[0]));
  return Reply{describe(observed, all, call.style), toJson(observed)};
}

Result<Reply> measureThese(Call& call, const std::vector<std::string>& names) {
  Table table{{"metric", "now", "unit", "what it is"}, {}, {false, true, false, false}};
  Reply reply;
  for (const std::string& name : names) {
    const std::vector<env::MetricInfo>& known = call.bench.spec().info.metrics;
    const auto info =
        std::find_if(known.begin(), known.end(), [&](const auto& metric) { return metric.name == name; });
    if (info == known.end()) {
      std::vector<std::string> known_names;
      for (const env::MetricInfo& metric : known) known_names.push_back(metric.name);
      return fail(ErrorCode::kInvalidArgument, "{}", unknownName("metric", name, known_names));
    }
    call.progress(fmt::format("measuring {}", name));
    ORDO_TRY_ASSIGN(const env::Measurement measurement, call.bench.measure(name));
    table.rows.push_back(
        {name, measurement.ok() ? figure(measurement.value) : std::string(env::name(measurement.status)),
         info->unit, measurement.ok() ? info->summary : measurement.detail});
    reply.json[name] = measurement.ok() ? Json(measurement.value) : Json();
  }
  reply.text = format(table);
  return reply;
}

Result<Reply> metrics(Call& call) {
  ORDO_TRY(call.expect(0, 0));
  std::vector<std::string> names;
  for (const env::MetricInfo& metric : call.bench.spec().info.metrics) names.push_back(metric.name);
  return measureThese(call, names);
}

Result<Reply> measure(Call& call) {
  ORDO_TRY(call.expect(1, 100));
  return measureThese(call, call.words);
}

Result<Reply> baselines(Call& call) {
  ORDO_TRY(call.expect(0, 1));
  const Workbench& bench = call.bench;
  const std::string metric = call.words.empty() ? metricOf(call) : call.words[0];
  ORDO_TRY_ASSIGN(const env::Measurement now, call.bench.measure(metric));
  if (!now.ok()) return fail(ErrorCode::kUnsupported, "{}", now.detail);
  call.progress("compiling with each baseline");
  ORDO_TRY_ASSIGN(const auto values, call.bench.baselineValues(metric));
  Table table{{"baseline", metric, "this state against it"}, {}, {false, true, true}};
  Json list = Json::object();
  for (const std::string& name : bench.spec().baselines) {
    const auto found = values.find(name);
    if (found == values.end()) continue;
    table.rows.push_back({name, figure(found->second), change(found->second, now.value)});
    list[name] = found->second;
  }
  table.rows.push_back({"(this state)", figure(now.value), ""});
  return Reply{format(table), {{"metric", metric}, {"now", now.value}, {"baselines", list}}};
}

Result<Reply> plotCommand(Call& call) {
  ORDO_TRY(call.expect(0, 0));
  const Workbench& bench = call.bench;
  return Reply{plot(fmt::format("{} of {}", metricOf(call), bench.program().uri), bench.metrics(),
                    bench.reference(), call.style),
               {{"metric", metricOf(call)}, {"values", bench.metrics()}}};
}

constexpr ShellCommand kLookCommands[] = {
    {"state", "", "the actions so far, with the metric after each", "", Argument::kNone, true, state},
    {"actions", "[PATTERN]", "the actions of the space whose name has PATTERN in it",
     "* stands for anything. After 'try' it also says what each would do here.", Argument::kAction, false,
     actions},
    {"observations", "[PATTERN]", "what can be observed of a state", "", Argument::kObservation, false,
     observations},
    {"observe", "NAME [--all]", "an observation of this state",
     "Zeros are left out, matrices and graphs summarised. --all shows all elements or all of a text.",
     Argument::kObservation, true, observe},
    {"metrics", "", "all metrics of this state", "", Argument::kNone, true, metrics},
    {"measure", "METRIC...", "some metrics of this state", "", Argument::kMetric, true, measure},
    {"baselines", "[METRIC]", "this state against each baseline", "", Argument::kMetric, true, baselines},
    {"plot", "", "draw the metric over the steps", "", Argument::kNone, true, plotCommand},
};

}  // namespace

std::span<const ShellCommand> lookCommands() { return kLookCommands; }

}  // namespace ordo::shell
