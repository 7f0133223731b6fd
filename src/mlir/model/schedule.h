// A schedule of a kernel as it is made, step by step: operations are dealt with from the last to the first,
// so that a consumer is in pieces before what it reads may be fused into them. Which steps are legal is
// decided here, from the model alone; what is legal MLIR can do, and its result computes the same
// (tests/unit/mlir/lowering/compile_test.cpp, `./ordo campaign schedules`).
//
// How that stays true: sizes divide what they cut, so no piece is smaller than the others, and what registers
// leave over at the edges is an operation of its own, of known size; what is fused has one reader and follows
// it whole; what is dealt out to threads is never summed up; vectors are of bounded size. Each rule stands
// beside what it rules out in schedule.cpp.
//
// A step that is not legal changes nothing.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mlir/model/operation.h"
#include "mlir/model/step.h"

namespace ordo::model {

// What became of one operation so far.
struct Progress {
  std::vector<std::int64_t> tile;                     // what is left of its loops' extents, innermost
  std::vector<std::vector<std::int64_t>> input_dims;  // of the pieces that it reads
  std::vector<std::size_t> order;                     // of its loops, from the outside
  std::size_t pointed = 0;                            // how many of them an interchange has put in place
  unsigned tilings = 0;                               // loops that steps put around it
  double around = 1;                                  // how often those loops, and its consumers', run it
  bool parallel = false;                              // one of them is dealt out to threads
  bool plain = false;                                 // one of them left the producers outside
  bool inside = false;                                // it was fused into its consumer
  std::vector<std::size_t> packed;                    // inputs
  double copied = 0;                                  // elements, for that, in one run
  bool decomposed = false;
  bool vectorized = false;
  std::array<std::int64_t, 3> registers = {1, 1, 1};  // rows, columns, depth of the vectors
  std::vector<std::int64_t> whole;                    // the tile that they were cut from
  std::int64_t trip = 1;                              // of the innermost loop around the vectors
  std::int64_t unrolled = 1;
};

class Schedule {
 public:
  explicit Schedule(std::shared_ptr<const Kernel> kernel);

  const Kernel& kernel() const { return *kernel_; }
  // The operation that steps are about; nothing once all are dealt with.
  std::optional<std::size_t> current() const;
  const Progress& progress(std::size_t operation) const { return progress_[operation]; }
  // Those that had an effect, in order; instead of `greedy`, what it took. Applied anew they lead here.
  const std::vector<Step>& steps() const { return steps_; }

  bool legal(const Step& step) const;
  // False, and nothing has changed, if it is not legal.
  bool apply(const Step& step);
  // What would become of the current operation, at a hundredth of what a copy of all costs.
  // REQUIRES: `step` fills registers, and is legal.
  Progress vectorized(const Step& step) const;

 private:
  const Operation& operation() const { return kernel_->operations[*current()]; }
  bool canCut(std::int64_t loop, std::int64_t size) const;
  bool canFuse(const Operation& consumer) const;
  bool canPack(std::int64_t input) const;
  bool canVectorize(const Step& step) const;
  void pack(std::size_t input);
  void cut(std::size_t operation, std::size_t loop, std::int64_t size);
  void pullProducers(std::size_t consumer, double around);
  void finishFairly();
  void finishGreedily();

  std::shared_ptr<const Kernel> kernel_;
  std::vector<Progress> progress_;
  std::vector<Step> steps_;
  std::size_t left_ = 0;  // operations that are not dealt with
};

// What the tile of each loop is once vectorized<rows,columns,depth> has cut it, in the loops' own order.
std::vector<std::int64_t> registerTile(const Operation& operation, const Step& step);

// The order of loops in which LLVM's own vectorizer does best.
std::vector<std::size_t> fairOrder(const Operation& operation);

// Whether a step may be legal in some state of a kernel: its sizes divide a loop that is there.
bool applicable(const Kernel& kernel, const Step& step);

}  // namespace ordo::model
