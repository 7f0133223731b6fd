// What the files that see MLIR's headers share.
#pragma once

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/Diagnostics.h>
#include <mlir/IR/MLIRContext.h>
#include <mlir/IR/OwningOpRef.h>

#include <mutex>
#include <string>

#include "mlir/lowering/payload.h"
#include "support/error.h"

namespace ordo::lowering {

struct Workshop::Context {
  Context();

  std::mutex mutex;
  mlir::MLIRContext mlir;
};

// Collects what MLIR says while it lives: the first error, with its notes, in one line.
class Complaints {
 public:
  explicit Complaints(mlir::MLIRContext& context);
  std::string text() const { return text_.empty() ? "MLIR gives no reason" : text_; }

 private:
  std::string text_;
  mlir::ScopedDiagnosticHandler handler_;
};

// REQUIRES: the context's mutex is held. Errors as of Workshop::read() and apply().
Result<mlir::OwningOpRef<mlir::ModuleOp>> parse(Workshop::Context& context, std::string_view name,
                                                std::string_view text);
Status applySequence(Workshop::Context& context, mlir::ModuleOp module, std::string_view sequence,
                     std::string_view what);

}  // namespace ordo::lowering
