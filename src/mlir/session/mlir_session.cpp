#include "mlir/session/mlir_session.h"

#include <unistd.h>

#include <set>

#include "mlir/learned/answer.h"
#include "mlir/learned/fit.h"
#include "mlir/lowering/peak.h"
#include "mlir/lowering/torch_text.h"
#include "mlir/model/cost.h"
#include "mlir/model/features.h"
#include "mlir/model/limits.h"
#include "mlir/model/nest.h"
#include "mlir/model/proposals.h"
#include "mlir/model/transform_text.h"
#include "support/json.h"

namespace ordo::session {
namespace {

constexpr double kTimedSeconds = 0.03;
constexpr std::size_t kProposals = 48;
constexpr std::size_t kExplored = 24;

}  // namespace

MlirSession::MlirSession(std::shared_ptr<Kernels> kernels, std::shared_ptr<const env::SessionSpec> spec,
                         std::shared_ptr<const Actions> actions, std::shared_ptr<KernelProgram> program,
                         model::Schedule start, Settings settings)
    : kernels_(std::move(kernels)),
      spec_(std::move(spec)),
      actions_(std::move(actions)),
      program_(std::move(program)),
      start_(start),
      schedule_(std::move(start)),
      settings_(std::move(settings)) {}

Status MlirSession::reset() {
  schedule_ = start_;
  history_.clear();
  return {};
}

Result<env::StepOutcome> MlirSession::apply(std::span<const env::ActionIndex> actions) {
  env::StepOutcome outcome;
  for (const env::ActionIndex index : actions) {
    if (index != env::kPipe) {
      for (const model::Step& step : (*actions_)[index]) outcome.changed |= schedule_.apply(step);
    }
    history_.push_back(index);
    ++outcome.applied;
  }
  return outcome;
}

Result<std::vector<std::uint8_t>> MlirSession::legalActions() {
  std::vector<std::uint8_t> legal;
  for (const std::vector<model::Step>& steps : *actions_) legal.push_back(schedule_.legal(steps.front()));
  return legal;
}

Result<env::Measurement> MlirSession::verify() {
  ORDO_TRY_ASSIGN(const Built* const built, build());
  if (built->problem.empty()) return env::Measurement{};
  return env::Measurement{env::StepStatus::kVerifierFailed, 0, built->problem};
}

Result<env::Measurement> MlirSession::measure(std::string_view metric) {
  if (metric == "cost") return env::Measurement{env::StepStatus::kOk, model::cost(schedule_), ""};
  if (metric == "flops") return env::Measurement{env::StepStatus::kOk, model::flops(*program_->kernel), ""};
  if (metric == "plain_ns") {
    ORDO_TRY_ASSIGN(const std::shared_ptr<lowering::Trial> trial, kernels_->trial(*program_));
    return env::Measurement{env::StepStatus::kOk, 1e9 * trial->plainSeconds(), ""};
  }
  if (metric != "time_ns") return fail(ErrorCode::kNotFound, "the backend mlir has no metric '{}'", metric);
  ORDO_TRY_ASSIGN(env::Measurement verdict, verify());
  if (!verdict.ok()) return verdict;
  ORDO_TRY_ASSIGN(const std::shared_ptr<lowering::Trial> trial, kernels_->trial(*program_));
  verdict.value = 1e9 * trial->seconds(*built_->code, kTimedSeconds);
  return verdict;
}

Result<env::Observation> MlirSession::observe(std::string_view observation) {
  if (observation == "mlir") return bytes(program());
  if (observation == "schedule") return bytes(model::transformText(schedule_));
  if (observation == "ir") {
    ORDO_TRY_ASSIGN(std::string text,
                    kernels_->workshop().apply(program_->payload, model::transformText(schedule_)));
    return bytes(std::move(text));
  }
  if (observation == "object") {
    ORDO_TRY_ASSIGN(const Object* const object, emit());
    return bytes(object->bytes);
  }
  if (observation == "header") return bytes(lowering::headerOf(program_->payload, settings_.threads));
  if (observation == "torch") {
    ORDO_TRY_ASSIGN(std::string text, lowering::torchText(kernels_->workshop(), program_->payload));
    return bytes(std::move(text));
  }
  if (observation == "tensors") return tensors();
  if (observation == "tiles") {
    return bytes(writeJson(model::tilesOf(schedule_)));
  }
  if (observation == "proposals" || observation == "exploration") {
    std::string lines;
    for (const model::Schedule& schedule : found(observation))
      lines += model::stepsText(schedule.steps()) + "\n";
    return bytes(std::move(lines));
  }
  if (observation == "trial") {
    ORDO_TRY_ASSIGN(const std::shared_ptr<lowering::Trial> trial, kernels_->trial(*program_));
    return bytes(trial->data());
  }
  if (observation == "loops") return rows(model::loopTokens(schedule_), model::loopColumns().size());
  if (observation == "accesses") return rows(model::accessTokens(schedule_), model::accessColumns().size());
  if (observation == "steps") return rows(model::stepTokens(schedule_), model::stepColumns().size());
  if (observation == "features") {
    reals_ = model::features(schedule_);
    return env::Observation{
        DType::kFloat32, {static_cast<std::uint32_t>(reals_.size())}, std::as_bytes(std::span(reals_))};
  }
  if (observation == "operations") {
    reals_ = learned::rowsOf(schedule_);
    const std::size_t columns = learned::rowNames().size();
    return env::Observation{
        DType::kFloat32,
        {static_cast<std::uint32_t>(reals_.size() / columns), static_cast<std::uint32_t>(columns)},
        std::as_bytes(std::span(reals_))};
  }
  if (observation == "legal") {
    ORDO_TRY_ASSIGN(const std::vector<std::uint8_t> legal, legalActions());
    numbers_.assign(legal.begin(), legal.end());
    return vector();
  }
  if (observation == "applicable") {
    numbers_.clear();
    for (const std::vector<model::Step>& steps : *actions_)
      numbers_.push_back(model::applicable(*program_->kernel, steps.front()));
    return vector();
  }
  if (observation == "peak_mflops") {
    const std::int64_t width = model::widthOf(*program_->kernel);
    numbers_ = {static_cast<std::int64_t>(lowering::peakFlops(width) / 1e6), width};
    return vector();
  }
  if (observation == "machine") {
    numbers_ = {model::registers().count, model::registers().lanes};
    for (const int cache :
         {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_NPROCESSORS_ONLN})
      numbers_.push_back(std::max(0L, ::sysconf(cache)));
    return vector();
  }
  return fail(ErrorCode::kNotFound, "the backend mlir has no observation '{}'", observation);
}

// What a search begins with, or a training.
std::vector<model::Schedule> MlirSession::found(std::string_view observation) const {
  const std::shared_ptr<const learned::Estimator> estimator = settings_.estimator;
  const learned::Judge judge = [&](const model::Schedule& schedule) {
    return estimator ? estimator->cycles(schedule) : model::cost(schedule);
  };
  if (observation == "exploration")
    return learned::exploration(program_->kernel, judge, kExplored, settings_.seed);
  std::vector<model::Schedule> ours = model::proposals(program_->kernel, kProposals, settings_.threads);
  // What was learned is of one thread.
  if (!estimator || settings_.threads > 1) return ours;
  // Of kernels larger than those that it was learned from the policy knows little: every third is none of
  // its.
  std::vector<model::Schedule> all, theirs = learned::answers(program_->kernel, judge, kProposals);
  std::set<std::string> known;
  const auto take = [&](std::vector<model::Schedule>& from, std::size_t& next) {
    while (next < from.size() && !known.insert(model::stepsText(from[next].steps())).second) ++next;
    if (next < from.size()) all.push_back(std::move(from[next++]));
  };
  for (std::size_t i = 0, our = 0, their = 0; i < 3 * kProposals && all.size() < kProposals; ++i)
    i % 3 == 2 ? take(ours, our) : take(theirs, their);
  return all;
}

std::string MlirSession::program() const {
  std::string text = program_->payload.text;
  if (!schedule_.steps().empty())
    text += fmt::format("{}{}\n", kScheduleMark, model::stepsText(schedule_.steps()));
  return text;
}

Result<env::Observation> MlirSession::tensors() {
  ORDO_TRY_ASSIGN(const std::shared_ptr<lowering::Trial> trial, kernels_->trial(*program_));
  Json all = Json::array();
  double tolerance = 0;
  for (const auto* some : {&program_->payload.inputs, &program_->payload.outputs}) {
    for (const lowering::Tensor& tensor : *some) {
      all.push_back(Json::array({tensor.shape, tensor.bytes}));
      tolerance = trial->tolerance(tensor.bytes);
    }
  }
  return bytes(
      writeJson({{"inputs", program_->payload.inputs.size()}, {"tensors", all}, {"tolerance", tolerance}}));
}

env::Observation MlirSession::bytes(std::string text) {
  text_ = std::move(text);
  return {DType::kBytes, {static_cast<std::uint32_t>(text_.size())}, std::as_bytes(std::span(text_))};
}
env::Observation MlirSession::rows(model::Rows numbers, std::size_t columns) {
  numbers_ = std::move(numbers);
  return {DType::kInt64,
          {static_cast<std::uint32_t>(numbers_.size() / columns), static_cast<std::uint32_t>(columns)},
          std::as_bytes(std::span(numbers_))};
}
env::Observation MlirSession::vector() const {
  return {DType::kInt64, {static_cast<std::uint32_t>(numbers_.size())}, std::as_bytes(std::span(numbers_))};
}

// The state compiled, run and compared, once. An error is ours: a kernel that cannot be compiled as it is.
Result<const MlirSession::Built*> MlirSession::build() {
  const std::string text = model::transformText(schedule_);
  if (built_ && built_->schedule == text) return built_.get();
  ORDO_TRY_ASSIGN(const std::shared_ptr<lowering::Trial> trial, kernels_->trial(*program_));
  Built built{.schedule = text};
  Result<std::unique_ptr<lowering::Code>> code =
      lowering::compile(kernels_->workshop(), program_->payload, text, {.threads = settings_.threads});
  if (!code) {
    built.problem = code.error().message;
  } else {
    built.code = *std::move(code);
    built.problem = trial->problemOf(*built.code);
  }
  built_ = std::make_shared<const Built>(std::move(built));
  return built_.get();
}

// Nobody gets an object that was not run as it is, beside what stock tools make of the kernel.
Result<const MlirSession::Object*> MlirSession::emit() {
  const std::string text = model::transformText(schedule_);
  if (object_ && object_->schedule == text) return object_.get();
  ORDO_TRY_ASSIGN(const std::shared_ptr<lowering::Trial> trial, kernels_->trial(*program_));
  Object object{.schedule = text};
  ORDO_TRY_ASSIGN(object.bytes, lowering::emitObject(kernels_->workshop(), program_->payload, text,
                                                     {.threads = settings_.threads}));
  ORDO_TRY_ASSIGN(const std::string problem, trial->problemOf(object.bytes, settings_.threads));
  if (!problem.empty()) {
    return fail(ErrorCode::kCorrupt, "{}: the object computes something else than stock mlir-opt-22: {}",
                spec_->name, problem);
  }
  object_ = std::make_shared<const Object>(std::move(object));
  return object_.get();
}

}  // namespace ordo::session
