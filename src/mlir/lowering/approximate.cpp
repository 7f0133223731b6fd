#include "mlir/lowering/approximate.h"

#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/Math/Transforms/Passes.h>
#include <mlir/Dialect/Vector/IR/VectorOps.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/Transforms/GreedyPatternRewriteDriver.h>

#include <algorithm>
#include <array>

namespace ordo::lowering {
namespace {

// sin and cos are not among them: far from nought their polynomials are wrong.
const std::array kApproximated = {
    mlir::math::ExpOp::getOperationName(),  mlir::math::ExpM1Op::getOperationName(),
    mlir::math::LogOp::getOperationName(),  mlir::math::Log1pOp::getOperationName(),
    mlir::math::TanhOp::getOperationName(), mlir::math::ErfOp::getOperationName(),
};

}  // namespace

Status approximateFunctions(mlir::ModuleOp module) {
  mlir::MLIRContext& context = *module.getContext();
  context.loadDialect<mlir::math::MathDialect, mlir::vector::VectorDialect>();
  mlir::RewritePatternSet patterns(&context);
  mlir::populateMathPolynomialApproximationPatterns(patterns, [](llvm::StringRef name) {
    return std::ranges::find(kApproximated, name) != kApproximated.end();
  });
  if (mlir::failed(mlir::applyPatternsGreedily(module, std::move(patterns))))
    return fail(ErrorCode::kInternal, "functions of mathematics do not become polynomials");
  return {};
}

}  // namespace ordo::lowering
