#include "mlir/model/cost.h"

#include <algorithm>
#include <cmath>

#include "mlir/model/limits.h"

namespace ordo::model {
namespace {

constexpr double kLatency = 4;       // of an addition or a fused one, in cycles
constexpr double kPerCycle = 2;      // vector operations, and loads
constexpr double kIssued = 4;        // of whatever, in a cycle
constexpr double kBegin = 20;        // until a row of sums flows, and until it has been written
constexpr double kGathered = 1;      // a number of a vector that lies apart from the others
constexpr double kSpill = 3;         // a sum that goes to memory and back, which the next one waits for
constexpr double kAcross = 8;        // to sum up what is in one vector
constexpr double kByItself = 0.35;   // a point of a loop that LLVM vectorizes
constexpr double kJump = 2;          // a load that jumps through memory
constexpr double kLoop = 3;          // the bookkeeping of one turn of a loop that is not unrolled
constexpr double kBytesACycle = 16;  // of memory

// Cycles per point of `rows` times `columns` in registers.
double vectorCycles(const Operation& operation, const Progress& progress, double rows, double columns) {
  const bool sums = depthLoop(operation).has_value();
  const auto depth = static_cast<double>(progress.registers[2]);
  const double vectors = std::ceil(columns / lanesOf(operation.output.bytes));
  // Sums, a row of what they are multiplied with, and one for what is spread: what is beyond goes to memory
  // and back at each turn.
  const double kept = sums ? rows * vectors + vectors + 1 : 0;
  const double spilled = std::max(0.0, kept - static_cast<double>(registers().count));
  const double work = std::max(1.0, operation.flops / 2) * rows * vectors;
  const double loads = rows + vectors + 2 * spilled;
  // What is spread comes from memory as it is needed; several at a time have to be taken apart.
  const double spread = depth > 1 ? rows : 0;
  double gathered = 0;
  if (const std::optional<std::size_t> column = columnLoop(operation)) {
    for (const Access& input : operation.inputs) {
      const bool moved = std::ranges::any_of(input.rows, [&](const auto& row) { return row[*column] != 0; });
      if (moved && input.rows.back()[*column] != 1) gathered += columns;
    }
  }
  const double all = work + loads + spread + kLoop / (depth * static_cast<double>(progress.unrolled));
  const double turns = static_cast<double>(progress.trip) * depth;
  const double begin = sums ? kBegin / turns : 0;
  return (std::max({work / kPerCycle, loads / kPerCycle, sums ? kLatency : 1, all / kIssued}) + begin +
          kSpill * spilled + kGathered * gathered) /
         (rows * columns);
}

// Cycles per point, of so many that are summed up across.
double acrossCycles(const Operation& operation, double depth) {
  const double vectors = std::ceil(depth / lanesOf(operation.output.bytes));
  const double work = std::max(1.0, operation.flops) * vectors;
  return (std::max(vectors, work) / kPerCycle + kAcross) / depth;
}

// The same of all parts: those that fill registers, and edges.
double vectorCycles(const Operation& operation, const Progress& progress) {
  if (sumsAcross(operation) && progress.registers[2] > 1) {
    const std::int64_t full = progress.registers[2], whole = progress.whole[*depthLoop(operation)];
    const std::int64_t rest = whole % full;
    double cycles = acrossCycles(operation, static_cast<double>(full)) * static_cast<double>(whole - rest);
    if (rest > 0) cycles += acrossCycles(operation, static_cast<double>(rest)) * static_cast<double>(rest);
    return cycles / static_cast<double>(whole);
  }
  const auto sizes = [&](std::optional<std::size_t> loop, std::int64_t full) {
    const auto whole = static_cast<double>(loop ? progress.whole[*loop] : full);
    const double rest = loop ? static_cast<double>(progress.whole[*loop] % full) : 0;
    std::vector<std::pair<double, double>> parts = {{static_cast<double>(full), 1 - rest / whole}};
    if (rest > 0) parts.emplace_back(rest, rest / whole);
    return parts;
  };
  double cycles = 0;
  for (const auto& [rows, of_rows] : sizes(rowLoop(operation), progress.registers[0])) {
    for (const auto& [columns, of_columns] : sizes(columnLoop(operation), progress.registers[1]))
      cycles += of_rows * of_columns * vectorCycles(operation, progress, rows, columns);
  }
  return cycles;
}

double scalarCycles(const Operation& operation, const Progress& progress) {
  const std::size_t innermost = progress.order.back();
  double jumps = 0;
  const auto look = [&](const Access& access) {
    const bool used = std::ranges::any_of(access.rows, [&](const auto& row) { return row[innermost] != 0; });
    if (used && access.rows.back()[innermost] != 1) ++jumps;
  };
  std::ranges::for_each(operation.inputs, look);
  look(operation.output);
  // What sums up in order cannot be vectorized.
  const double point = operation.reductions[innermost] ? kLatency : jumps > 0 ? 1 : kByItself;
  return point + kJump * jumps + kLoop / static_cast<double>(progress.tile[innermost]);
}

}  // namespace

double cost(const Schedule& schedule, std::size_t number) {
  return cost(schedule.kernel().operations[number], schedule.progress(number));
}

double cost(const Operation& operation, const Progress& progress) {
  if (operation.loops() == 0) return 0;
  double points = progress.around;
  for (const std::int64_t size : progress.tile)
    points *= static_cast<double>(std::max<std::int64_t>(size, 1));
  double cycles =
      points * (progress.vectorized ? vectorCycles(operation, progress) : scalarCycles(operation, progress));
  auto bytes = static_cast<double>(operation.output.bytes);
  cycles += 2 * bytes * progress.copied / kBytesACycle;
  for (const std::int64_t size : operation.output.dims) bytes *= static_cast<double>(size);
  // What is fused into its consumer never goes to memory.
  return progress.inside ? cycles : cycles + bytes / kBytesACycle;
}

double cost(const Schedule& schedule) {
  double cycles = 0;
  for (std::size_t i = 0; i < schedule.kernel().operations.size(); ++i) cycles += cost(schedule, i);
  return cycles;
}

double flops(const Operation& operation) {
  double points = operation.flops;
  for (const std::int64_t extent : operation.extents)
    points *= static_cast<double>(std::max<std::int64_t>(extent, 0));
  return points;
}

double flops(const Kernel& kernel) {
  double sum = 0;
  for (const Operation& operation : kernel.operations) sum += flops(operation);
  return sum;
}

std::int64_t widthOf(const Kernel& kernel) {
  const auto most = std::ranges::max_element(kernel.operations, {},
                                             [](const Operation& operation) { return flops(operation); });
  return most == kernel.operations.end() ? 4 : most->output.bytes;
}

}  // namespace ordo::model
