// Choices of the code generator that LLVM offers only as options of the process: -disable-lsr and the
// like, clang's -mllvm. Set for as long as something is emitted, then back to their defaults.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "support/error.h"

namespace ordo::ir {

// The options are those of the process, so while any are set nobody else emits: construction waits for
// the emissions of other threads, and theirs for its end. With none, emissions run side by side. Hold one
// around everything that makes machine code.
class CodegenOptions {
 public:
  // Sets "-disable-lsr", "-misched=ilpmax", ... kInvalidArgument for what this LLVM does not have, or
  // does not take as a value; then nothing is set.
  static Result<CodegenOptions> set(std::span<const std::string> options);

  CodegenOptions(CodegenOptions&&) noexcept;
  CodegenOptions& operator=(CodegenOptions&&) = delete;
  ~CodegenOptions();

 private:
  struct State;
  explicit CodegenOptions(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace ordo::ir
