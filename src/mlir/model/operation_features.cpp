// Memory is looked at as loop nests (nest.h). A block of it that fits
// into a cache is loaded once, and again at each turn of the loops around, from the first that moves through
// that tensor on.
#include "mlir/model/operation_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "mlir/model/cost.h"
#include "mlir/model/limits.h"
#include "mlir/model/nest.h"

namespace ordo::model {
namespace {

constexpr double kScale = 0.125;
constexpr std::size_t kKinds = 6;
constexpr std::array kWhose = {"input0", "input1", "input2"};
constexpr std::array kCaches = {32e3, 1e6, 16e6};
constexpr std::array kInto = {"into_l1", "into_l2", "into_l3"};
constexpr std::int64_t kQuarterPage = 1024;  // bytes

// Bytes that have to be loaded into a cache of so many.
double traffic(const Operation& operation, const Nest& nest, double cache) {
  std::vector<const Access*> tensors = {&operation.output};
  for (const Access& input : operation.inputs) tensors.push_back(&input);
  std::vector<std::int64_t> tile = nest.tile;
  std::size_t level = nest.loops.size();
  const auto all = [&](const std::vector<std::int64_t>& of) {
    double sum = 0;
    for (const Access* tensor : tensors) sum += bytes(*tensor, of);
    return sum;
  };
  while (level > 0) {
    std::vector<std::int64_t> larger = tile;
    const NestLoop& around = nest.loops[level - 1];
    larger[around.loop] = static_cast<std::int64_t>(static_cast<double>(tile[around.loop]) * around.turns);
    if (all(larger) > cache) break;
    tile = std::move(larger);
    --level;
  }
  double sum = 0;
  for (const Access* tensor : tensors) {
    double times = 1;
    bool again = false;
    for (std::size_t i = level; i-- > 0;) {
      again = again || moves(*tensor, nest.loops[i].loop);
      if (again) times *= nest.loops[i].turns;
    }
    sum += bytes(*tensor, tile) * times;
  }
  return sum;
}

// Puts numbers and, for operationFeatureNames(), their names.
class Sheet {
 public:
  void put(std::string_view whose, std::string_view name, double value) {
    if (names_ != nullptr) names_->push_back(fmt::format("{}{}", whose, name));
    values_.push_back(static_cast<float>(value));
  }
  void put(std::string_view name, double value) { put("", name, value); }
  void size(std::string_view whose, std::string_view name, double value) {
    put(whose, name, kScale * std::log2(std::max(value, 1e-3)));
  }
  void size(std::string_view name, double value) { size("", name, value); }
  explicit Sheet(std::vector<std::string>* names) : names_(names) {}
  std::vector<float> values_;

