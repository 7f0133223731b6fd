// Reads what a schedule needs to know off linalg's own interface: loops, maps, and what the body does.
#include "mlir/lowering/payload.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/Linalg/IR/LinalgInterfaces.h>
#include <mlir/Dialect/Linalg/Transforms/Transforms.h>
#include <mlir/Dialect/Linalg/Utils/Utils.h>
#include <mlir/IR/DialectResourceBlobManager.h>

#include "mlir/lowering/context.h"
#include "mlir/lowering/element.h"
#include "mlir/lowering/symbol.h"

namespace ordo::lowering {
namespace {

// Adds `expression` times `factor` to the steps of the loops. False if it is more than a sum of loops.
bool addSteps(mlir::AffineExpr expression, std::int64_t factor, std::vector<std::int64_t>& steps) {
  if (const auto loop = llvm::dyn_cast<mlir::AffineDimExpr>(expression)) {
    steps[loop.getPosition()] += factor;
    return true;
  }
  const auto pair = llvm::dyn_cast<mlir::AffineBinaryOpExpr>(expression);
  if (!pair) return false;
  if (expression.getKind() == mlir::AffineExprKind::Add)
    return addSteps(pair.getLHS(), factor, steps) && addSteps(pair.getRHS(), factor, steps);
  const auto number = llvm::dyn_cast<mlir::AffineConstantExpr>(pair.getRHS());
  return expression.getKind() == mlir::AffineExprKind::Mul && number && number.getValue() > 0 &&
         addSteps(pair.getLHS(), factor * number.getValue(), steps);
}

bool isFloatTensor(mlir::Type type) {
  const auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() &&
         (tensor.getElementType().isF32() || tensor.getElementType().isF64());
}

Tensor tensorOf(mlir::Type type) {
  const auto tensor = llvm::cast<mlir::RankedTensorType>(type);
  return {{tensor.getShape().begin(), tensor.getShape().end()}, *elementBytes(tensor.getElementType())};
}

// The loops of a row of the output and of a row of the window, of what linalg can decompose.
std::vector<std::size_t> rowLoops(mlir::Operation* operation) {
  using namespace mlir::linalg;
  if (llvm::isa<Conv2DNhwcHwcfOp, PoolingNhwcSumOp, PoolingNhwcMaxOp, PoolingNhwcMinOp,
                DepthwiseConv2DNhwcHwcOp>(operation))
    return {1, 4};
  if (llvm::isa<Conv2DNchwFchwOp>(operation)) return {2, 5};
  if (llvm::isa<PoolingNchwSumOp, PoolingNchwMaxOp>(operation)) return {2, 4};
  return {};
}

model::Kind kindOf(mlir::linalg::LinalgOp operation) {
  if (llvm::isa<mlir::linalg::FillOp>(operation)) return model::Kind::kFill;
  if (mlir::linalg::isaContractionOpInterface(operation)) return model::Kind::kContraction;
  if (mlir::linalg::isaConvolutionOpInterface(operation)) return model::Kind::kConvolution;
  if (mlir::linalg::isElementwise(operation)) return model::Kind::kElementwise;
  return operation.getNumReductionLoops() > 0 ? model::Kind::kReduction : model::Kind::kOther;
}

using Numbers = llvm::DenseMap<mlir::Operation*, std::size_t>;

// Nothing if it is no sum of loops, or no tensor of ours.
std::optional<model::Access> accessOf(mlir::linalg::LinalgOp operation, mlir::OpOperand& operand,
                                      const Numbers& numbers) {
  if (!isFloatTensor(operand.get().getType())) return std::nullopt;
  model::Access access;
  const Tensor tensor = tensorOf(operand.get().getType());
  access.dims = tensor.shape;
  access.bytes = tensor.bytes;
  for (const mlir::AffineExpr expression : operation.getMatchingIndexingMap(&operand).getResults()) {
    if (!addSteps(expression, 1, access.rows.emplace_back(operation.getNumLoops()))) return std::nullopt;
  }
  if (const auto maker = numbers.find(operand.get().getDefiningOp()); maker != numbers.end())
    access.producer = maker->second;
  return access;
}

// Whether each dimension of the output is a loop of its own that does not reduce, and each such loop is one.
bool isPermutation(const model::Operation& operation) {
  std::vector<int> seen(operation.loops());
  for (const std::vector<std::int64_t>& row : operation.output.rows) {
    std::size_t loops = 0;
    for (std::size_t loop = 0; loop < row.size(); ++loop) {
      if (row[loop] == 0) continue;
      ++loops;
      if (row[loop] != 1 || operation.reductions[loop] || ++seen[loop] > 1) return false;
    }
    if (loops != 1) return false;
  }
  for (std::size_t loop = 0; loop < seen.size(); ++loop) {
    if (!operation.reductions[loop] && seen[loop] == 0) return false;
  }
  return true;
}

model::Operation describe(mlir::linalg::LinalgOp operation, const Numbers& numbers) {
  model::Operation made;
  made.name = operation->getName().getStringRef().str();
  made.kind = kindOf(operation);
  for (const std::int64_t extent : operation.getStaticLoopRanges()) made.extents.push_back(extent);
  for (const mlir::utils::IteratorType type : operation.getIteratorTypesArray())
    made.reductions.push_back(type == mlir::utils::IteratorType::reduction);
  for (mlir::Operation& inner : operation.getBlock()->without_terminator()) {
    if (!llvm::isa<mlir::arith::ConstantOp>(inner)) ++made.flops;
  }
  if (operation->getNumResults() != 1 || operation.getNumDpsInits() != 1) return made;
  made.uses = static_cast<std::size_t>(std::distance(operation->use_begin(), operation->use_end()));
  bool plain = llvm::isa<mlir::func::FuncOp>(operation->getParentOp()) && made.loops() > 0 &&
               std::ranges::all_of(made.extents, [](std::int64_t extent) { return extent > 0; });
  for (mlir::OpOperand& operand : operation->getOpOperands()) {
    if (!llvm::isa<mlir::ShapedType>(operand.get().getType())) continue;
    std::optional<model::Access> access = accessOf(operation, operand, numbers);
    if (!access) {
      plain = false;
    } else if (operation.isDpsInit(&operand)) {
      made.output = *std::move(access);
    } else {
      made.inputs.push_back(*std::move(access));
    }
  }
  made.schedulable = plain && isPermutation(made);
  if (!made.schedulable) return made;
  made.row_loops = rowLoops(operation);
  made.vectorizable =
      !made.output.rows.empty() &&
      (made.windowed() || (made.kind != model::Kind::kConvolution &&
                           mlir::succeeded(mlir::linalg::vectorizeOpPrecondition(operation))));
  return made;
}

// Sums, products and comparisons of small integers are the same in every order.
bool isExact(mlir::func::FuncOp function) {
  bool exact = true;
  function.walk([&](mlir::Operation* operation) {
    if (auto constant = llvm::dyn_cast<mlir::arith::ConstantOp>(operation)) {
      const auto number = llvm::dyn_cast<mlir::FloatAttr>(constant.getValue());
      exact = exact && (!number || number.getValue().isInteger() || number.getValue().isInfinity() ||
                        llvm::abs(number.getValue()).isLargest());
      exact = exact && !llvm::isa<mlir::ElementsAttr>(constant.getValue());
    } else if (llvm::isa<mlir::arith::DivFOp, mlir::arith::TruncFOp>(operation) ||
               operation->getDialect()->getNamespace() == "math") {
      exact = false;
    }
  });
  return exact;
}

// The greatest of many of five numbers is the same everywhere, and so would be that of the wrong ones.
void chooseInputs(mlir::func::FuncOp function, Payload& payload) {
  bool selects = false, multiplies = false;
  function.walk([&](mlir::linalg::LinalgOp operation) {
    if (operation.getNumReductionLoops() == 0) return;
    operation.getBlock()->walk([&](mlir::Operation* inner) {
      selects = selects || llvm::isa<mlir::arith::MaximumFOp, mlir::arith::MinimumFOp, mlir::arith::MaxNumFOp,
                                     mlir::arith::MinNumFOp>(inner);
      multiplies = multiplies || llvm::isa<mlir::arith::MulFOp>(inner);
    });
  });
  payload.selects = selects;
  payload.largest_input = !selects ? 2 : multiplies ? 50 : 1000;
}

// Text from outside is run: nothing in it may reach beyond its tensors.
Status checkReach(mlir::ModuleOp module, std::string_view name) {
  constexpr std::array<llvm::StringLiteral, 9> kAllowed = {"arith", "math",   "linalg", "tensor", "scf",
                                                           "index", "affine", "ub",     "complex"};
  std::string other;
  module.walk([&](mlir::Operation* operation) {
    if (llvm::isa<mlir::ModuleOp, mlir::func::FuncOp, mlir::func::ReturnOp>(operation)) return;
    if (other.empty() && !llvm::is_contained(kAllowed, operation->getName().getDialectNamespace()))
      other = operation->getName().getStringRef().str();
  });
  if (other.empty()) return {};
  return fail(ErrorCode::kUnsupported,
              "{}: {} is none of what kernels are made of: arith, math, linalg, tensor, scf", name, other);
}

// What the file should have brought along: exporters leave large weights out where they are not told
// otherwise, and whoever wrote it may have cut them short.
Status checkWeights(mlir::ModuleOp module, std::string_view name) {
  std::string missing;
  module.walk([&](mlir::Operation* operation) {
    operation->getAttrDictionary().walk([&](mlir::DenseResourceElementsAttr weights) {
      const mlir::AsmResourceBlob* const blob = weights.getRawHandle().getBlob();
      const std::optional<std::int64_t> bytes = elementBytes(weights.getElementType());
      if (blob == nullptr || !bytes ||
          blob->getData().size() != static_cast<std::size_t>(*bytes * weights.getNumElements()))
        missing = weights.getRawHandle().getKey().str();
    });
  });
  if (missing.empty()) return {};
  return fail(ErrorCode::kUnsupported,
              "{}: the weights dense_resource<{}> are not whole in the file; export them without leaving any "
              "out (torch-mlir's enable_ir_printing and large_elements_limit leave them out)",
              name, missing);
}

// Of linalg's own operations, what is left when softmax was taken apart and is no loop nest, as linalg.pack.
Status checkLowered(mlir::func::FuncOp function, std::string_view name) {
  std::string other;
  function.walk([&](mlir::Operation* operation) {
    if (operation->getDialect() != nullptr && operation->getDialect()->getNamespace() == "linalg" &&
        !llvm::isa<mlir::linalg::LinalgOp, mlir::linalg::YieldOp, mlir::linalg::IndexOp>(operation))
      other = operation->getName().getStringRef().str();
  });
  if (other.empty()) return {};
  return fail(
      ErrorCode::kUnsupported,
      "{}: {} is no loop nest and is not lowered here; write it as linalg.generic or named operations", name,
      other);
}

Status checkSignature(mlir::func::FuncOp function, std::string_view name) {
  if (function.isExternal() || !llvm::hasSingleElement(function.getBody()))
    return fail(ErrorCode::kUnsupported, "{}: @{} should have one block", name, function.getName().str());
  if (function.getNumResults() == 0)
    return fail(ErrorCode::kUnsupported, "{}: @{} returns nothing; a kernel returns tensors", name,
                function.getName().str());
  const auto check = [&](mlir::TypeRange types) -> Status {
    for (const mlir::Type type : types) {
      if (isFloatTensor(type)) continue;
      std::string text;
      llvm::raw_string_ostream(text) << type;
      return fail(ErrorCode::kUnsupported,
                  "{}: @{} takes or returns {}; supported are tensors of f32 or f64 of static shapes", name,
                  function.getName().str(), text);
    }
    return {};
  };
  ORDO_TRY(check(function.getArgumentTypes()));
  return check(function.getResultTypes());
}

}  // namespace

std::size_t Tensor::elements() const {
  std::size_t product = 1;
  for (const std::int64_t size : shape) product *= static_cast<std::size_t>(size);
  return product;
}

Result<Payload> Workshop::read(std::string_view name, std::string_view text) {
  return withContext(*this, text, [&](Context& context) -> Result<Payload> {
    ORDO_TRY_ASSIGN(mlir::OwningOpRef<mlir::ModuleOp> module, parse(context, name, text));
    ORDO_TRY(checkReach(*module, name));
    const auto functions = llvm::to_vector(module->getOps<mlir::func::FuncOp>());
    if (functions.size() != 1)
      return fail(ErrorCode::kUnsupported, "{} has {} functions; a kernel is one", name, functions.size());
    mlir::func::FuncOp function = functions.front();
    ORDO_TRY(checkSignature(function, name));
    ORDO_TRY(checkWeights(*module, name));
    Payload payload;
    payload.name = name;
    payload.text = text;
    payload.kernel.function = function.getName().str();
    payload.symbol = symbolOf(payload.kernel.function);
    for (const mlir::Type type : function.getArgumentTypes()) payload.inputs.push_back(tensorOf(type));
    for (const mlir::Type type : function.getResultTypes()) payload.outputs.push_back(tensorOf(type));
    function.walk([&](mlir::linalg::AggregatedOpInterface) { payload.kernel.aggregates = true; });
    ORDO_TRY(takeApart(context, *module, name));
    ORDO_TRY(checkLowered(function, name));
    payload.exact = isExact(function);
    chooseInputs(function, payload);
    Numbers numbers;
    function.walk([&](mlir::linalg::LinalgOp operation) {
      payload.kernel.operations.push_back(describe(operation, numbers));
      numbers[operation] = payload.kernel.operations.size() - 1;
    });
    if (payload.kernel.operations.empty())
      return fail(ErrorCode::kUnsupported, "{}: @{} has no operation of linalg", name,
                  payload.kernel.function);
    return payload;
  });
}

}  // namespace ordo::lowering
