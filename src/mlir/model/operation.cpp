#include "mlir/model/operation.h"

#include <algorithm>

namespace ordo::model {
namespace {

// The loop that alone indexes that dimension of the output.
std::optional<std::size_t> loopOf(const Operation& operation, std::size_t dim) {
  const std::vector<std::int64_t>& row = operation.output.rows[dim];
  const auto loop = std::ranges::find_if(row, [](std::int64_t step) { return step != 0; });
  if (loop == row.end()) return std::nullopt;
  return static_cast<std::size_t>(loop - row.begin());
}

}  // namespace

const char* name(Kind kind) {
  switch (kind) {
    case Kind::kFill:
      return "fill";
    case Kind::kElementwise:
      return "elementwise";
    case Kind::kContraction:
      return "contraction";
    case Kind::kReduction:
      return "reduction";
    case Kind::kConvolution:
      return "convolution";
    case Kind::kOther:
      break;
  }
  return "other";
}

std::optional<std::size_t> columnLoop(const Operation& operation) {
  if (operation.output.rows.empty()) return std::nullopt;
  return loopOf(operation, operation.output.rows.size() - 1);
}

std::optional<std::size_t> rowLoop(const Operation& operation) {
  for (std::size_t dim = operation.output.rows.size(); dim-- > 0;) {
    const std::optional<std::size_t> loop = loopOf(operation, dim);
    if (!loop || loop == columnLoop(operation)) continue;
    if (std::ranges::find(operation.row_loops, *loop) == operation.row_loops.end()) return loop;
  }
  return std::nullopt;
}

std::optional<std::size_t> depthLoop(const Operation& operation) {
  for (std::size_t loop = operation.loops(); loop-- > 0;) {
    if (operation.reductions[loop]) return loop;
  }
  return std::nullopt;
}

bool sumsAcross(const Operation& operation) {
  if (operation.kind != Kind::kReduction || operation.windowed() || operation.inputs.size() != 1)
    return false;
  const std::vector<std::vector<std::int64_t>>& rows = operation.inputs.front().rows;
  const std::optional<std::size_t> depth = depthLoop(operation);
  if (!depth || rows.empty() || rows.back()[*depth] != 1) return false;
  return std::ranges::count_if(rows.back(), [](std::int64_t step) { return step != 0; }) == 1;
}

}  // namespace ordo::model