 private:
  std::vector<std::string>* names_;
};

void putAccess(Sheet& sheet, std::string_view whose, const Access* access,
               const std::array<std::optional<std::size_t>, 4>& loops) {
  constexpr std::array kWalks = {"_walks_row", "_walks_column", "_walks_depth", "_walks_innermost"};
  constexpr std::array kJumps = {"_jumps_row", "_jumps_column", "_jumps_depth", "_jumps_innermost"};
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const bool there = access != nullptr && loops[i] && !access->rows.empty();
    const std::int64_t last = there ? access->rows.back()[*loops[i]] : 0;
    const bool any = there && moves(*access, *loops[i]);
    sheet.put(whose, kWalks[i], last == 1);
    sheet.put(whose, kJumps[i], any && last != 1);
  }
  const std::int64_t row = access != nullptr && !access->dims.empty() ? access->dims.back() : 1;
  sheet.size(whose, "_row", static_cast<double>(row));
  // Rows that lie such steps apart share few places of a cache.
  sheet.put(whose, "_aliases", row * (access != nullptr ? access->bytes : 4) % kQuarterPage == 0);
  sheet.put(whose, "_made_here", access != nullptr && access->producer.has_value());
}

void putRegisters(Sheet& sheet, const Operation& operation, const Progress& progress) {
  const auto [rows, columns, depth] = progress.registers;
  const auto lanes = static_cast<std::int64_t>(lanesOf(operation.output.bytes));
  const double vectors = std::ceil(static_cast<double>(columns) / static_cast<double>(lanes));
  const bool on = progress.vectorized;
  sheet.put("vectorized", on);
  sheet.size("rows", static_cast<double>(rows));
  sheet.size("columns", static_cast<double>(columns));
  sheet.size("depth", static_cast<double>(depth));
  sheet.put("vectors", kScale * vectors);
  sheet.put("sums", on ? static_cast<double>(rows) * vectors / static_cast<double>(registers().count) : 0);
  sheet.put("spilled",
            on && static_cast<double>(rows) * vectors + vectors + 1 > static_cast<double>(registers().count));
  sheet.put("columns_of_4", on && columns % 4 == 0);
  sheet.put("columns_of_8", on && columns % 8 == 0);
  sheet.put("columns_of_16", on && columns % 16 == 0);
  sheet.put("columns_of_32", on && columns % 32 == 0);
  sheet.put("registers_odd", on ? static_cast<double>(columns % lanes) / static_cast<double>(lanes) : 0);
  sheet.put("registers_mixed", on && columns > lanes && columns % lanes != 0);
  sheet.size("unrolled", static_cast<double>(progress.unrolled));
  sheet.size("trip", static_cast<double>(progress.trip));
  const auto edge = [&](std::string_view which, std::optional<std::size_t> loop, std::int64_t full) {
    const bool cut = on && loop;
    const std::int64_t whole = cut ? progress.whole[*loop] : 1, rest = cut ? whole % full : 0;
    sheet.size(which, "_whole", static_cast<double>(whole));
    sheet.put(which, "_left",
              static_cast<double>(rest) / static_cast<double>(std::max<std::int64_t>(1, whole)));
    sheet.put(which, "_edge", rest != 0);
    sheet.size(which, "_rest", static_cast<double>(rest));
    // Elements of it that fill no register, which are moved one by one.
    sheet.put(which, "_odd", static_cast<double>(rest % lanes) / static_cast<double>(lanes));
    sheet.put(which, "_mixed", rest > lanes && rest % lanes != 0);
  };
  edge("rows", rowLoop(operation), rows);
  edge("columns", columnLoop(operation), columns);
  edge("depth", depthLoop(operation), depth);
}

std::vector<float> sheetOf(const Schedule& schedule, std::size_t number, std::vector<std::string>* names) {
  Sheet sheet(names);
  const Operation& operation = schedule.kernel().operations[number];
  const Progress& progress = schedule.progress(number);
  for (std::size_t kind = 0; kind < kKinds; ++kind)
    sheet.put(name(static_cast<Kind>(kind)), operation.kind == static_cast<Kind>(kind));
  sheet.put("flops", kScale * operation.flops);
  sheet.put("inputs", kScale * static_cast<double>(operation.inputs.size()));
  sheet.put("loops", kScale * static_cast<double>(operation.loops()));
  sheet.put("schedulable", operation.schedulable);
  sheet.put("windowed", operation.windowed());
  sheet.put("reduces", depthLoop(operation).has_value());
  sheet.put("pointed", progress.pointed > 0);
  sheet.put("tilings", kScale * progress.tilings);
  sheet.put("plain", progress.plain);
  sheet.put("inside", progress.inside);
  sheet.put("decomposed", progress.decomposed);
  sheet.put("packed", static_cast<double>(progress.packed.size()));
  sheet.size("copied", progress.copied);
  sheet.size("around", progress.around);
  putRegisters(sheet, operation, progress);
  const std::optional<std::size_t> innermost =
      progress.order.empty() ? std::nullopt : std::optional(progress.order.back());
  sheet.put("innermost_reduces", innermost && operation.reductions[*innermost]);
  sheet.size("innermost_tile", innermost ? static_cast<double>(progress.tile[*innermost]) : 1);
  const std::array loops = {rowLoop(operation), columnLoop(operation), depthLoop(operation), innermost};
  putAccess(sheet, "output", &operation.output, loops);
  for (std::size_t i = 0; i < kWhose.size(); ++i)
    putAccess(sheet, kWhose[i], i < operation.inputs.size() ? &operation.inputs[i] : nullptr, loops);
  double points = progress.around, all = 1;
  for (const std::int64_t size : progress.tile) points *= static_cast<double>(size);
  for (const std::int64_t size : operation.extents) all *= static_cast<double>(size);
  sheet.size("points", points);
  sheet.size("computed_again", all > 0 ? points / all : 1);
  const double cycles = std::max(1.0, cost(schedule, number));
  sheet.size("cycles", cycles);
  sheet.size("cycles_a_point", cycles / std::max(1.0, points));
  const bool known = operation.schedulable && operation.loops() > 0;
  const Nest nest = known ? nestOf(schedule, number) : Nest{};
  double outer = progress.around;
  for (const NestLoop& loop : nest.loops) outer /= loop.turns;
  double whole = 0;
  for (const Access& input : operation.inputs) whole += bytes(input, operation.extents);
  whole += bytes(operation.output, operation.extents);
  sheet.size("bytes", whole);
  for (std::size_t i = 0; i < kCaches.size(); ++i) {
    // What is fused runs once in each turn of its consumer's loops.
    double loaded = known ? traffic(operation, nest, kCaches[i]) : 0;
    if (progress.inside) loaded *= std::max(1.0, outer);
    sheet.size(kInto[i], 1 + loaded);
    sheet.size(kInto[i], "_a_cycle", (1 + loaded) / cycles);
  }
  return std::move(sheet.values_);
}

}  // namespace

const std::vector<std::string>& operationFeatureNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    sheetOf(Schedule(std::make_shared<const Kernel>(Kernel{"", {Operation{}}})), 0, &all);
    return all;
  }();
  return names;
}

std::vector<float> operationFeatures(const Schedule& schedule, std::size_t operation) {
  return sheetOf(schedule, operation, nullptr);
}

}  // namespace ordo::model
