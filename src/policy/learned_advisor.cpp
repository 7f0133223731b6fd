#include "policy/learned_advisor.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "policy/kernels.h"
#include "support/files.h"

namespace ordo::policy {
namespace {

constexpr std::string_view kAdvisorFormat = "advisor-1";
constexpr double kScale = 0.125;  // log1p of a count is rarely above 8
constexpr std::array kKeys{"format",  "architecture", "decision",        "decision_version", "features",
                           "answers", "caution",      "backend_version", "provenance"};

// The lines of `text`, each once and none empty.
Result<std::vector<std::string>> linesOf(std::string_view text, std::string_view key, std::string_view file) {
  std::vector<std::string> lines;
  std::set<std::string_view> seen;
  for (;;) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.empty() || !seen.insert(line).second)
      return fail(ErrorCode::kCorrupt, "{}: the metadata '{}' has {}", file, key,
                  line.empty() ? "an empty line" : fmt::format("'{}' twice", line));
    lines.emplace_back(line);
    if (line.size() == text.size()) return lines;
    text.remove_prefix(line.size() + 1);
  }
}

template <typename T>
Result<T> numberOf(std::string_view text, std::string_view key, std::string_view file) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return fail(ErrorCode::kCorrupt, "{}: the metadata '{}' has '{}', which is no number", file, key, text);
  return value;
}

// Takes the tensor `name` out of `tensors`.
Result<std::vector<float>> take(std::vector<Tensor>& tensors, std::string_view name, std::string_view file) {
  const auto found = std::ranges::find(tensors, name, &Tensor::name);
  if (found == tensors.end() || found->shape.size() != 1)
    return fail(ErrorCode::kCorrupt, "{}: the tensor '{}' is missing, or is not one row", file, name);
  std::vector<float> values = std::move(found->values);
  tensors.erase(found);
  return values;
}

Result<AdvisorInfo> readInfo(SafeTensors& file, std::string_view name) {
  auto& metadata = file.metadata;
  if (metadata["format"] != kAdvisorFormat) {
    return fail(ErrorCode::kUnsupported,
                "{} is weights of format '{}', and advisors of this Ordo are of format {}", name,
                metadata["format"], kAdvisorFormat);
  }
  for (const char* key : kKeys) {
    if (!metadata.contains(key))
      return fail(ErrorCode::kCorrupt, "{}: the metadata '{}' is missing", name, key);
  }
  for (const auto& [key, value] : metadata) {
    if (std::ranges::find(kKeys, key) == kKeys.end())
      return fail(ErrorCode::kCorrupt, "{}: the metadata '{}' is unknown", name, key);
  }
  AdvisorInfo info;
  Result<Architecture> architecture = architectureOf(metadata["architecture"]);
  if (!architecture) return fail(std::move(architecture).error().context(name));
  info.architecture = *architecture;
  info.spec.name = metadata["decision"];
  ORDO_TRY_ASSIGN(info.spec.version, numberOf<int>(metadata["decision_version"], "decision_version", name));
  ORDO_TRY_ASSIGN(info.spec.features, linesOf(metadata["features"], "features", name));
  ORDO_TRY_ASSIGN(info.spec.answers, linesOf(metadata["answers"], "answers", name));
  std::string_view caution = metadata["caution"];
  for (;;) {
    const std::string_view one = caution.substr(0, caution.find('\n'));
    ORDO_TRY_ASSIGN(const float value, numberOf<float>(one, "caution", name));
    info.caution.push_back(value);
    if (one.size() == caution.size()) break;
    caution.remove_prefix(one.size() + 1);
  }
  ORDO_TRY_ASSIGN(info.low, take(file.tensors, "like.low", name));
  ORDO_TRY_ASSIGN(info.high, take(file.tensors, "like.high", name));
  info.backend_version = metadata["backend_version"];
  info.provenance = metadata["provenance"];
  return info;
}

float encoded(float value) {
  const double size = portableLog1p(std::fabs(static_cast<double>(value))) * kScale;
  return static_cast<float>(value < 0 ? -size : size);
}

}  // namespace

AnswerColumns columnsOf(const env::DecisionSpec& spec) {
  AnswerColumns columns;
  const std::size_t answers = spec.answers.size();
  const auto isOf = [&](std::size_t feature, std::string_view name, std::size_t answer) {
    return feature < spec.features.size() && spec.features[feature] == fmt::format("{}[{}]", name, answer);
  };
  for (std::size_t i = 0; i < spec.features.size();) {
    const std::string_view name = std::string_view(spec.features[i]).substr(0, spec.features[i].find('['));
    std::size_t n = 0;
    while (n < answers && isOf(i + n, name, n)) ++n;
    (n == answers ? columns.own : columns.shared).push_back(i);
    i += n == answers ? answers : 1;
  }
  return columns;
}

std::vector<float> encodeAnswer(const AnswerColumns& columns, const env::Question& question,
                                std::uint32_t answer) {
  std::vector<float> x;
  x.reserve(columns.size() + 2);
  for (const std::size_t first : columns.own) x.push_back(encoded(question.features[first + answer]));
  for (const std::size_t one : columns.shared) x.push_back(encoded(question.features[one]));
  x.push_back(answer == question.usual);
  x.push_back(answer + 1 == question.allowed.size());
  return x;
}

