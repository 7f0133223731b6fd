#include "app/knowledge.h"

#include <cstring>

#include "support/files.h"

namespace ordo::app {
namespace {

template <typename T>
std::vector<double> numbersOf(std::span<const std::byte> bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return {values.begin(), values.end()};
}

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

std::string knowledgePath(std::string_view option) {
  if (option == "shipped") return (dataDir() / "knowledge" / "debian.json").string();
  return option == "none" ? "" : std::string(option);
}

Result<search::Knowledge> loadKnowledge(const std::string& path, env::Backend& backend,
                                        const env::SessionSpec& spec) {
  ORDO_TRY_ASSIGN(const std::string text, readFile(path));
  ORDO_TRY_ASSIGN(const search::KnowledgeFile file, search::parseKnowledge(text, path));
  std::vector<double> features;
  if (!file.programs.empty()) {
    ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, backend.open(spec));
    ORDO_TRY_ASSIGN(features, observeNumbers(*session, file.observation));
  }
  return search::knowledgeFor(file, spec.actions, std::move(features));
}

}  // namespace ordo::app
