#include "mlir/model/proposals.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "mlir/model/cost.h"

namespace ordo::model {
namespace {

constexpr std::size_t kRegisters = 8;  // ways to fill them that are tried, of each operation that matters
constexpr std::size_t kInTiles = 3;    // the same inside of each kind of tiles
constexpr std::array<std::int64_t, 4> kColumnTiles = {64, 32, 128, 256};
constexpr std::array<std::int64_t, 3> kDepthTiles = {256, 128, 512};
constexpr std::array<std::int64_t, 7> kFused = {1, 8, 2, 4, 16, 32, 64};
constexpr double kWorthThreads = 50'000;  // cycles, of which some thousands begin and end them
constexpr double kBusy = 0.6;             // of all threads on the mean, at least
constexpr double kWorthSmaller = 0.05;    // of them more, for smaller pieces
constexpr double kLarge = 512 << 10;      // bytes of inputs that second caches do not hold, or barely

// How large the pieces are at most that a product's inputs are copied in, so that they stay in a cache while
// they are read again and again: `depth` by `columns` of the one, and, where there is a number, `rows` by
// `depth` of the other (Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication", 2008).
struct Packing {
  std::int64_t depth, rows, columns;
};
constexpr std::int64_t kAll = std::int64_t{1} << 30;
constexpr std::array<Packing, 8> kPackings = {{{256, 0, 64},
                                               {512, 512, 32},
                                               {kAll, 0, 32},
                                               {256, 512, 32},
                                               {256, 0, 32},
                                               {kAll, 0, 64},
                                               {256, 256, 64},
                                               {512, 256, 32}}};

// The operation that most is computed in.
std::size_t mainOf(const Kernel& kernel) {
  std::size_t main = 0;
  double most = -1;
  for (std::size_t i = 0; i < kernel.operations.size(); ++i) {
    double work = kernel.operations[i].vectorizable ? kernel.operations[i].flops : 0;
    for (const std::int64_t extent : kernel.operations[i].extents) work *= static_cast<double>(extent);
    if (work <= most) continue;
    most = work;
    main = i;
  }
  return main;
}

// Legal ways to fill registers, the cheapest first.
std::vector<Step> ranked(const Schedule& schedule, std::size_t most) {
  const Operation& operation = schedule.kernel().operations[*schedule.current()];
  std::vector<std::tuple<double, std::size_t, Step>> found;
  for (const Step& step : allSteps()) {
    if (step.type != StepType::kVectorize || !schedule.legal(step)) continue;
    found.emplace_back(cost(operation, schedule.vectorized(step)), found.size(), step);
  }
  std::ranges::sort(found, [](const auto& a, const auto& b) {
    return std::pair(std::get<0>(a), std::get<1>(a)) < std::pair(std::get<0>(b), std::get<1>(b));
  });
  std::vector<Step> steps;
  for (std::size_t i = 0; i < std::min(most, found.size()); ++i) steps.push_back(std::get<2>(found[i]));
  return steps;
}

// Deals a loop of the current operation out to threads, if it is worth that, in the largest pieces that keep
// about all threads busy, the outermost loop of these.
void deal(Schedule& schedule, unsigned threads) {
  if (threads < 2 || cost(schedule, *schedule.current()) < kWorthThreads) return;
  const Operation& operation = schedule.kernel().operations[*schedule.current()];
  std::optional<Step> best;
  double most = kBusy;
  for (std::size_t loop = 0; loop < operation.loops(); ++loop) {
    const std::span<const int> sizes = sizesOf(StepType::kParallel, 1);
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
      const Step step{StepType::kParallel, {static_cast<std::int64_t>(loop), *size}};
      if (!schedule.legal(step)) continue;
      const std::int64_t pieces = operation.extents[loop] / *size, turns = (pieces + threads - 1) / threads;
      const double busy = static_cast<double>(pieces) / static_cast<double>(turns * threads);
      if (busy < most + kWorthSmaller) continue;
      most = busy;
      best = step;
    }
  }
  if (best) schedule.apply(*best);
}

// What may stand around the registers of the current operation; the first is nothing.
std::vector<std::vector<Step>> tilings(const Schedule& schedule) {
  std::vector<std::vector<Step>> all = {{}};
  const Operation& operation = schedule.kernel().operations[*schedule.current()];
  const std::optional<std::size_t> column = columnLoop(operation), row = rowLoop(operation),
                                   depth = depthLoop(operation);
  const auto cut = [](StepType type, std::size_t loop, std::int64_t size) {
    return Step{type, {static_cast<std::int64_t>(loop), size}};
  };
  for (const std::int64_t columns : kColumnTiles) {
    if (column && depth) {
      for (const std::int64_t sums : kDepthTiles)
        all.push_back({cut(StepType::kTile, *column, columns), cut(StepType::kTile, *depth, sums)});
    }
    if (column && depth && operation.kind == Kind::kContraction) {
      all.push_back({cut(StepType::kTile, *column, columns), cut(StepType::kTile, *depth, kDepthTiles[0]),
                     Step{StepType::kPack, {1}}});
    }
    if (column) all.push_back({cut(StepType::kTile, *column, columns)});
  }
  for (const std::int64_t rows : kFused) {
    if (row) all.push_back({cut(StepType::kFuse, *row, rows)});
    if (!operation.reductions[0]) all.push_back({cut(StepType::kFuse, 0, rows)});
  }
  return all;
}

// A product that is too large for its inputs to stay in a cache by themselves.
bool isLarge(const Operation& operation) {
  if (operation.kind != Kind::kContraction || !depthLoop(operation) || !columnLoop(operation)) return false;
  double bytes = 0;
  for (const Access& input : operation.inputs) {
    auto whole = static_cast<double>(input.bytes);
    for (const std::int64_t size : input.dims) whole *= static_cast<double>(size);
    bytes += whole;
  }
  return bytes > kLarge;
}

// A loop in the largest pieces that are not beyond `most`; as it is where it is no longer.
void cutTo(Schedule& schedule, std::size_t loop, std::int64_t most) {
  const std::span<const int> sizes = sizesOf(StepType::kTile, 1);
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
    if (schedule.progress(*schedule.current()).tile[loop] <= most) return;
    if (*size <= most) schedule.apply({StepType::kTile, {static_cast<std::int64_t>(loop), *size}});
  }
}

