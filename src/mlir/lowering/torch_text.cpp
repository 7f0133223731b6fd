// Operations are written in their order, one line each. What an operation of linalg does to each point is an
// expression of whole tensors, whose dimensions are its loops.
#include "mlir/lowering/torch_text.h"

#include <fmt/ranges.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/Linalg/IR/LinalgInterfaces.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/Tensor/IR/Tensor.h>

#include <optional>

#include "mlir/lowering/context.h"

namespace ordo::lowering {
namespace {

using mlir::linalg::LinalgOp;

std::string typeOf(mlir::Type type) { return type.isF64() ? "k.torch.float64" : "k.torch.float32"; }

std::string shapeOf(mlir::Value value) {
  const auto type = llvm::cast<mlir::RankedTensorType>(value.getType());
  std::string text = "(";
  for (const std::int64_t size : type.getShape()) text += fmt::format("{}, ", size);
  return text + ")";
}

std::optional<std::string> number(mlir::Attribute attribute) {
  const auto value = llvm::dyn_cast<mlir::FloatAttr>(attribute);
  if (!value) return std::nullopt;
  const double number = value.getValueAsDouble();
  if (std::isinf(number)) return number > 0 ? "k.torch.inf" : "-k.torch.inf";
  return fmt::format("{}", number);
}

// How PyTorch writes an operation on points, with {0}, {1}, … for what it works on; "" if it has no word.
std::string_view wordOf(mlir::Operation& operation) {
  static const llvm::StringMap<std::string_view> words = {
      {"arith.addf", "({} + {})"},
      {"arith.subf", "({} - {})"},
      {"arith.mulf", "({} * {})"},
      {"arith.divf", "({} / {})"},
      {"arith.negf", "(-{})"},
      {"arith.maximumf", "k.maximum({}, {})"},
      {"arith.maxnumf", "k.maximum({}, {})"},
      {"arith.minimumf", "k.minimum({}, {})"},
      {"arith.minnumf", "k.minimum({}, {})"},
      {"arith.select", "k.where({}, {}, {})"},
      {"math.exp", "k.torch.exp({})"},
      {"math.sqrt", "k.torch.sqrt({})"},
      {"math.rsqrt", "k.torch.rsqrt({})"},
      {"math.tanh", "k.torch.tanh({})"},
      {"math.erf", "k.torch.erf({})"},
      {"math.log", "k.torch.log({})"},
      {"math.absf", "k.torch.abs({})"},
      {"math.powf", "k.torch.pow({}, {})"},
  };
  const auto found = words.find(operation.getName().getStringRef());
  return found == words.end() ? "" : found->second;
}

std::string fill(std::string_view pattern, const std::vector<std::string>& operands) {
  std::string text;
  std::size_t next = 0;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern.substr(at, 2) != "{}") {
      text += pattern[at];
      continue;
    }
    text += operands[next++];
    ++at;
  }
  return text;
}

// "ac" for what is indexed by the loops 0 and 2; nothing if it is more than that.
std::optional<std::string> letters(mlir::AffineMap map) {
  std::string text;
  for (const mlir::AffineExpr expression : map.getResults()) {
    const auto loop = llvm::dyn_cast<mlir::AffineDimExpr>(expression);
    if (!loop || loop.getPosition() >= 26) return std::nullopt;
    text += static_cast<char>('a' + loop.getPosition());
  }
  return text;
}

class Writer {
 public:
  Result<std::string> write(mlir::func::FuncOp function) {
    std::vector<std::string> parameters = {"k"};
    for (const mlir::Value argument : function.getArguments())
      parameters.push_back(names_[argument] = fmt::format("in{}", parameters.size() - 1));
    text_ = fmt::format("def kernel({}):\n", fmt::join(parameters, ", "));
    for (mlir::Operation& operation : function.getBody().front().without_terminator()) {
      std::optional<std::string> value = valueOf(operation);
      if (!value)
        return fail(ErrorCode::kUnsupported, "PyTorch is not told about {}",
                    operation.getName().getStringRef().str());
      // Numbers stand where they are used.
      if (llvm::isa<mlir::FloatType>(operation.getResult(0).getType())) {
        names_[operation.getResult(0)] = *value;
        continue;
      }
      const std::string name = fmt::format("v{}", values_++);
      text_ += fmt::format("    {} = {}\n", name, *value);
      names_[operation.getResult(0)] = name;
    }
    std::string results;
    for (const mlir::Value result : function.getBody().front().getTerminator()->getOperands())
      results += names_[result] + ", ";
    return text_ + fmt::format("    return ({})\n", results);
  }

