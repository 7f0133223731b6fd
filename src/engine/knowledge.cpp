#include "engine/knowledge.h"

#include <algorithm>
#include <cstring>

#include "env/metric.h"
#include "recipe/recipe.h"
#include "support/files.h"

namespace ordo::engine {
namespace {

template <typename T>
std::vector<double> numbersOf(std::span<const std::byte> bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return {values.begin(), values.end()};
}

constexpr double kShare = 0.1;  // of functions, that makes a kind

}  // namespace

Result<std::vector<double>> observeNumbers(env::Session& session, std::string_view observation) {
  ORDO_TRY_ASSIGN(const env::Observation observed, session.observe(observation));
  switch (observed.dtype) {
    case DType::kInt64:
      return numbersOf<std::int64_t>(observed.bytes);
    case DType::kFloat32:
      return numbersOf<float>(observed.bytes);
    case DType::kFloat64:
      return numbersOf<double>(observed.bytes);
    case DType::kBytes:
      break;
  }
  return fail(ErrorCode::kInvalidArgument, "'{}' is text; features have to be numbers", observation);
}

std::string_view kindOf(const FunctionCounts& functions, std::string_view triple) {
  const double share = kShare * functions.all;
  if (functions.linkonce > 0 && functions.linkonce >= share) return kLinkonce;
  if (functions.tables >= share) return "";
  if (triple.starts_with("thumb")) return kThumb;
  return triple.starts_with("riscv") ? kRiscv : kTableless;
}

Result<std::string_view> kindOf(env::Session& session) {
  ORDO_TRY_ASSIGN(const std::vector<double> tables, observeNumbers(session, "unwind_tables"));
  ORDO_TRY_ASSIGN(const std::vector<double> functions, observeNumbers(session, "linkage"));
  ORDO_TRY_ASSIGN(const env::Observation triple, session.observe("target_triple"));
  const std::string text(reinterpret_cast<const char*>(triple.bytes.data()), triple.bytes.size());
  return kindOf({tables[0] + tables[1], functions[3], tables[0]}, text);
}

std::string knowledgePath(std::string_view option) {
  if (option == "shipped") return (dataDir() / "knowledge" / "debian.json").string();
  return option == "none" ? "" : std::string(option);
}

std::string policyPath(std::string_view option, std::string_view objective) {
  if (option != "shipped") return option == "none" ? "" : std::string(option);
  return env::isExperiment(objective) ? "" : (dataDir() / "policy" / "size.safetensors").string();
}

Result<std::shared_ptr<const policy::Policy>> loadPolicy(const std::string& path,
                                                         const env::BackendInfo& info,
                                                         std::span<const env::Action> actions) {
  Result<policy::Policy> loaded = policy::Policy::load(path);
  if (!loaded) {
    Error error = std::move(loaded).error();
    if (error.code == ErrorCode::kCorrupt)
      error.message += "; bring the file back, train another (./ordo train), or search without (--no-policy)";
    return fail(std::move(error));
  }
  policy::Policy policy = *std::move(loaded);
  ORDO_TRY(policy::checkInputs(info.observations));
  if (policy.info().backend_version != info.version) {
    return fail(ErrorCode::kUnsupported, "{}: it was trained with {} {}, and this is {}; train it anew", path,
                info.name, policy.info().backend_version, info.version);
  }
  if (const Result<policy::Binding> bound = policy.bind(actions); !bound)
    return fail(Error(bound.error()).context(path));
  return std::make_shared<const policy::Policy>(std::move(policy));
}

Result<std::string> fingerprint(const Learned& learned) {
  if (learned.knowledge.empty() && learned.policy.empty()) return "none";
  std::string text;
  if (!learned.knowledge.empty()) {
    ORDO_TRY_ASSIGN(const std::string knowledge, readFile(learned.knowledge));
    ORDO_TRY(search::parseKnowledge(knowledge, learned.knowledge));
    text = hashBytes(knowledge).hex();
  }
  if (!learned.policy.empty()) {
    ORDO_TRY_ASSIGN(const std::string weights, readFile(learned.policy));
    ORDO_TRY(policy::Policy::parse(weights, learned.policy));
    text += fmt::format("{}policy {}", text.empty() ? "" : ", ", hashBytes(weights).hex());
  }
  return text;
}

namespace {

// Whether the backend counts what estimates are made from.
Status checkEstimates(const search::Knowledge& knowledge, const env::BackendInfo& info,
                      const std::string& path) {
  for (const auto& [objective, openings] : knowledge.openings) {
    const search::Estimate& estimate = openings.estimate;
    const bool fits = std::ranges::any_of(info.observations, [&](const env::ObservationInfo& offered) {
      return offered.name == estimate.observation && offered.dtype == DType::kInt64 &&
             offered.width == estimate.weights.size();
    });
    if (fits) continue;
    return fail(ErrorCode::kUnsupported,
                "{}: its estimate of {} is of {} counts of '{}', which are not observed here; learn it again "
                "('ordo mine --experience … --estimates'), or search without (--knowledge none)",
                path, objective, estimate.weights.size(), estimate.observation);
  }
  return {};
}

}  // namespace

Result<search::FunctionSequences> loadFunctionSequences(const Learned& learned,
                                                        const env::BackendInfo& info) {
  if (learned.knowledge.empty()) return search::FunctionSequences{};
  const std::filesystem::path path =
      std::filesystem::path(learned.knowledge).parent_path() / "functions.json";
  const Result<std::string> text = readFile(path);
  if (!text && text.error().code == ErrorCode::kNotFound) return search::FunctionSequences{};
  if (!text) return fail(text.error());
  ORDO_TRY_ASSIGN(search::FunctionSequences sequences, search::parseFunctionSequences(*text, path.string()));
  if (sequences.backend != info.name || sequences.version != info.version) return search::FunctionSequences{};
  return sequences;
}

Result<search::Knowledge> loadKnowledge(const Learned& learned, env::Backend& backend,
                                        const env::SessionSpec& spec) {
  search::Knowledge knowledge;
  if (!learned.knowledge.empty()) {
    ORDO_TRY_ASSIGN(const std::string text, readFile(learned.knowledge));
    ORDO_TRY_ASSIGN(const search::KnowledgeFile file, search::parseKnowledge(text, learned.knowledge));
    std::vector<double> features;
    std::string_view kind;
    if (!file.programs.empty() || !file.kinds.empty()) {
      ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, backend.open(spec));
      if (!file.programs.empty()) {
        ORDO_TRY_ASSIGN(features, observeNumbers(*session, file.observation));
      }
      if (!file.kinds.empty()) {
        ORDO_TRY_ASSIGN(kind, kindOf(*session));
      }
    }
    ORDO_TRY_ASSIGN(knowledge, search::knowledgeFor(file, spec.actions, std::move(features), kind));
    ORDO_TRY_ASSIGN(const env::BackendInfo info, backend.describe());
    ORDO_TRY(checkEstimates(knowledge, info, learned.knowledge));
  }
  if (!learned.policy.empty()) {
    ORDO_TRY_ASSIGN(const env::BackendInfo info, backend.describe());
    ORDO_TRY_ASSIGN(knowledge.policy, loadPolicy(learned.policy, info, spec.actions));
  }
  return knowledge;
}

}  // namespace ordo::engine
