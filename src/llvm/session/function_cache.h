// Bytes of code of the functions of a state, without emitting those again that were in another state before:
// where each function has a sequence of its own, most of one candidate's are in the next as well.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "support/hash.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace ordo::session {

// Of states of any programs. Thread-safe.
class FunctionCache {
 public:
  // By symbol, what each function with a name of `module` comes to where no other lies beside it, so that
  // jumps between functions are as long as they can be; nothing if functions cannot be alone. `around` says
  // what code depends on beside the module: the machine, and options of the code generator. `bitcode` gives
  // writeExactBitcode() of the module, and is called only if a function is new.
  std::optional<std::map<std::string, std::uint64_t>> sizes(
      const llvm::Module& module, const std::string& around,
      const std::function<const std::string&()>& bitcode, llvm::TargetMachine& machine);

 private:
  std::mutex mutex_;
  std::unordered_map<Hash128, std::uint64_t> known_;
};

}  // namespace ordo::session
