// What the files that see MLIR's headers share.
#pragma once

#include <mlir/Dialect/Func/IR/FuncOps.h>
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

// Runs `work` on a context, with its mutex held. Weights that a text brings with it (dense_resource) stay in
// a context for good, and get other names where there are some of theirs already, so such a text has a
// context of its own.
template <typename Work>
auto withContext(Workshop& workshop, std::string_view text, Work work) {
  if (text.find("dense_resource") != std::string_view::npos) {
    Workshop::Context own;
    return work(own);
  }
  Workshop::Context& shared = workshop.context();
  const std::lock_guard lock(shared.mutex);
  return work(shared);
}

// REQUIRES: the context's mutex is held. Errors as of Workshop::read() and apply().
Result<mlir::OwningOpRef<mlir::ModuleOp>> parse(Workshop::Context& context, std::string_view name,
                                                std::string_view text);
// What is several operations in one, a softmax, as those, as transform.structured.decompose_interface does
// it.
Status takeApart(Workshop::Context& context, mlir::ModuleOp module, std::string_view name);
// Bufferization may not write to arguments: they are the caller's.
void keepInputs(mlir::func::FuncOp function);
// The kernel gets its name of C. REQUIRES: a module as read() takes it.
void renameFor(mlir::ModuleOp module, const Payload& payload);
Status applySequence(Workshop::Context& context, mlir::ModuleOp module, std::string_view sequence,
                     std::string_view what);

}  // namespace ordo::lowering