std::vector<float> encodeQuestion(const env::DecisionSpec& spec, std::span<const float> features,
                                  std::uint32_t usual) {
  std::vector<float> x;
  x.reserve(features.size() + spec.answers.size());
  for (const float value : features) x.push_back(encoded(value));
  for (std::uint32_t answer = 0; answer < spec.answers.size(); ++answer) x.push_back(answer == usual);
  return x;
}

Result<AdvisorWeights> AdvisorWeights::load(const std::filesystem::path& path) {
  ORDO_TRY_ASSIGN(const std::string bytes, readFile(path));
  return parse(bytes, path.string());
}

Result<AdvisorWeights> AdvisorWeights::parse(std::string_view bytes, std::string_view name) {
  ORDO_TRY_ASSIGN(SafeTensors file, parseSafetensors(bytes, name));
  ORDO_TRY_ASSIGN(AdvisorInfo info, readInfo(file, name));
  return create(std::move(info), file.tensors, name);
}

Result<AdvisorWeights> AdvisorWeights::create(AdvisorInfo info, const std::vector<Tensor>& tensors,
                                              std::string_view name) {
  ORDO_TRY_ASSIGN(Network network, Network::create(info.architecture, tensors, name));
  const std::size_t answers = info.spec.answers.size();
  const AnswerColumns columns = columnsOf(info.spec);
  const NetworkShape& shape = network.shape();
  const bool single = shape.actions == 1 && answers > 1 && !columns.own.empty();
  const std::size_t features = single ? columns.size() : info.spec.features.size();
  const std::size_t inputs = features + (single ? 2 : answers), actions = single ? 1 : answers;
  if (shape.inputs != inputs || shape.actions != actions) {
    return fail(ErrorCode::kCorrupt,
                "{}: the network takes {} numbers and gives {}; with {} features and {} answers it should "
                "take {} and give {}",
                name, shape.inputs, shape.actions, features, answers, inputs, actions);
  }
  if (info.caution.size() != answers || info.low.size() != features || info.high.size() != features)
    return fail(ErrorCode::kCorrupt, "{}: caution, like.low or like.high do not fit its features and answers",
                name);
  if (!std::ranges::all_of(info.caution, [](float value) { return value >= 0 && value <= kMaxMagnitude; }))
    return fail(ErrorCode::kCorrupt, "{}: caution should be from 0 to {}", name, kMaxMagnitude);
  return AdvisorWeights(std::move(info), std::move(network));
}

std::vector<float> AdvisorWeights::savings(const env::Question& question, Network::Scratch& scratch) const {
  std::vector<float> savings(question.allowed.size(), 0);
  if (scoresSingleAnswers()) {
    const auto score = [&](std::uint32_t answer) {
      return network_.evaluate(encodeAnswer(columns_, question, answer), scratch).logits[0];
    };
    const float usual = score(question.usual);
    for (std::uint32_t answer = 0; answer < savings.size(); ++answer)
      if (question.allowed[answer] != 0 && answer != question.usual) savings[answer] = score(answer) - usual;
    return savings;
  }
  const Network::Output output =
      network_.evaluate(encodeQuestion(info_.spec, question.features, question.usual), scratch);
  std::ranges::copy(output.logits, savings.begin());
  const float usual = savings[question.usual];
  for (float& saving : savings) saving -= usual;
  return savings;
}

bool AdvisorWeights::isLike(const env::Question& question) const {
  const auto inside = [&](std::size_t i, float value) {
    return value >= info_.low[i] && value <= info_.high[i];
  };
  if (!scoresSingleAnswers()) {
    for (std::size_t i = 0; i < question.features.size(); ++i)
      if (!inside(i, question.features[i])) return false;
    return true;
  }
  for (std::size_t i = 0; i < columns_.own.size(); ++i)
    for (std::uint32_t answer = 0; answer < question.allowed.size(); ++answer)
      if (question.allowed[answer] != 0 && !inside(i, question.features[columns_.own[i] + answer]))
        return false;
  for (std::size_t i = 0; i < columns_.shared.size(); ++i)
    if (!inside(columns_.own.size() + i, question.features[columns_.shared[i]])) return false;
  return true;
}

std::uint32_t AdvisorWeights::answer(const env::Question& question, Network::Scratch& scratch) const {
  if (!env::fits(info_.spec, question) || !isLike(question)) return question.usual;
  const std::vector<float> saved = savings(question, scratch);
  std::uint32_t best = question.usual;
  float most = info_.caution[question.usual];
  for (std::uint32_t answer = 0; answer < saved.size(); ++answer) {
    if (question.allowed[answer] == 0 || answer == question.usual || !(saved[answer] > most)) continue;
    best = answer;
    most = saved[answer];
  }
  return best;
}

std::string writeAdvisor(const AdvisorInfo& info, std::vector<Tensor> tensors) {
  SafeTensors file;
  file.metadata = {{"format", std::string(kAdvisorFormat)},
                   {"architecture", std::string(name(info.architecture))},
                   {"decision", info.spec.name},
                   {"decision_version", fmt::format("{}", info.spec.version)},
                   {"features", fmt::format("{}", fmt::join(info.spec.features, "\n"))},
                   {"answers", fmt::format("{}", fmt::join(info.spec.answers, "\n"))},
                   {"caution", fmt::format("{}", fmt::join(info.caution, "\n"))},
                   {"backend_version", info.backend_version},
                   {"provenance", info.provenance}};
  tensors.push_back({"like.low", {info.low.size()}, info.low});
  tensors.push_back({"like.high", {info.high.size()}, info.high});
  file.tensors = std::move(tensors);
  return writeSafetensors(file);
}

}  // namespace ordo::policy
