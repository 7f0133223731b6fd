#include "mlir/model/schedule.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "mlir/model/cost.h"
#include "mlir/model/limits.h"

namespace ordo::model {
namespace {

std::vector<std::size_t> producersOf(const Operation& operation) {
  std::vector<std::size_t> producers;
  for (const Access& input : operation.inputs) {
    if (input.producer) producers.push_back(*input.producer);
  }
  if (operation.output.producer) producers.push_back(*operation.output.producer);
  return producers;
}

// Elements of a dimension that is indexed by `row` that one tile touches.
std::int64_t span(const std::vector<std::int64_t>& row, const std::vector<std::int64_t>& tile) {
  std::int64_t elements = 1;
  for (std::size_t loop = 0; loop < row.size(); ++loop) elements += row[loop] * (tile[loop] - 1);
  return elements;
}

// Pieces that it reads are as long as its own tile says, where a loop that indexes them was cut.
void cutLoop(const Operation& operation, Progress& progress, std::size_t loop, std::int64_t size) {
  progress.around *= static_cast<double>(progress.tile[loop]) / static_cast<double>(size);
  progress.tile[loop] = size;
  for (std::size_t input = 0; input < operation.inputs.size(); ++input) {
    for (std::size_t dim = 0; dim < operation.inputs[input].rows.size(); ++dim) {
      const std::vector<std::int64_t>& row = operation.inputs[input].rows[dim];
      if (row[loop] != 0) progress.input_dims[input][dim] = span(row, progress.tile);
    }
  }
}

}  // namespace

Schedule::Schedule(std::shared_ptr<const Kernel> kernel)
    : kernel_(std::move(kernel)), left_(kernel_->operations.size()) {
  for (const Operation& operation : kernel_->operations) {
    Progress& progress = progress_.emplace_back();
    progress.tile = operation.extents;
    progress.order.resize(operation.loops());
    std::iota(progress.order.begin(), progress.order.end(), std::size_t{0});
    for (const Access& input : operation.inputs) progress.input_dims.push_back(input.dims);
  }
}

std::optional<std::size_t> Schedule::current() const {
  return left_ == 0 ? std::nullopt : std::optional(left_ - 1);
}

// A piece that does not divide would leave a smaller one, of a size that nobody knows when code is made.
bool Schedule::canCut(std::int64_t loop, std::int64_t size) const {
  const Progress& progress = progress_[*current()];
  if (loop >= static_cast<std::int64_t>(operation().loops()) || size < 1) return false;
  const std::int64_t whole = progress.tile[static_cast<std::size_t>(loop)];
  // What was decomposed has fewer loops, and what is a vector has none.
  return size < whole && whole % size == 0 && progress.tilings < kMostTilings && !progress.decomposed &&
         !progress.vectorized;
}

// MLIR fuses all that it can reach through slices, however far up. What somebody else reads as well it would
// compute twice.
bool Schedule::canFuse(const Operation& consumer) const {
  std::vector<std::size_t> above = producersOf(consumer);
  for (std::size_t i = 0; i < above.size(); ++i) {
    const Operation& producer = kernel_->operations[above[i]];
    if (!producer.schedulable || producer.uses != 1) return false;
    std::ranges::copy(producersOf(producer), std::back_inserter(above));
  }
  return !above.empty();
}

// Of what is read once there is nothing to gain, and windows overlap. A copy of all would go through memory.
bool Schedule::canPack(std::int64_t input) const {
  const Progress& progress = progress_[*current()];
  return operation().kind == Kind::kContraction &&
         input < static_cast<std::int64_t>(operation().inputs.size()) && progress.tilings > 0 &&
         !progress.vectorized &&
         std::ranges::find(progress.packed, static_cast<std::size_t>(input)) == progress.packed.end();
}

bool Schedule::canVectorize(const Step& step) const {
  const Operation& mine = operation();
  const Progress& progress = progress_[*current()];
  const auto [rows, columns, depth] = step.numbers;
  if (!mine.vectorizable || progress.vectorized || rows * columns * depth < 2) return false;
  if (!fitsRegisters(rows, columns, depth)) return false;
  const bool across = sumsAcross(mine);
  if (depth > kMostDepth && !across) return false;
  // linalg knows windows by their names.
  if (mine.windowed() && progress.pointed > 0) return false;
  const auto chosen = [](std::optional<std::size_t> loop, std::int64_t size) { return loop || size == 1; };
  if (!chosen(rowLoop(mine), rows) || !chosen(columnLoop(mine), columns) || !chosen(depthLoop(mine), depth))
    return false;
  const std::vector<std::int64_t> wanted = registerTile(mine, step);
  std::int64_t least = 1;  // elements of the smallest vector
  for (std::size_t loop = 0; loop < wanted.size(); ++loop) {
    if (wanted[loop] < 1 || wanted[loop] > progress.tile[loop]) return false;
    if (progress.decomposed && progress.tile[loop] != wanted[loop]) return false;
    const std::int64_t rest = progress.tile[loop] % wanted[loop];
    // Rows and columns that are left over get vectors of their own, and so does what is summed up across;
    // other sums have nothing to be left over.
    const bool edge =
        loop == rowLoop(mine) || loop == columnLoop(mine) || (across && loop == depthLoop(mine));
    if (rest != 0 && !edge) return false;
    least *= rest != 0 ? rest : wanted[loop];
  }
  return least > 1;
}

bool Schedule::legal(const Step& step) const {
  if (!current()) return false;
  if (step.type >= StepType::kStop) return true;
  const Operation& mine = operation();
  const Progress& progress = progress_[*current()];
  if (!mine.schedulable) return false;
  const auto [first, second, third] = step.numbers;
  const auto loop = static_cast<std::size_t>(first);
  switch (step.type) {
    case StepType::kInterchange:
      return loop < mine.loops() && progress.tilings == 0 && !progress.decomposed && !progress.vectorized &&
             std::find(progress.order.begin() + static_cast<std::ptrdiff_t>(progress.pointed),
                       progress.order.end(), loop) != progress.order.end();
    case StepType::kParallel:
      // Threads that sum up into one place would race, and those of threads are not what a processor has.
      return canCut(first, second) && !mine.reductions[loop] && progress.tilings == 0 && !progress.inside;
    case StepType::kFuse:
      // From behind a loop that left it outside, what accumulates cannot be reached any more.
      return canCut(first, second) && !mine.reductions[loop] && !progress.plain && canFuse(mine);
    case StepType::kTile:
      return canCut(first, second);
    case StepType::kPack:
      return canPack(first);
    case StepType::kDecompose:
      return mine.windowed() && progress.pointed == 0 && !progress.decomposed && !progress.vectorized &&
             std::ranges::all_of(mine.row_loops, [&](std::size_t row) { return progress.tile[row] == 1; });
    case StepType::kVectorize:
      return canVectorize(step);
    case StepType::kUnroll: {
      const auto [rows, columns, depth] = progress.registers;
      return progress.vectorized && progress.unrolled == 1 && first > 1 && progress.trip % first == 0 &&
             rows * columns * depth * first <= kMostUnrolled;
    }
    case StepType::kStop:
    case StepType::kGreedy:
    case StepType::kFair:
      break;
  }
  return true;
}

void Schedule::pack(std::size_t input) {
  Progress& progress = progress_[*current()];
  double elements = progress.around;
  for (const std::int64_t size : progress.input_dims[input]) elements *= static_cast<double>(size);
  progress.copied += elements;
  progress.packed.push_back(input);
  // Fusion would go on into the copy.
  progress.plain = true;
}

void Schedule::cut(std::size_t operation, std::size_t loop, std::int64_t size) {
  cutLoop(kernel_->operations[operation], progress_[operation], loop, size);
}

// Their outputs are what the consumer's piece reads; what they reduce stays whole.
void Schedule::pullProducers(std::size_t consumer, double around) {
  const Operation& reader = kernel_->operations[consumer];
  const auto pull = [&](std::size_t producer, const std::vector<std::int64_t>& dims) {
    const Operation& maker = kernel_->operations[producer];
    for (std::size_t dim = 0; dim < maker.output.rows.size(); ++dim) {
      for (std::size_t loop = 0; loop < maker.loops(); ++loop) {
        if (maker.output.rows[dim][loop] != 0 && progress_[producer].tile[loop] != dims[dim])
          cut(producer, loop, dims[dim]);
      }
    }
    progress_[producer].inside = true;
    progress_[producer].around = around;
    pullProducers(producer, around);
  };
  for (std::size_t input = 0; input < reader.inputs.size(); ++input) {
    if (reader.inputs[input].producer)
      pull(*reader.inputs[input].producer, progress_[consumer].input_dims[input]);
  }
  if (!reader.output.producer) return;
  std::vector<std::int64_t> dims;
  for (const std::vector<std::int64_t>& row : reader.output.rows)
    dims.push_back(span(row, progress_[consumer].tile));
  pull(*reader.output.producer, dims);
}

Progress Schedule::vectorized(const Step& step) const {
  const std::vector<std::int64_t> wanted = registerTile(operation(), step);
  Progress progress = progress_[*current()];
  progress.whole = progress.tile;
  // Loops that reduce are cut last, so the innermost loop is one of them where there are any.
  for (const bool reduces : {false, true}) {
    for (const std::size_t loop : progress.order) {
      if (operation().reductions[loop] != reduces || progress.tile[loop] == wanted[loop]) continue;
      // One turn and an edge are no loop.
      if (const std::int64_t turns = progress.tile[loop] / wanted[loop]; turns > 1) progress.trip = turns;
      cutLoop(operation(), progress, loop, wanted[loop]);
    }
  }
  progress.decomposed = operation().windowed();
  progress.vectorized = true;
  progress.registers = step.numbers;
  return progress;
}

void Schedule::finishFairly() {
  for (; left_ > 0; --left_) {
    Progress& progress = progress_[left_ - 1];
    const Operation& mine = operation();
    if (!mine.schedulable || progress.tilings > 0 || progress.decomposed || progress.vectorized) continue;
    progress.order = fairOrder(mine);
    progress.pointed = mine.loops();
  }
}

void Schedule::finishGreedily() {
  while (current()) {
    std::optional<Step> best;
    double least = cost(*this, *current());
    for (const Step& step : allSteps()) {
      if (step.type != StepType::kVectorize || !legal(step)) continue;
      if (const double cycles = cost(operation(), vectorized(step)); cycles < least) {
        least = cycles;
        best = step;
      }
    }
    if (best) apply(*best);
    apply({StepType::kStop, {}});
  }
}

bool Schedule::apply(const Step& step) {
  if (!legal(step)) return false;
  if (step.type == StepType::kGreedy) {
    finishGreedily();
    return true;
  }
  steps_.push_back(step);
  if (step.type == StepType::kFair) {
    finishFairly();
    return true;
  }
  if (step.type == StepType::kStop) {
    --left_;
    return true;
  }
  const std::size_t mine = *current();
  Progress& progress = progress_[mine];
  const auto loop = static_cast<std::size_t>(step.numbers[0]);
  switch (step.type) {
    case StepType::kInterchange: {
      const auto place = progress.order.begin() + static_cast<std::ptrdiff_t>(progress.pointed++);
      const auto chosen = std::find(place, progress.order.end(), loop);
      std::rotate(place, chosen, chosen + 1);
      break;
    }
    case StepType::kParallel:
    case StepType::kFuse:
    case StepType::kTile:
      ++progress.tilings;
      cut(mine, loop, step.numbers[1]);
      progress.parallel = progress.parallel || step.type == StepType::kParallel;
      progress.plain = progress.plain || step.type != StepType::kFuse;
      if (step.type == StepType::kFuse) pullProducers(mine, progress.around);
      break;
    case StepType::kPack:
      pack(loop);
      break;
    case StepType::kDecompose:
      progress.decomposed = true;
      break;
    case StepType::kVectorize:
      progress = vectorized(step);
      break;
    case StepType::kUnroll:
      progress.unrolled = step.numbers[0];
      break;
    case StepType::kStop:
    case StepType::kGreedy:
    case StepType::kFair:
      break;
  }
  return true;
}

std::vector<std::int64_t> registerTile(const Operation& operation, const Step& step) {
  std::vector<std::int64_t> tile(operation.loops(), 1);
  const std::array loops = {rowLoop(operation), columnLoop(operation), depthLoop(operation)};
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (loops[i]) tile[*loops[i]] = step.numbers[i];
  }
  return tile;
}

