#include "mlir/model/nest.h"

#include <algorithm>

namespace ordo::model {

Nest nestOf(const Schedule& schedule, std::size_t number) {
  const Operation& operation = schedule.kernel().operations[number];
  const Progress& progress = schedule.progress(number);
  Nest nest;
  // What it was when its own steps began: all, or the piece that its consumer wants.
  std::vector<std::int64_t> tile = progress.vectorized ? progress.whole : progress.tile;
  std::size_t at = schedule.kernel().operations.size() - 1;
  std::vector<Step> mine;
  for (const Step& step : schedule.steps()) {
    if (step.type == StepType::kStop) {
      if (at == number || at == 0) break;
      --at;
    } else if (at == number && (step.type == StepType::kTile || step.type == StepType::kFuse ||
                                step.type == StepType::kParallel)) {
      mine.push_back(step);
    }
  }
  // From the inside: what a loop went through is what the next cut of it leaves.
  std::vector<NestLoop> cuts;
  std::vector<std::int64_t> size = tile;
  for (std::size_t i = mine.size(); i-- > 0;) {
    const auto loop = static_cast<std::size_t>(mine[i].numbers[0]);
    std::int64_t before = operation.extents[loop];
    for (std::size_t j = 0; j < i; ++j) {
      if (mine[j].numbers[0] == mine[i].numbers[0]) before = mine[j].numbers[1];
    }
    cuts.push_back({loop, static_cast<double>(before) /
                              static_cast<double>(std::max<std::int64_t>(1, mine[i].numbers[1]))});
  }
  nest.loops.assign(cuts.rbegin(), cuts.rend());
  nest.cut = cuts.size();
  nest.tile = progress.vectorized ? progress.tile : std::vector<std::int64_t>(operation.loops(), 1);
  for (const bool reduces : {false, true}) {
    for (const std::size_t loop : progress.order) {
      // Vectors are gone through with what is summed up last, plain loops as they stand.
      if (progress.vectorized ? operation.reductions[loop] != reduces : reduces) continue;
      const double turns =
          static_cast<double>(tile[loop]) / static_cast<double>(std::max<std::int64_t>(1, nest.tile[loop]));
      if (turns > 1) nest.loops.push_back({loop, turns});
    }
  }
  return nest;
}

double elements(const Access& access, const std::vector<std::int64_t>& tile) {
  double all = 1;
  for (std::size_t dim = 0; dim < access.rows.size(); ++dim) {
    double span = 1;
    for (std::size_t loop = 0; loop < tile.size(); ++loop)
      span += static_cast<double>(access.rows[dim][loop] * (tile[loop] - 1));
    all *= std::min(span, static_cast<double>(access.dims[dim]));
  }
  return all;
}

double bytes(const Access& access, const std::vector<std::int64_t>& tile) {
  return static_cast<double>(access.bytes) * elements(access, tile);
}

bool moves(const Access& access, std::size_t loop) {
  return std::ranges::any_of(access.rows, [&](const auto& row) { return row[loop] != 0; });
}

Json tilesOf(const Schedule& schedule) {
  Json all = Json::array();
  for (std::size_t number = 0; number < schedule.kernel().operations.size(); ++number) {
    const Operation& operation = schedule.kernel().operations[number];
    const Nest nest = nestOf(schedule, number);
    std::vector<Json> levels;  // from the inside
    std::vector<std::int64_t> tile = nest.tile;
    const auto level = [&](Json of) {
      Json touched = Json::array();
      for (const Access& input : operation.inputs) touched.push_back(bytes(input, tile));
      touched.push_back(bytes(operation.output, tile));
      of["tile"] = tile;
      of["bytes"] = std::move(touched);
      levels.push_back(std::move(of));
    };
    for (std::size_t i = nest.loops.size(); i-- > 0;) {
      const NestLoop& around = nest.loops[i];
      level({{"loop", around.loop}, {"turns", around.turns}, {"step", i < nest.cut}});
      tile[around.loop] = static_cast<std::int64_t>(static_cast<double>(tile[around.loop]) * around.turns);
    }
    level({{"loop", nullptr}, {"turns", 1}, {"step", false}});
    std::ranges::reverse(levels);
    all.push_back({{"operation", operation.name}, {"extents", operation.extents}, {"levels", levels}});
  }
  return all;
}

}  // namespace ordo::model
