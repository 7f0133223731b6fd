#include "mlir/model/features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mlir/model/cost.h"

namespace ordo::model {
namespace {

constexpr std::size_t kLoops = 8;
constexpr std::size_t kKinds = 6;

// Puts numbers and, for featureNames(), their names.
class Sheet {
 public:
  void put(std::string name, double value) {
    names_.push_back(std::move(name));
    values_.push_back(static_cast<float>(value));
  }
  void size(std::string name, double value) { put(std::move(name), std::log2(std::max(1.0, value))); }
  std::vector<std::string> names_;
  std::vector<float> values_;
};

void putKind(Sheet& sheet, const std::string& whose, const Operation* operation) {
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    sheet.put(fmt::format("{}_{}", whose, name(static_cast<Kind>(kind))),
              operation != nullptr && operation->kind == static_cast<Kind>(kind));
  }
}

Sheet sheetOf(const Schedule& schedule) {
  Sheet sheet;
  const std::vector<Operation>& all = schedule.kernel().operations;
  const std::optional<std::size_t> current = schedule.current();
  static const Operation kNothing;
  const Operation& mine = current ? all[*current] : kNothing;
  const Progress progress = current ? schedule.progress(*current) : Progress{};
  putKind(sheet, "now", current ? &mine : nullptr);
  putKind(sheet, "next", current && *current > 0 ? &all[*current - 1] : nullptr);
  putKind(sheet, "done", current && *current + 1 < all.size() ? &all[*current + 1] : nullptr);
  sheet.put("operations", static_cast<double>(all.size()));
  sheet.put("left", current ? static_cast<double>(*current + 1) : 0);
  sheet.put("flops_per_point", mine.flops);
  sheet.put("schedulable", mine.schedulable);
  sheet.put("vectorizable", mine.vectorizable);
  sheet.put("windowed", mine.windowed());
  sheet.put("loops", static_cast<double>(mine.loops()));
  for (std::size_t loop = 0; loop < kLoops; ++loop) {
    const bool there = loop < mine.loops();
    const auto say = [&](const char* what) { return fmt::format("loop{}_{}", loop, what); };
    sheet.size(say("extent"), there ? static_cast<double>(mine.extents[loop]) : 1);
    sheet.size(say("tile"), there ? static_cast<double>(progress.tile[loop]) : 1);
    sheet.put(say("reduces"), there && mine.reductions[loop]);
    sheet.put(say("is_row"), there && loop == rowLoop(mine));
    sheet.put(say("is_column"), there && loop == columnLoop(mine));
    sheet.put(say("is_depth"), there && loop == depthLoop(mine));
    const auto place = there ? std::ranges::find(progress.order, loop) - progress.order.begin() : 0;
    sheet.put(say("place"), static_cast<double>(place));
    double unit = 0;  // tensors that it walks without jumps
    for (const Access& input : mine.inputs)
      unit += there && !input.rows.empty() && input.rows.back()[loop] == 1 ? 1 : 0;
    sheet.put(say("walks"), unit);
  }
  sheet.put("pointed", static_cast<double>(progress.pointed));
  sheet.put("tilings", progress.tilings);
  sheet.size("around", progress.around);
  sheet.put("parallel", progress.parallel);
  sheet.put("plain", progress.plain);
  sheet.put("inside", progress.inside);
  sheet.put("decomposed", progress.decomposed);
  sheet.put("vectorized", progress.vectorized);
  for (std::size_t i = 0; i < progress.registers.size(); ++i)
    sheet.size(fmt::format("registers{}", i), static_cast<double>(progress.registers[i]));
  sheet.size("trip", static_cast<double>(progress.trip));
  sheet.size("unrolled", static_cast<double>(progress.unrolled));
  sheet.put("steps", static_cast<double>(schedule.steps().size()));
  sheet.size("flops", flops(schedule.kernel()));
  sheet.size("cycles", cost(schedule));
  return sheet;
}

}  // namespace

const std::vector<std::string>& featureNames() {
  static const std::vector<std::string> names = sheetOf(Schedule(std::make_shared<const Kernel>())).names_;
  return names;
}

std::vector<float> features(const Schedule& schedule) { return sheetOf(schedule).values_; }

}  // namespace ordo::model