std::vector<std::size_t> fairOrder(const Operation& operation) {
  // Innermost is what walks through memory without jumps, and rather what is not summed up.
  std::size_t innermost = 0;
  int best = -1;
  for (std::size_t loop = 0; loop < operation.loops(); ++loop) {
    int score = operation.reductions[loop] ? 0 : 1;
    const auto rate = [&](const Access& access) {
      const bool used = std::ranges::any_of(access.rows, [&](const auto& row) { return row[loop] != 0; });
      if (!used)
        score += 2;
      else if (access.rows.back()[loop] == 1)
        score += 4;
    };
    std::ranges::for_each(operation.inputs, rate);
    rate(operation.output);
    if (score >= best) {
      best = score;
      innermost = loop;
    }
  }
  std::vector<std::size_t> order;
  for (const bool reduces : {false, true}) {
    for (std::size_t loop = 0; loop < operation.loops(); ++loop) {
      if (operation.reductions[loop] == reduces && loop != innermost) order.push_back(loop);
    }
  }
  if (operation.loops() > 0) order.push_back(innermost);
  return order;
}

bool applicable(const Kernel& kernel, const Step& step) {
  const auto [first, second, third] = step.numbers;
  const auto fits = [](const Operation& operation, std::optional<std::size_t> loop, std::int64_t size) {
    return loop ? operation.extents[*loop] >= size : size == 1;
  };
  for (const Operation& operation : kernel.operations) {
    if (!operation.schedulable) continue;
    const auto loop = static_cast<std::size_t>(first);
    switch (step.type) {
      case StepType::kInterchange:
        if (loop < operation.loops() && operation.loops() > 1) return true;
        break;
      case StepType::kParallel:
      case StepType::kFuse:
      case StepType::kTile: {
        const bool any = step.type == StepType::kTile;
        if (loop < operation.loops() && second < operation.extents[loop] &&
            (any || !operation.reductions[loop]) && operation.extents[loop] % second == 0)
          return true;
        break;
      }
      case StepType::kPack:
        if (operation.kind == Kind::kContraction && loop < operation.inputs.size()) return true;
        break;
      case StepType::kDecompose:
        if (operation.windowed()) return true;
        break;
      case StepType::kVectorize:
        if (operation.vectorizable && fits(operation, rowLoop(operation), first) &&
            fits(operation, columnLoop(operation), second) && fits(operation, depthLoop(operation), third) &&
            (third == 1 || operation.extents[*depthLoop(operation)] % third == 0))
          return true;
        break;
      case StepType::kUnroll:
        if (operation.vectorizable) return true;
        break;
      case StepType::kStop:
      case StepType::kGreedy:
      case StepType::kFair:
        return true;
    }
  }
  return false;
}

}  // namespace ordo::model
