// Modules in and out of LLVM: parse, hash, verify, print. Each module has an LLVMContext of its
// own, so that dropping it gives everything back (types and constants are never freed by a
// context) and two modules can be used from two threads.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/error.h"
#include "support/hash.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace ordo::ir {

// A module with the context that owns its types. Move-only.
class OwnedModule {
 public:
  OwnedModule(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> module);
  OwnedModule(OwnedModule&&) noexcept;
  OwnedModule& operator=(OwnedModule&&) noexcept;
  ~OwnedModule();

  llvm::Module& operator*() const { return *module_; }
  llvm::Module* operator->() const { return module_.get(); }

  // Both, for who keeps them in another way. Nothing is left here.
  std::pair<std::unique_ptr<llvm::LLVMContext>, std::unique_ptr<llvm::Module>> take() &&;

 private:
  std::unique_ptr<llvm::LLVMContext> context_;  // outlives module_
  std::unique_ptr<llvm::Module> module_;
};

// Parses bitcode or textual IR, told apart by content. Local value names are dropped (they mean
// nothing and cost time); debug info is kept. A module without a data layout gets its target's, as
// in opt. `name` is for messages. kCorrupt with LLVM's reason.
// A malformed file can still make LLVM abort: parse untrusted bytes in a worker.
Result<OwnedModule> parse(std::string_view bytes, std::string_view name);

// The module as bitcode. The same IR gives the same bytes whatever process or passes made it.
std::string writeBitcode(const llvm::Module& module);

// The same with the order of use lists, which some passes follow: passes do to the module that is
// read back exactly what they would have done to this one. That is what opt writes. Equal IR need not
// give equal bytes.
std::string writeExactBitcode(const llvm::Module& module);

// Identity of an IR: hash of its bitcode. Local value names do not count; global names,
// attributes, metadata and debug info do.
inline Hash128 hashBitcode(std::string_view bitcode) { return hashBytes(bitcode); }

// The identity that the module has for those who read it from a file. Bitcode of a module that a front end
// has just made has its constants in another order.
Result<Hash128> hashAsRead(const llvm::Module& module);

// Textual IR.
std::string print(const llvm::Module& module);

// Empty if the verifier accepts the module, else its first complaints.
std::string verify(const llvm::Module& module);

// Whether code that is made of `module` would still call functions whose bodies are only there to be inlined:
// nobody need have made code of those, std::string's own _M_use_local_data() among them. clang inlines such
// calls at every level before it makes code, and so must whoever makes or measures any. The calls of copies
// of somebody else's code (available_externally) do not count, for no code is made of them.
bool mustInline(const llvm::Module& module);

// What the rest of a program sees of a module: the definitions others may link against, and the
// symbols it wants from others.
class Interface {
 public:
  explicit Interface(const llvm::Module& module);

  // Empty if `changed`, made from this module by passes, still offers the same definitions and its code
  // wants nothing new but library functions that LLVM itself may introduce (memset, puts). Else
  // the complaint: hipstdpar-* deletes everything and looks like a perfect score, sanitizers want a
  // runtime that nobody links.
  std::string compare(const llvm::Module& changed) const;

 private:
  std::vector<std::string> offers_;  // sorted
  std::vector<std::string> wants_;   // sorted
};

}  // namespace ordo::ir
