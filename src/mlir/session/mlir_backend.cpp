#include "mlir/session/mlir_backend.h"

#include "mlir/learned/fit.h"
#include "mlir/lowering/compile.h"
#include "mlir/model/features.h"
#include "mlir/model/transform_text.h"
#include "mlir/session/mlir_session.h"
#include "support/files.h"
#include "support/json.h"

namespace ordo::session {
namespace {

constexpr const char* kSmall =
    R"(func.func @small(%a: tensor<4x8xf32>, %b: tensor<8x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x8xf32>) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
})";

constexpr std::int64_t kMostThreads = 256;

// What session settings say: weights of their own ("": none), a seed, and how many threads a kernel has.
// Without any, the shipped weights, if there are.
Result<Settings> settingsOf(const env::SessionSpec& spec) {
  Settings settings;
  std::string weights = (dataDir() / "policy" / "kernels.safetensors").string();
  if (!std::filesystem::exists(weights)) weights.clear();
  if (!spec.settings.empty()) {
    ORDO_TRY_ASSIGN(const Json json, parseJson(spec.settings, spec.name + ": settings"));
    ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, spec.name + ": settings"));
    ORDO_TRY(object.onlyHas({"weights", "seed", "threads"}));
    ORDO_TRY_ASSIGN(weights, object.get<std::string>("weights", weights));
    ORDO_TRY_ASSIGN(const auto seed, object.get<std::int64_t>("seed", 1));
    settings.seed = static_cast<std::uint64_t>(seed);
    ORDO_TRY_ASSIGN(const auto threads, object.get<std::int64_t>("threads", 1));
    if (threads < 1 || threads > kMostThreads)
      return fail(ErrorCode::kInvalidArgument, "{}: threads: {} are not between 1 and {}", spec.name, threads,
                  kMostThreads);
    settings.threads = static_cast<unsigned>(threads);
  }
  if (weights.empty()) return settings;
  ORDO_TRY_ASSIGN(learned::Estimator estimator, learned::Estimator::load(weights));
  settings.estimator = std::make_shared<const learned::Estimator>(std::move(estimator));
  return settings;
}

}  // namespace

MlirBackend::MlirBackend() : kernels_(std::make_shared<Kernels>()) {}
MlirBackend::~MlirBackend() = default;

void MlirBackend::warmUp() {
  const auto program = kernels_->open("small", kSmall);
  ORDO_CHECK(program.has_value(), "{}", program.error().message);
  model::Schedule schedule((*program)->kernel);
  schedule.apply({model::StepType::kVectorize, {4, 8, 1}});
  const auto code =
      lowering::compile(kernels_->workshop(), (*program)->payload, model::transformText(schedule));
  ORDO_CHECK(code.has_value(), "a small kernel is not compiled: {}", code.error().message);
}

