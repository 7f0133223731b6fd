#include "mlir/lowering/context.h"

#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h>
#include <mlir/InitAllDialects.h>
#include <mlir/InitAllExtensions.h>
#include <mlir/InitAllPasses.h>
#include <mlir/Parser/Parser.h>
#include <mlir/Target/LLVMIR/Dialect/All.h>

namespace ordo::lowering {
namespace {

mlir::DialectRegistry registry() {
  mlir::DialectRegistry all;
  mlir::registerAllDialects(all);
  mlir::registerAllExtensions(all);
  mlir::registerAllToLLVMIRTranslations(all);
  static const bool once = (mlir::registerAllPasses(), true);
  static_cast<void>(once);
  return all;
}

}  // namespace

// Without a pool of threads: workers are forked from who made it.
Workshop::Context::Context() : mlir(registry(), mlir::MLIRContext::Threading::DISABLED) {}

Workshop::Workshop() : context_(std::make_unique<Context>()) {}
Workshop::~Workshop() = default;

Complaints::Complaints(mlir::MLIRContext& context)
    : handler_(&context, [this](mlir::Diagnostic& diagnostic) {
        if (!text_.empty() || diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
          return mlir::success();
        llvm::raw_string_ostream out(text_);
        if (const auto place = llvm::dyn_cast<mlir::FileLineColLoc>(diagnostic.getLocation()))
          out << "line " << place.getLine() << ": ";
        out << diagnostic;
        for (const mlir::Diagnostic& note : diagnostic.getNotes()) out << "; " << note;
        std::replace(text_.begin(), text_.end(), '\n', ' ');
        return mlir::success();
      }) {}

Result<mlir::OwningOpRef<mlir::ModuleOp>> parse(Workshop::Context& context, std::string_view name,
                                                std::string_view text) {
  const Complaints complaints(context.mlir);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(text, &context.mlir);
  if (!module) return fail(ErrorCode::kCorrupt, "{} is no MLIR: {}", name, complaints.text());
  return module;
}

Status takeApart(Workshop::Context& context, mlir::ModuleOp module, std::string_view name) {
  const Complaints complaints(context.mlir);
  llvm::SmallVector<mlir::linalg::AggregatedOpInterface> found;
  module.walk([&](mlir::linalg::AggregatedOpInterface operation) { found.push_back(operation); });
  for (mlir::linalg::AggregatedOpInterface operation : found) {
    mlir::IRRewriter rewriter(operation);
    const auto parts = operation.decomposeOperation(rewriter);
    if (mlir::failed(parts))
      return fail(ErrorCode::kUnsupported, "{}: {} cannot be taken apart: {}", name,
                  operation->getName().getStringRef().str(), complaints.text());
    rewriter.replaceOp(operation, *parts);
  }
  return {};
}

void keepInputs(mlir::func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    function.setArgAttr(i, "bufferization.writable", mlir::BoolAttr::get(function.getContext(), false));
}

void renameFor(mlir::ModuleOp module, const Payload& payload) {
  (*module.getOps<mlir::func::FuncOp>().begin()).setName(payload.symbol);
}

// With expensive checks, without which a handle that is no longer valid is followed into nowhere.
Status applySequence(Workshop::Context& context, mlir::ModuleOp module, std::string_view sequence,
                     std::string_view what) {
  ORDO_TRY_ASSIGN(mlir::OwningOpRef<mlir::ModuleOp> library, parse(context, what, sequence));
  const Complaints complaints(context.mlir);
  mlir::transform::TransformOpInterface entry =
      mlir::transform::detail::findTransformEntryPoint(library.get(), mlir::ModuleOp());
  if (!entry) return fail(ErrorCode::kCorrupt, "{} has no @__transform_main", what);
  mlir::transform::TransformOptions options;
  options.enableExpensiveChecks(true);
  if (mlir::failed(mlir::transform::applyTransformNamedSequence(module, entry, mlir::ModuleOp(), options)))
    return fail(ErrorCode::kInternal, "{} cannot be applied: {}", what, complaints.text());
  return {};
}

Result<std::string> Workshop::apply(const Payload& payload, std::string_view schedule) {
  return withContext(*this, payload.text, [&](Context& context) -> Result<std::string> {
    ORDO_TRY_ASSIGN(mlir::OwningOpRef<mlir::ModuleOp> module, parse(context, payload.name, payload.text));
    ORDO_TRY(applySequence(context, *module, schedule, "the schedule"));
    std::string text;
    llvm::raw_string_ostream out(text);
    module->print(out);
    return text;
  });
}

}  // namespace ordo::lowering
