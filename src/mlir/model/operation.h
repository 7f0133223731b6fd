// What a schedule has to know of a kernel: its operations of linalg in the order in which they compute, as
// loops and affine accesses. Made from MLIR by mlir/lowering; everything here is plain data, so that what may
// be chosen is decided without MLIR.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ordo::model {

enum class Kind : std::uint8_t { kFill, kElementwise, kContraction, kReduction, kConvolution, kOther };

// "fill", "contraction", ...
const char* name(Kind kind);

// One tensor that an operation reads or writes. Dimension d of it is indexed by the sum over all loops of
// rows[d][loop] times the loop's counter.
struct Access {
  std::vector<std::vector<std::int64_t>> rows;
  std::vector<std::int64_t> dims;       // of the whole tensor
  std::optional<std::size_t> producer;  // the operation that makes it; nothing for arguments and the like
  std::int64_t bytes = 4;               // from one element to the next
};

struct Operation {
  std::string name;  // "linalg.matmul"
  Kind kind = Kind::kOther;
  std::vector<std::int64_t> extents;  // of its loops
  std::vector<bool> reductions;       // which of them reduce
  std::vector<Access> inputs;
  Access output;     // read, too, by what accumulates
  double flops = 0;  // per iteration
  // One result of a type we run, accesses that are sums of loops: without that nothing is done to it.
  bool schedulable = false;
  bool vectorizable = false;  // once its tile is small enough
  // A two-dimensional window that linalg can make one of one dimension once these loops (a row of the output
  // and a row of the window) count to 1. Empty for all others.
  std::vector<std::size_t> row_loops = {};
  std::size_t uses = 0;  // of its result, by anything

  std::size_t loops() const { return extents.size(); }
  bool windowed() const { return !row_loops.empty(); }
};

struct Kernel {
  std::string function;  // its name
  std::vector<Operation> operations;
  // Some of them stand in its text as one, a softmax, which schedules take apart first.
  bool aggregates = false;
};

// The loop that walks the output's last dimension, and the one before that lies next to it: what the
// columns and rows of a register tile are taken from. Nothing where there is none.
std::optional<std::size_t> columnLoop(const Operation& operation);
std::optional<std::size_t> rowLoop(const Operation& operation);
// The last loop that reduces.
std::optional<std::size_t> depthLoop(const Operation& operation);
// Whether it sums up what lies side by side, as a row of a matrix: then vectors lie along the last loop that
// reduces, and what is in them is summed up across in the end.
bool sumsAcross(const Operation& operation);

}  // namespace ordo::model
