#include "mlir/model/step.h"

#include <fmt/format.h>

#include <charconv>

#include "mlir/model/limits.h"

namespace ordo::model {
namespace {

struct TypeInfo {
  std::string_view name;
  std::size_t numbers;
};

constexpr std::array<TypeInfo, 11> kTypes = {{{"interchange", 1},
                                              {"parallel", 2},
                                              {"fuse", 2},
                                              {"tile", 2},
                                              {"pack", 1},
                                              {"decompose", 0},
                                              {"vectorize", 3},
                                              {"unroll", 1},
                                              {"stop", 0},
                                              {"greedy", 0},
                                              {"fair", 0}}};

constexpr std::int64_t kMostNumber = std::int64_t{1} << 30;
// Of convolutions in three dimensions and of batched products; loops behind stay as they are.
constexpr std::int64_t kLoops = 8;
constexpr std::array kSizes = {1,  2,  3,  4,  5,  6,  7,   8,   10,  12,  14,  16,  20,  24,  28,  32,
                               40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512};
constexpr std::array kRows = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16};
constexpr std::array kColumns = {1,  2,  3,  4,  5,  6,  7,  8,  10, 12,  14, 16,
                                 20, 24, 28, 32, 40, 48, 56, 64, 96, 112, 128};
constexpr std::array kDepths = {1, 2, 4, 8, 16, 32, 64, 128};
constexpr std::array kUnrolls = {2, 3, 4, 8};

std::vector<Step> makeAll() {
  std::vector<Step> steps;
  for (std::int64_t loop = 0; loop < kLoops; ++loop) steps.push_back({StepType::kInterchange, {loop}});
  for (const StepType type : {StepType::kParallel, StepType::kFuse, StepType::kTile}) {
    for (std::int64_t loop = 0; loop < kLoops; ++loop) {
      for (const int size : kSizes) steps.push_back({type, {loop, size}});
    }
  }
  for (std::int64_t input = 0; input < 2; ++input) steps.push_back({StepType::kPack, {input}});
  steps.push_back({StepType::kDecompose, {}});
  for (const int rows : kRows) {
    for (const int columns : kColumns) {
      for (const int depth : kDepths) {
        if (fitsRegisters(rows, columns, depth))
          steps.push_back({StepType::kVectorize, {rows, columns, depth}});
      }
    }
  }
  for (const int factor : kUnrolls) steps.push_back({StepType::kUnroll, {factor}});
  steps.push_back({StepType::kStop, {}});
  steps.push_back({StepType::kGreedy, {}});
  return steps;
}

}  // namespace

std::string_view name(StepType type) { return kTypes[static_cast<std::size_t>(type)].name; }
std::size_t numbersOf(StepType type) { return kTypes[static_cast<std::size_t>(type)].numbers; }

std::string Step::text() const {
  const std::span<const std::int64_t> mine = std::span(numbers).first(numbersOf(type));
  return mine.empty() ? std::string(name(type)) : fmt::format("{}<{}>", name(type), fmt::join(mine, ","));
}

std::optional<Step> Step::parse(std::string_view text) {
  Step step;
  const std::string_view word = text.substr(0, text.find('<'));
  std::size_t type = 0;
  while (type < kTypes.size() && kTypes[type].name != word) ++type;
  if (type == kTypes.size()) return std::nullopt;
  step.type = static_cast<StepType>(type);
  text.remove_prefix(word.size());
  for (std::size_t i = 0; i < kTypes[type].numbers; ++i) {
    if (text.empty() || text.front() != (i == 0 ? '<' : ',')) return std::nullopt;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + 1, end, step.numbers[i]);
    if (error != std::errc() || step.numbers[i] < 0 || step.numbers[i] > kMostNumber) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  }
  const std::string_view closing = kTypes[type].numbers > 0 ? ">" : "";
  return text == closing ? std::optional(step) : std::nullopt;
}

std::span<const int> sizesOf(StepType type, std::size_t number) {
  switch (type) {
    case StepType::kParallel:
    case StepType::kFuse:
    case StepType::kTile:
      return number == 1 ? std::span<const int>(kSizes) : std::span<const int>();
    case StepType::kVectorize:
      return number == 0   ? std::span<const int>(kRows)
             : number == 1 ? std::span<const int>(kColumns)
                           : std::span<const int>(kDepths);
    case StepType::kUnroll:
      return kUnrolls;
    default:
      return {};
  }
}

const std::vector<Step>& allSteps() {
  static const std::vector<Step> steps = makeAll();
  return steps;
}

std::optional<std::vector<Step>> parseSteps(std::string_view text) {
  std::vector<Step> steps;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    const std::optional<Step> step = Step::parse(text.substr(0, end));
    if (!step) return std::nullopt;
    steps.push_back(*step);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return steps;
}

std::string stepsText(std::span<const Step> steps) {
  std::string text;
  for (const Step& step : steps) text += (text.empty() ? "" : ";") + step.text();
  return text;
}

}  // namespace ordo::model
