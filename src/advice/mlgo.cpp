#include "advice/mlgo.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "notation/decisions.h"
#include "support/json.h"

namespace ordo::advice {
namespace {

// Names of what LLVM would do and of what was said; the first for evictions is nobody's but ours.
constexpr std::array<std::string_view, 2> kUsual{"inlining_default", "eviction_default"};
constexpr std::array<std::string_view, 2> kAnswer{"inlining_decision", "index_to_evict"};
constexpr std::size_t kMostTensors = 4096, kMostNumbers = 1 << 16, kLongestLine = 1 << 20;

struct Named {
  std::string name;
  std::size_t bytes = 0;  // of one number
  char type = 'i';
  std::size_t count = 1;
};

Result<Named> tensorFrom(const JsonObject& object) {
  ORDO_TRY_ASSIGN(const std::string name, object.get<std::string>("name"));
  ORDO_TRY_ASSIGN(const std::string type, object.get<std::string>("type"));
  ORDO_TRY_ASSIGN(const std::vector<double> shape, object.get<std::vector<double>>("shape"));
  Named named{name};
  static constexpr std::pair<std::string_view, std::pair<std::size_t, char>> kTypes[] = {
      {"float", {4, 'f'}},    {"double", {8, 'f'}},  {"int8_t", {1, 'i'}},  {"int16_t", {2, 'i'}},
      {"int32_t", {4, 'i'}},  {"int64_t", {8, 'i'}}, {"uint8_t", {1, 'u'}}, {"uint16_t", {2, 'u'}},
      {"uint32_t", {4, 'u'}}, {"uint64_t", {8, 'u'}}};
  const auto* const known = std::ranges::find(kTypes, type, [](const auto& one) { return one.first; });
  if (known == std::end(kTypes))
    return fail(ErrorCode::kUnsupported, "{}: numbers of the type '{}'", object.where(), type);
  named.bytes = known->second.first;
  named.type = known->second.second;
  for (const double side : shape) {
    if (!(side >= 1 && side <= kMostNumbers))
      return fail(ErrorCode::kCorrupt, "{}: a shape with {}", object.where(), side);
    named.count *= static_cast<std::size_t>(side);
    if (named.count > kMostNumbers)
      return fail(ErrorCode::kCorrupt, "{}: a tensor that is too large", object.where());
  }
  return named;
}

template <typename T>
double read(std::string_view bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return static_cast<double>(value);
}

double numberIn(std::string_view bytes, char type) {
  static_assert(std::endian::native == std::endian::little);
  switch (bytes.size()) {
    case 1:
      return type == 'u' ? read<std::uint8_t>(bytes) : read<std::int8_t>(bytes);
    case 2:
      return type == 'u' ? read<std::uint16_t>(bytes) : read<std::int16_t>(bytes);
    case 4:
      return type == 'f'   ? read<float>(bytes)
             : type == 'u' ? read<std::uint32_t>(bytes)
                           : read<std::int32_t>(bytes);
    default:
      return type == 'f'   ? read<double>(bytes)
             : type == 'u' ? read<std::uint64_t>(bytes)
                           : read<std::int64_t>(bytes);
  }
}

}  // namespace

Status MlgoStream::readHeader(const JsonObject& object, const Json& json) {
  const std::string& where = name_;
  ORDO_TRY_ASSIGN(const std::vector<JsonObject> features, object.objects("features"));
  if (features.size() > kMostTensors)
    return fail(ErrorCode::kCorrupt, "{}: {} features", where, features.size());
  tensors_.clear();
  case_bytes_ = outcome_bytes_ = 0;
  usual_ = answer_ = kNone;
  module_.clear();
  ++compilations_;
  std::size_t found = 0;
  for (const JsonObject& feature : features) {
    ORDO_TRY_ASSIGN(const Named named, tensorFrom(feature));
    const auto place = [&](std::size_t i) {
      const auto wanted = std::ranges::find(
          spec_.features, named.count == 1 ? named.name : fmt::format("{}[{}]", named.name, i));
      return static_cast<std::size_t>(wanted - spec_.features.begin());
    };
    Tensor tensor{named.bytes * named.count, named.count, named.type};
    const std::size_t number = tensors_.size();
    // A tensor is wanted as a whole.
    const std::size_t first = place(0), last = place(named.count - 1);
    if (last < spec_.features.size() && last - first + 1 == named.count) {
      tensor.feature = first;
      found += named.count;
    }
    const bool evicts = spec_ == notation::evictDecision();
    if (named.count == 1 && named.name == kUsual[evicts]) usual_ = number;
    if (named.count == 1 && named.name == kAnswer[evicts]) answer_ = number;
    tensors_.push_back(tensor);
    case_bytes_ += tensor.bytes;
  }
  if (found != spec_.features.size()) {
    return fail(ErrorCode::kUnsupported, "{}: it has {} of the {} features of the decision '{}'", name_,
                found, spec_.features.size(), spec_.name);
  }
  if (json.contains("score")) {
    ORDO_TRY_ASSIGN(const JsonObject score, object.object("score"));
    ORDO_TRY_ASSIGN(const Named named, tensorFrom(score));
    outcome_bytes_ = named.bytes * named.count;
  }
  return {};
}

Status MlgoStream::readCase(std::string_view numbers, const Visit& visit) {
  env::Advice advice{module_, std::vector<float>(spec_.features.size()), 0, 0};
  const auto answer = [&](double value) {
    return value >= 0 && value < static_cast<double>(spec_.answers.size()) ? static_cast<std::uint32_t>(value)
                                                                           : 0u;
  };
  const bool evicts = spec_ == notation::evictDecision();
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const Tensor& tensor = tensors_[i];
    if (tensor.feature != kNone || i == usual_ || i == answer_) {
      const std::size_t width = tensor.bytes / tensor.count;
      for (std::size_t n = 0; n < tensor.count; ++n) {
        double value = numberIn(numbers.substr(n * width, width), tensor.type);
        if (evicts) value = notation::boundedFeature(static_cast<float>(value));
        if (!std::isfinite(value)) return fail(ErrorCode::kCorrupt, "{}: a feature that is no number", name_);
        if (tensor.feature != kNone) advice.features[tensor.feature + n] = static_cast<float>(value);
        if (i == usual_) advice.usual = answer(value);
        if (i == answer_) advice.answer = answer(value);
      }
    }
    numbers.remove_prefix(tensor.bytes);
  }
  if (usual_ == kNone && evicts) {
    const std::vector<std::uint8_t> allowed = notation::allowedBy(spec_, advice.features);
    const auto last = std::find(allowed.rbegin(), allowed.rend(), 1);
    if (last == allowed.rend()) return fail(ErrorCode::kCorrupt, "{}: a case without an answer", name_);
    advice.usual = static_cast<std::uint32_t>(allowed.rend() - last - 1);
  }
  if (answer_ == kNone) advice.answer = advice.usual;
  visit(advice);
  return {};
}