 private:
  std::optional<std::string> valueOf(mlir::Operation& operation) {
    if (operation.getNumResults() != 1) return std::nullopt;
    if (auto constant = llvm::dyn_cast<mlir::arith::ConstantOp>(operation)) {
      if (const auto dense = llvm::dyn_cast<mlir::DenseFPElementsAttr>(constant.getValue())) {
        if (!dense.isSplat()) return std::nullopt;
        return full(operation.getResult(0), *number(dense.getSplatValue<mlir::Attribute>()));
      }
      return number(constant.getValue());
    }
    if (llvm::isa<mlir::tensor::EmptyOp>(operation)) return "None";
    if (llvm::isa<mlir::tensor::ExpandShapeOp, mlir::tensor::CollapseShapeOp>(operation))
      return fmt::format("k.tensor({}).reshape({})", names_[operation.getOperand(0)],
                         shapeOf(operation.getResult(0)));
    if (auto made = llvm::dyn_cast<mlir::linalg::FillOp>(operation))
      return full(operation.getResult(0), names_[made.getInputs().front()]);
    auto linalg = llvm::dyn_cast<LinalgOp>(operation);
    if (!linalg || linalg.getNumDpsInits() != 1) return std::nullopt;
    if (mlir::linalg::isaContractionOpInterface(linalg)) return contraction(linalg);
    if (std::optional<std::string> window = windowed(linalg)) return window;
    return points(linalg);
  }

  std::string full(mlir::Value like, const std::string& value) {
    return fmt::format("k.full({}, {}, {})", shapeOf(like), value,
                       typeOf(llvm::cast<mlir::RankedTensorType>(like.getType()).getElementType()));
  }

  std::optional<std::string> contraction(LinalgOp operation) {
    std::vector<std::string> indices;
    for (const mlir::AffineMap map : operation.getIndexingMapsArray()) {
      const std::optional<std::string> loops = letters(map);
      if (!loops) return std::nullopt;
      indices.push_back(*loops);
    }
    // A product and a sum, and nothing else.
    if (indices.size() != 3 || std::distance(operation.getBlock()->begin(), operation.getBlock()->end()) != 3)
      return std::nullopt;
    return fmt::format("k.contract(\"{},{}->{}\", {}, {}, {})", indices[0], indices[1], indices[2],
                       names_[operation->getOperand(0)], names_[operation->getOperand(1)],
                       names_[operation->getOperand(2)]);
  }

  std::optional<std::string> windowed(LinalgOp operation) {
    static const llvm::StringMap<std::string_view> words = {
        {"linalg.conv_2d_nhwc_hwcf", "k.conv2d(\"nhwc\", \"hwcf\""},
        {"linalg.conv_2d_nchw_fchw", "k.conv2d(\"nchw\", \"fchw\""},
        {"linalg.depthwise_conv_2d_nhwc_hwc", "k.conv2d(\"nhwc\", \"hwc\""},
        {"linalg.depthwise_conv_2d_nchw_chw", "k.conv2d(\"nchw\", \"chw\""},
        {"linalg.pooling_nhwc_max", "k.pool(\"nhwc\", \"max\""},
        {"linalg.pooling_nhwc_sum", "k.pool(\"nhwc\", \"sum\""},
        {"linalg.pooling_nchw_max", "k.pool(\"nchw\", \"max\""},
        {"linalg.pooling_nchw_sum", "k.pool(\"nchw\", \"sum\""},
    };
    const auto found = words.find(operation->getName().getStringRef());
    if (found == words.end()) return std::nullopt;
    const auto pair = [&](llvm::StringRef name) {
      const auto numbers = operation->getAttrOfType<mlir::DenseIntElementsAttr>(name);
      std::vector<std::int64_t> values = {1, 1};
      for (std::size_t i = 0; numbers && i < 2; ++i)
        values[i] = numbers.getValues<llvm::APInt>()[i].getSExtValue();
      return fmt::format("({}, {})", values[0], values[1]);
    };
    // Of a window that only is there for its size, the size.
    const mlir::Value window = operation->getOperand(1);
    const bool pools = found->second.starts_with("k.pool");
    return fmt::format("{}, {}, {}, {}, {}, {})", found->second, names_[operation->getOperand(0)],
                       pools ? shapeOf(window) : names_[window], names_[operation->getOperand(2)],
                       pair("strides"), pair("dilations"));
  }

