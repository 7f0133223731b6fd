#include "mlir/model/tokens.h"

#include <algorithm>

namespace ordo::model {
namespace {

// Of the loops that index a dimension, beyond which a row says no more.
constexpr std::size_t kSteps = 8;

std::int64_t roleOf(const Operation& operation, std::size_t loop) {
  if (loop == columnLoop(operation)) return 2;
  if (loop == rowLoop(operation)) return 1;
  return loop == depthLoop(operation) ? 3 : 0;
}

void put(const Access& access, const std::vector<std::int64_t>& piece, std::int64_t operation,
         std::int64_t tensor, Rows& rows) {
  for (std::size_t dim = 0; dim < access.rows.size(); ++dim) {
    rows.insert(rows.end(), {operation, tensor, static_cast<std::int64_t>(dim), access.dims[dim], piece[dim],
                             access.producer ? static_cast<std::int64_t>(*access.producer) : -1});
    for (std::size_t loop = 0; loop < kSteps; ++loop)
      rows.push_back(loop < access.rows[dim].size() ? access.rows[dim][loop] : 0);
  }
}

}  // namespace

const std::vector<std::string>& loopColumns() {
  static const std::vector<std::string> names = {
      "operation", "kind",    "current", "loop",     "extent",     "tile", "reduces", "place",
      "role",      "tilings", "inside",  "parallel", "decomposed", "rows", "columns", "depth"};
  return names;
}

Rows loopTokens(const Schedule& schedule) {
  Rows rows;
  for (std::size_t i = 0; i < schedule.kernel().operations.size(); ++i) {
    const Operation& operation = schedule.kernel().operations[i];
    const Progress& progress = schedule.progress(i);
    for (std::size_t loop = 0; loop < operation.loops(); ++loop) {
      const auto place = std::ranges::find(progress.order, loop) - progress.order.begin();
      const auto registers = progress.vectorized ? progress.registers : std::array<std::int64_t, 3>{};
      rows.insert(
          rows.end(),
          {static_cast<std::int64_t>(i), static_cast<std::int64_t>(operation.kind), schedule.current() == i,
           static_cast<std::int64_t>(loop), operation.extents[loop], progress.tile[loop],
           operation.reductions[loop], place, roleOf(operation, loop), progress.tilings, progress.inside,
           progress.parallel, progress.decomposed, registers[0], registers[1], registers[2]});
    }
  }
  return rows;
}

const std::vector<std::string>& accessColumns() {
  static const std::vector<std::string> names = {"operation", "tensor", "dimension", "size",  "piece",
                                                 "producer",  "loop0",  "loop1",     "loop2", "loop3",
                                                 "loop4",     "loop5",  "loop6",     "loop7"};
  return names;
}

Rows accessTokens(const Schedule& schedule) {
  Rows rows;
  for (std::size_t i = 0; i < schedule.kernel().operations.size(); ++i) {
    const Operation& operation = schedule.kernel().operations[i];
    const auto number = static_cast<std::int64_t>(i);
    for (std::size_t input = 0; input < operation.inputs.size(); ++input)
      put(operation.inputs[input], schedule.progress(i).input_dims[input], number,
          static_cast<std::int64_t>(input), rows);
    put(operation.output, operation.output.dims, number, static_cast<std::int64_t>(operation.inputs.size()),
        rows);
  }
  return rows;
}

const std::vector<std::string>& stepColumns() {
  static const std::vector<std::string> names = {"type", "first", "second", "third"};
  return names;
}

Rows stepTokens(const Schedule& schedule) {
  Rows rows;
  for (const Step& step : schedule.steps())
    rows.insert(rows.end(),
                {static_cast<std::int64_t>(step.type), step.numbers[0], step.numbers[1], step.numbers[2]});
  return rows;
}

}  // namespace ordo::model
