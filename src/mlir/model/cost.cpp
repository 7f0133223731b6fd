#include "mlir/model/cost.h"

#include <algorithm>
#include <cmath>

#include "mlir/model/limits.h"

namespace ordo::model {
namespace {

constexpr double kLatency = 4;       // of an addition or a fused one, in cycles
constexpr double kPerCycle = 2;      // vector operations, and loads
constexpr double kByItself = 0.35;   // a point of a loop that LLVM vectorizes
constexpr double kJump = 2;          // a load that jumps through memory
constexpr double kLoop = 1.5;        // the bookkeeping of one turn of a loop that is not unrolled
constexpr double kBytesACycle = 16;  // of memory

// Cycles per point of registers that are filled as `progress` says.
double vectorCycles(const Operation& operation, const Progress& progress) {
  const auto rows = static_cast<double>(progress.registers[0]);
  const auto columns = static_cast<double>(progress.registers[1]);
  const double vectors = std::ceil(columns / static_cast<double>(kLanes));
  const double work = std::max(1.0, operation.flops / 2) * rows * vectors / kPerCycle;
  const double loads = (rows + vectors) / kPerCycle;
  const double chain = depthLoop(operation) ? kLatency : 1;
  const double turn = kLoop / static_cast<double>(progress.registers[2] * progress.unrolled);
  return (std::max({work, loads, chain}) + turn) / (rows * columns);
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

double cost(const Schedule& schedule) {
  double cycles = 0;
  for (std::size_t i = 0; i < schedule.kernel().operations.size(); ++i) {
    const Operation& operation = schedule.kernel().operations[i];
    const Progress& progress = schedule.progress(i);
    if (operation.loops() == 0) continue;
    double points = progress.around;
    for (const std::int64_t size : progress.tile)
      points *= static_cast<double>(std::max<std::int64_t>(size, 1));
    cycles += points *
              (progress.vectorized ? vectorCycles(operation, progress) : scalarCycles(operation, progress));
    double bytes = 4;
    for (const std::int64_t size : operation.output.dims) bytes *= static_cast<double>(size);
    // What is fused into its consumer never goes to memory.
    if (!progress.inside) cycles += bytes / kBytesACycle;
  }
  return cycles;
}

double flops(const Kernel& kernel) {
  double sum = 0;
  for (const Operation& operation : kernel.operations) {
    double points = operation.flops;
    for (const std::int64_t extent : operation.extents)
      points *= static_cast<double>(std::max<std::int64_t>(extent, 0));
    sum += points;
  }
  return sum;
}

}  // namespace ordo::model
