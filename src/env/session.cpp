#include "env/session.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace ordo::env {

ActionParts partsOf(std::string_view name) {
  if (name.size() > 1 && (name.front() == '+' || name.front() == '-'))
    return {name.substr(1), name.substr(0, 1), true};
  const std::size_t open = name.find('<');
  if (open == 0 || open == std::string_view::npos || !name.ends_with('>')) return {name, {}};
  return {name.substr(0, open), name.substr(open + 1, name.size() - open - 2)};
}

std::string_view settingOf(std::string_view name) {
  const ActionParts parts = partsOf(name);
  if (parts.type != kSettingType || parts.sign) return {};
  return parts.parameters.substr(0, parts.parameters.find('='));
}

std::string_view name(StepStatus status) {
  switch (status) {
    case StepStatus::kOk:
      return "ok";
    case StepStatus::kVerifierFailed:
      return "verifier failed";
    case StepStatus::kExportsChanged:
      return "exports changed";
    case StepStatus::kRejected:
      return "rejected";
    case StepStatus::kCrashed:
      return "crashed";
    case StepStatus::kTimedOut:
      return "timed out";
    case StepStatus::kOutOfMemory:
      return "out of memory";
  }
  return "unknown";
}

void StepReport::comeAfter(StepOutcome actions) {
  const StepOutcome here = std::exchange(outcome, std::move(actions));
  if (!outcome.ok() || here.ok()) return;
  outcome.status = here.status;
  outcome.detail = here.detail;
}

Result<StepReport> Session::step(const StepRequest& request) {
  ORDO_TRY(beginStep(request));
  return finishStep();
}

Result<StepReport> Session::stepByParts(const StepRequest& request) {
  StepReport report;
  if (request.reset) ORDO_TRY(reset());
  if (!request.actions.empty()) {
    ORDO_TRY_ASSIGN(report.outcome, apply(request.actions));
  }
  if (request.hash) {
    ORDO_TRY_ASSIGN(report.hash, stateHash());
  }
  if (request.legal) {
    ORDO_TRY_ASSIGN(report.legal, legalActions());
    if (std::ranges::find(report.legal, 0) == report.legal.end()) report.legal.clear();
  }
  for (const std::string& metric : request.metrics) {
    ORDO_TRY_ASSIGN(Measurement measurement, request.verify ? measure(metric) : estimate(metric));
    report.measurements.push_back(std::move(measurement));
  }
  copies_.resize(request.observations.size());
  for (std::size_t i = 0; i < copies_.size(); ++i) {
    Result<Observation> observation = observe(request.observations[i]);
    if (!observation && observation.error().code == ErrorCode::kCorrupt) {
      // What is wrong with the program says more than that somebody died of it.
      ORDO_TRY_ASSIGN(Measurement valid, verify());
      if (valid.ok()) valid = {StepStatus::kCrashed, 0, std::move(observation).error().message};
      StepOutcome actions = std::exchange(report.outcome, {valid.status, 0, false, std::move(valid.detail)});
      report.comeAfter(std::move(actions));
      report.observations.clear();
      return report;
    }
    ORDO_TRY_ASSIGN(report.observations.emplace_back(), std::move(observation));
    // Views end at the next call.
    copies_[i].assign(report.observations[i].text());
    report.observations[i].bytes = std::as_bytes(std::span(copies_[i]));
  }
  return report;
}

Status Session::beginStep(const StepRequest& request) {
  finished_ = stepByParts(request);
  return {};
}

Result<StepReport> Session::finishStep() {
  ORDO_CHECK(finished_.has_value(), "no step was begun");
  Result<StepReport> report = std::move(*finished_);
  finished_.reset();
  return report;
}

void Backend::awaitActivity(std::uint32_t, double seconds, bool) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

}  // namespace ordo::env