// Copies the input that this loop walks through.
void packAlong(Schedule& schedule, const Operation& operation, std::size_t loop) {
  for (std::size_t input = 0; input < operation.inputs.size(); ++input) {
    if (std::ranges::any_of(operation.inputs[input].rows, [&](const auto& row) { return row[loop] != 0; }))
      schedule.apply({StepType::kPack, {static_cast<std::int64_t>(input)}});
  }
}

// Puts loops and copies around the current operation, where it is a large product.
void packInputs(Schedule& schedule, const Packing& packing) {
  const Operation& operation = schedule.kernel().operations[*schedule.current()];
  if (!isLarge(operation)) return;
  const std::size_t column = *columnLoop(operation);
  cutTo(schedule, *depthLoop(operation), packing.depth);
  if (const std::optional<std::size_t> row = rowLoop(operation); row && packing.rows > 0) {
    cutTo(schedule, *row, packing.rows);
    packAlong(schedule, operation, *row);
  }
  cutTo(schedule, column, packing.columns);
  packAlong(schedule, operation, column);
}

// All operations that are left until `last`, its own not, each as is best for it alone: dealt out, and with
// the loops and copies of `packing` where there is one.
void fill(Schedule& schedule, std::optional<std::size_t> last, unsigned threads,
          const Packing* packing = nullptr) {
  while (schedule.current() && schedule.current() != last) {
    deal(schedule, threads);
    if (packing) packInputs(schedule, *packing);
    for (const Step& step : ranked(schedule, 1)) schedule.apply(step);
    schedule.apply({StepType::kStop, {}});
  }
}

bool applyAll(Schedule& schedule, const std::vector<Step>& steps) {
  return std::ranges::all_of(steps, [&](const Step& step) { return schedule.apply(step); });
}

}  // namespace

std::vector<Schedule> proposals(const std::shared_ptr<const Kernel>& kernel, std::size_t most,
                                unsigned threads) {
  const std::size_t main = mainOf(*kernel);
  // Each with its rank: the first of every kind come before the second of any.
  std::map<std::pair<std::size_t, std::size_t>, Schedule> found;
  std::set<std::string> known;
  const auto add = [&](const Schedule& begun, std::size_t registers, std::size_t kind,
                       const Packing* packing = nullptr) {
    std::size_t rank = 0;
    for (const Step& step : ranked(begun, registers)) {
      Schedule schedule = begun;
      schedule.apply(step);
      schedule.apply({StepType::kStop, {}});
      if (packing || threads > 1)
        fill(schedule, std::nullopt, threads, packing);
      else
        schedule.apply({StepType::kGreedy, {}});
      if (known.insert(stepsText(schedule.steps())).second)
        found.emplace(std::pair(rank * 3 + kind, found.size()), std::move(schedule));
      ++rank;
    }
  };
  for (std::size_t kind = 0; kind < kPackings.size() && isLarge(kernel->operations[main]); ++kind) {
    Schedule schedule(kernel);
    fill(schedule, main, threads, &kPackings[kind]);
    deal(schedule, threads);
    packInputs(schedule, kPackings[kind]);
    add(schedule, kInTiles, kind, &kPackings[kind]);
  }
  std::vector<Schedule> begun;
  Schedule alone(kernel);
  // What is behind the main operation is done alone, or takes it into its loops.
  for (const std::vector<Step>& around : tilings(alone)) {
    Schedule schedule(kernel);
    if (!around.empty() && around.front().type != StepType::kFuse) continue;
    if (*alone.current() == main && !around.empty()) break;
    if (!applyAll(schedule, around)) continue;
    fill(schedule, main, threads);
    if (schedule.current() == main) begun.push_back(std::move(schedule));
  }
  for (std::size_t i = 0; i < begun.size(); ++i) {
    const std::vector<std::vector<Step>> all = tilings(begun[i]);
    for (std::size_t kind = 0; kind < all.size(); ++kind) {
      Schedule schedule = begun[i];
      // What takes others into its loops is dealt out to nobody.
      if (all[kind].empty() || all[kind].front().type != StepType::kFuse) deal(schedule, threads);
      if (!applyAll(schedule, all[kind])) continue;
      add(schedule, kind == 0 && i == 0 ? kRegisters : kInTiles, kind + i);
    }
  }
  std::vector<Schedule> best;
  for (auto& [rank, schedule] : found) {
    if (best.size() < most) best.push_back(std::move(schedule));
  }
  return best;
}

}  // namespace ordo::model