Result<env::BackendInfo> MlirBackend::describe() {
  const lowering::Host host = lowering::host();
  env::BackendInfo info;
  info.name = "mlir";
  info.version = host.version;
  info.build = host.cpu;
  info.target = host.triple;
  info.program = "mlir";
  const auto matrix = [](const char* name, const char* summary, const std::vector<std::string>& columns) {
    return env::ObservationInfo{
        name, 1, DType::kInt64, 0, summary, static_cast<std::uint32_t>(columns.size()), false, columns};
  };
  info.observations = {
      {"mlir", 1, DType::kBytes, 0, "the kernel, and behind it the steps as a comment"},
      {"schedule", 1, DType::kBytes, 0, "the steps as a sequence of the transform dialect"},
      {"ir", 1, DType::kBytes, 0, "the kernel after them, before it is lowered"},
      {"object", 1, DType::kBytes, 0, "for this processor, with a function that C calls", 0, true},
      {"header", 1, DType::kBytes, 0, "that function's declaration"},
      {"torch", 1, DType::kBytes, 0, "the kernel as a function of Python on PyTorch's tensors"},
      {"proposals", 1, DType::kBytes, 0, "schedules to begin a search with, one a line, the best first"},
      {"exploration", 1, DType::kBytes, 0, "schedules to learn from, one a line, the fair one first"},
      {"tiles", 1, DType::kBytes, 0, "the loop nest of each operation and the bytes of its tiles, as JSON"},
      {"tensors", 1, DType::kBytes, 0, "shapes and widths of inputs and outputs, and the tolerance, as JSON"},
      {"trial", 1, DType::kBytes, 0, "the inputs of trials, and what the outputs have to be, as they lie"},
      matrix("loops", "what became of each loop", model::loopColumns()),
      matrix("accesses", "how loops index the dimensions of tensors", model::accessColumns()),
      matrix("steps", "the steps so far", model::stepColumns()),
      {"features", 1, DType::kFloat32, static_cast<std::uint32_t>(model::featureNames().size()),
       "what is dealt with and what it costs so far, as so many numbers", 0, false, model::featureNames()},
      {"operations", 1, DType::kFloat32, 0,
       "what each operation costs and what is done to it, as so many numbers",
       static_cast<std::uint32_t>(learned::rowNames().size()), false, learned::rowNames()},
      {"legal", 1, DType::kInt64, 0, "for each action whether it is possible now: a mask"},
      {"applicable", 1, DType::kInt64, 0, "for each action whether it fits the kernel's sizes in some state"},
      {"machine",
       1,
       DType::kInt64,
       6,
       "what registers, caches and processors there are",
       0,
       true,
       {"registers", "lanes", "l1_bytes", "l2_bytes", "l3_bytes", "processors"}}};
  info.metrics = {
      {"time_ns", "ns", false, "the least of several runs here, after every element was compared"},
      {"cost", "cycles", true, "by a model of one core, without a clock"}};
  info.transforms = {{"interchange", "operation", "loop"},
                     {"parallel", "operation", "loop,size"},
                     {"fuse", "operation", "loop,size"},
                     {"tile", "operation", "loop,size"},
                     {"pack", "operation", "input"},
                     {"decompose", "operation", ""},
                     {"vectorize", "operation", "rows,columns,depth"},
                     {"unroll", "operation", "factor"},
                     {"stop", "operation", ""},
                     {"greedy", "kernel", ""}};
  for (const model::Step& step : model::allSteps())
    info.actions.push_back({step.text(), kScheduleKind, step.text()});
  info.baselines = {{"fair", kScheduleKind, "fair"}, {"naive", kScheduleKind, "stop"}};
  return info;
}

Result<std::unique_ptr<env::Session>> MlirBackend::open(env::SessionSpec spec) {
  MlirSession::Actions actions;
  for (const env::Action& action : spec.actions) {
    std::optional<std::vector<model::Step>> steps = model::parseSteps(action.text);
    if (action.kind != kScheduleKind || !steps || steps->empty())
      return fail(ErrorCode::kUnsupported, "{}: '{}' is no step of a schedule", spec.name, action.text);
    actions.push_back(*std::move(steps));
  }
  // The steps of a program that was scheduled before are in its last line.
  std::string_view text = spec.program;
  std::vector<model::Step> taken;
  if (const std::size_t mark = text.rfind(kScheduleMark); mark != std::string_view::npos) {
    std::string_view line = text.substr(mark + kScheduleMark.size());
    if (line.ends_with('\n')) line.remove_suffix(1);
    std::optional<std::vector<model::Step>> steps = model::parseSteps(line);
    if (!steps)
      return fail(ErrorCode::kCorrupt, "{}: the last line is no schedule: '{}'", spec.name,
                  line.substr(0, 80));
    taken = *std::move(steps);
    text = text.substr(0, mark);
  }
  ORDO_TRY_ASSIGN(std::shared_ptr<KernelProgram> program, kernels_->open(spec.name, text));
  model::Schedule schedule(program->kernel);
  for (const model::Step& step : taken) {
    if (!schedule.apply(step))
      return fail(ErrorCode::kCorrupt, "{}: its schedule takes a step that is not possible: {}", spec.name,
                  step.text());
  }
  ORDO_TRY_ASSIGN(Settings settings, settingsOf(spec));
  return std::make_unique<MlirSession>(kernels_, std::make_shared<const env::SessionSpec>(std::move(spec)),
                                       std::make_shared<const MlirSession::Actions>(std::move(actions)),
                                       std::move(program), std::move(schedule), std::move(settings));
}

}  // namespace ordo::session