Status MlgoStream::feed(std::string_view bytes, const Visit& visit) {
  rest_ += bytes;
  std::string_view at = rest_;
  while (!at.empty()) {
    if (awaited_ > 0) {
      if (at.size() <= awaited_) break;
      if (at[awaited_] != '\n')
        return fail(ErrorCode::kCorrupt, "{}: numbers that do not end where they should", name_);
      if (is_case_) ORDO_TRY(readCase(at.substr(0, awaited_), visit));
      at.remove_prefix(awaited_ + 1);
      awaited_ = 0;
      continue;
    }
    const std::size_t end = at.find('\n');
    if (end == std::string_view::npos) {
      if (at.size() > kLongestLine) return fail(ErrorCode::kCorrupt, "{}: no line of it ends", name_);
      break;
    }
    const std::string_view line = at.substr(0, end);
    ORDO_TRY_ASSIGN(const Json json, parseJson(line, name_));
    ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, name_));
    if (tensors_.empty() || json.contains("features")) {
      ORDO_TRY(readHeader(object, json));
    } else {
      if (json.contains("context")) {
        ORDO_TRY_ASSIGN(module_, object.get<std::string>("context"));
      } else if (json.contains("observation")) {
        is_case_ = true;
        awaited_ = case_bytes_;
      } else if (json.contains("outcome") && outcome_bytes_ > 0) {
        is_case_ = false;
        awaited_ = outcome_bytes_;
      } else {
        return fail(ErrorCode::kCorrupt, "{}: a line that is neither context, observation nor outcome",
                    name_);
      }
    }
    at.remove_prefix(end + 1);
  }
  rest_.erase(0, rest_.size() - at.size());
  return {};
}

Result<env::AdviceLog> parseMlgoLog(const env::DecisionSpec& spec, std::string_view bytes,
                                    std::string_view name) {
  env::AdviceLog log{spec, {}};
  MlgoStream stream(spec, std::string(name));
  ORDO_TRY(stream.feed(bytes, [&](const env::Advice& advice) { log.advice.push_back(advice); }));
  if (!stream.whole() || bytes.empty()) return fail(ErrorCode::kCorrupt, "{}: it ends in the middle", name);
  return log;
}

std::string mlgoAnswer(std::uint32_t answer) {
  const std::int64_t value = answer;
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string writeMlgoAnswers(const env::AdviceLog& log) {
  std::string bytes;
  for (const env::Advice& advice : log.advice) bytes += mlgoAnswer(advice.answer);
  return bytes;
}

std::string writeMlgoLog(const env::AdviceLog& log) {
  const bool evicts = log.spec == notation::evictDecision();
  std::vector<notation::EvictTensor> tensors;
  if (evicts) {
    tensors.assign(notation::evictTensors().begin(), notation::evictTensors().end());
  } else {
    for (const std::string& name : log.spec.features) tensors.push_back({name.c_str(), false, 1});
  }
  Json features = Json::array();
  const auto add = [&](std::string_view name, bool is_float, std::size_t count) {
    features.push_back({{"name", name},
                        {"type", is_float ? "float" : "int64_t"},
                        {"port", 0},
                        {"shape", count == 1 ? Json{1} : Json{1, count}}});
  };
  for (const notation::EvictTensor& tensor : tensors) add(tensor.name, tensor.is_float, tensor.count);
  add(kUsual[evicts], false, 1);
  add(kAnswer[evicts], false, 1);
  std::string text = writeJson({{"features", features}}) + "\n";
  const std::string* module = nullptr;
  std::size_t number = 0;
  for (const env::Advice& advice : log.advice) {
    if (module == nullptr || *module != advice.module) {
      text += writeJson({{"context", advice.module}}) + "\n";
      number = 0;
    }
    module = &advice.module;
    text += fmt::format("{{\"observation\":{}}}\n", number++);
    const auto put = [&](const auto& value) {
      text.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    std::size_t next = 0;
    for (const notation::EvictTensor& tensor : tensors) {
      for (std::size_t i = 0; i < tensor.count; ++i) {
        const float value = advice.features[next++];
        if (tensor.is_float) {
          put(value);
        } else {
          put(static_cast<std::int64_t>(std::llround(value)));
        }
      }
    }
    put(static_cast<std::int64_t>(advice.usual));
    put(static_cast<std::int64_t>(advice.answer));
    text += '\n';
  }
  return text;
}

}  // namespace ordo::advice