  // The body's values as tensors with one dimension for each loop; what is summed up behind that.
  std::optional<std::string> points(LinalgOp operation) {
    mlir::Block& body = *operation.getBlock();
    llvm::DenseMap<mlir::Value, std::string> terms;
    for (mlir::OpOperand& operand : operation->getOpOperands()) {
      const mlir::BlockArgument argument = body.getArgument(operand.getOperandNumber());
      if (!llvm::isa<mlir::ShapedType>(operand.get().getType())) {
        terms[argument] = names_[operand.get()];
        continue;
      }
      const std::optional<std::string> loops = letters(operation.getMatchingIndexingMap(&operand));
      if (!loops) return std::nullopt;
      terms[argument] =
          fmt::format("k.align({}, \"{}\", {})", names_[operand.get()], *loops, operation.getNumLoops());
    }
    const mlir::Value sum = body.getArguments().back();
    mlir::Value result = body.getTerminator()->getOperand(0);
    // The combination with what was summed up so far is the reduction's own.
    std::string how;
    if (operation.getNumReductionLoops() > 0) {
      mlir::Operation* const last = result.getDefiningOp();
      if (last == nullptr || last->getNumOperands() != 2) return std::nullopt;
      how = llvm::StringSwitch<std::string>(last->getName().getStringRef())
                .Case("arith.addf", "sum")
                .Cases({"arith.maximumf", "arith.maxnumf"}, "max")
                .Cases({"arith.minimumf", "arith.minnumf"}, "min")
                .Default("");
      const bool second = last->getOperand(1) == sum;
      if (how.empty() || (!second && last->getOperand(0) != sum)) return std::nullopt;
      result = last->getOperand(second ? 0 : 1);
      if (result == sum || !sum.hasOneUse()) return std::nullopt;
    }
    const std::optional<std::string> value = term(result, terms);
    const std::optional<std::string> wanted =
        letters(operation.getMatchingIndexingMap(operation.getDpsInitOperand(0)));
    if (!value || !wanted) return std::nullopt;
    std::string sizes = "(";
    for (const std::int64_t size : operation.getStaticLoopRanges()) sizes += fmt::format("{}, ", size);
    return fmt::format("k.points({}, {}), \"{}\", \"{}\", {})", *value, sizes, *wanted, how,
                       how.empty() ? "None" : names_[operation.getDpsInitOperand(0)->get()]);
  }

  std::optional<std::string> term(mlir::Value value, llvm::DenseMap<mlir::Value, std::string>& terms) {
    if (const auto known = terms.find(value); known != terms.end()) return known->second;
    mlir::Operation* const maker = value.getDefiningOp();
    if (maker == nullptr) return std::nullopt;
    if (const auto outside = names_.find(value); outside != names_.end()) return outside->second;
    if (auto constant = llvm::dyn_cast<mlir::arith::ConstantOp>(maker)) {
      const std::optional<std::string> digits = number(constant.getValue());
      return digits;
    }
    std::vector<std::string> operands;
    for (const mlir::Value operand : maker->getOperands()) {
      std::optional<std::string> text = term(operand, terms);
      if (!text) return std::nullopt;
      operands.push_back(*std::move(text));
    }
    std::string_view word = wordOf(*maker);
    if (auto compare = llvm::dyn_cast<mlir::arith::CmpFOp>(maker)) {
      using enum mlir::arith::CmpFPredicate;
      switch (compare.getPredicate()) {
        case OGT:
        case UGT:
          word = "({} > {})";
          break;
        case OLT:
        case ULT:
          word = "({} < {})";
          break;
        case OGE:
        case UGE:
          word = "({} >= {})";
          break;
        case OLE:
        case ULE:
          word = "({} <= {})";
          break;
        default:
          return std::nullopt;
      }
    }
    if (word.empty()) return std::nullopt;
    // What is used twice is computed once.
    const std::string name = fmt::format("t{}", values_++);
    text_ += fmt::format("    {} = {}\n", name, fill(word, operands));
    return terms[value] = name;
  }

  llvm::DenseMap<mlir::Value, std::string> names_;
  std::string text_;
  unsigned values_ = 0;
};

}  // namespace

Result<std::string> torchText(Workshop& workshop, const Payload& payload) {
  return withContext(workshop, payload.text, [&](Workshop::Context& context) -> Result<std::string> {
    ORDO_TRY_ASSIGN(mlir::OwningOpRef<mlir::ModuleOp> module, parse(context, payload.name, payload.text));
    ORDO_TRY(takeApart(context, *module, payload.name));
    return Writer().write(*module->getOps<mlir::func::FuncOp>().begin());
  });
}

}  // namespace ordo::lowering
