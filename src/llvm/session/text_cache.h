// text_bytes and code_bytes of states of one program without emitting them whole: most functions of a state
// were in another state before, and the code of a function hardly depends on the rest of its module.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "llvm/ir/fingerprint.h"
#include "llvm/ir/text_layout.h"
#include "support/hash.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace ordo::session {

// Thread-safe.
class TextCache {
 public:
  // `advance`: how much filling the cache may cost before it has saved anything, in whole emissions.
  explicit TextCache(double advance = 1.5) : advance_(advance) {}

  // Equal to what llvm-size says of the whole object, as far as anybody has seen
  // (tests/conformance/text_bytes_test.cpp); nothing if a whole emission is the better way: for the
  // first state, for one with few known functions, and where functions cannot be alone (aliases). `bitcode`
  // gives writeExactBitcode() of the module, and is called only if it is needed.
  std::optional<ir::TextSizes> sizes(const llvm::Module& module,
                                     const std::function<const std::string&()>& bitcode,
                                     llvm::TargetMachine& machine);

 private:
  using Bitcode = std::function<const std::string&()>;
  // Functions that follow each other, emitted together.
  using Run = std::span<const ir::FunctionFingerprint>;

  bool worthTrying(std::size_t instructions);
  std::optional<ir::TextSizes> sum(const ir::ModuleFingerprint& state, const Bitcode& bitcode,
                                   llvm::TargetMachine& machine);
  const ir::TextPieces* functions(Run run, const Bitcode& bitcode, llvm::TargetMachine& machine);
  const ir::TextPieces* globals(const Hash128& hash, std::size_t behind, const Bitcode& bitcode,
                                llvm::TargetMachine& machine);

  const double advance_;
  std::mutex mutex_;
  std::unordered_map<Hash128, std::optional<ir::TextPieces>> known_;  // nothing: cannot be alone
  // What was saved less what was spent, in instructions emitted: to fill the cache pays off only later,
  // and a search whose functions never come back must stop paying for it.
  double credit_ = 0;
  bool first_ = true;
};

}  // namespace ordo::session
