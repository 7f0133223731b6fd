#include "mlir/lowering/across.h"

#include <mlir/Dialect/Vector/IR/VectorOps.h>
#include <mlir/IR/Builders.h>
#include <mlir/IR/BuiltinOps.h>

#include <algorithm>

#include "mlir/model/limits.h"

namespace ordo::lowering {
namespace {

namespace vector = mlir::vector;

// Only the last of several dimensions, and worth a register.
bool isAcross(vector::MultiDimReductionOp reduction) {
  const mlir::VectorType type = reduction.getSourceVectorType();
  const llvm::SmallVector<bool> reduced = reduction.getReductionMask();
  return type.getRank() > 1 && !type.isScalable() && std::ranges::count(reduced, true) == 1 &&
         reduced.back() && type.getShape().back() >= model::registers().lanes;
}

// What a row comes to, and what it is added to.
mlir::Value reduceRow(mlir::OpBuilder& builder, mlir::Location place, vector::CombiningKind kind,
                      mlir::Value row, mlir::Value to) {
  const std::int64_t length = llvm::cast<mlir::VectorType>(row.getType()).getShape().back();
  mlir::Value sum;
  std::int64_t at = 0;
  for (; at + model::registers().lanes <= length; at += model::registers().lanes) {
    const mlir::Value part = vector::ExtractStridedSliceOp::create(builder, place, row, at,
                                                                   model::registers().lanes, std::int64_t{1});
    sum = sum ? vector::makeArithReduction(builder, place, kind, sum, part) : part;
  }
  mlir::Value result = vector::ReductionOp::create(builder, place, kind, sum, to);
  if (at == length) return result;
  const mlir::Value rest =
      vector::ExtractStridedSliceOp::create(builder, place, row, at, length - at, std::int64_t{1});
  return vector::ReductionOp::create(builder, place, kind, rest, result);
}

}  // namespace

void reduceAcross(mlir::ModuleOp module) {
  llvm::SmallVector<vector::MultiDimReductionOp> reductions;
  module.walk([&](vector::MultiDimReductionOp reduction) {
    if (isAcross(reduction)) reductions.push_back(reduction);
  });
  for (vector::MultiDimReductionOp reduction : reductions) {
    mlir::OpBuilder builder(reduction);
    const mlir::Location place = reduction.getLoc();
    const llvm::ArrayRef<std::int64_t> shape = reduction.getSourceVectorType().getShape().drop_back();
    mlir::Value result = reduction.getAcc();
    // Places in all dimensions but the last, as an odometer.
    llvm::SmallVector<std::int64_t> at(shape.size(), 0);
    for (bool more = true; more;) {
      const mlir::Value row = vector::ExtractOp::create(builder, place, reduction.getSource(), at);
      const mlir::Value before = vector::ExtractOp::create(builder, place, reduction.getAcc(), at);
      const mlir::Value sum = reduceRow(builder, place, reduction.getKind(), row, before);
      result = vector::InsertOp::create(builder, place, sum, result, at);
      std::size_t dim = at.size();
      while (dim > 0 && ++at[dim - 1] == shape[dim - 1]) at[--dim] = 0;
      more = dim > 0;
    }
    reduction.replaceAllUsesWith(result);
    reduction.erase();
  }
}

}  // namespace ordo::lowering
