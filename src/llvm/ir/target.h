// The target machine of a module, and objects made by it in memory.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "support/error.h"

namespace llvm {
class Function;
class Module;
class TargetMachine;
}  // namespace llvm

namespace ordo::ir {

// Initialises all targets of this LLVM once per process; cheap after that. Before anything else here.
void initialiseTargets();

struct TargetOptions {
  int level = 2;  // code generation effort, 0..3 (llvm::CodeGenOptLevel)
  std::string relocation = "pic";
  std::string code_model;
  bool function_sections = false;
  bool data_sections = false;
  // What an object says of the machine that it is for; "" where its functions say it all, as on x86.
  std::string cpu = "";
  std::string features = "";   // +a,-b
  std::string abi = "";        // ilp32, lp64d, aapcs, …
  std::string float_abi = "";  // soft, softfp, hard
  bool tlsdesc = false;        // how thread-local variables are found

  bool operator==(const TargetOptions&) const = default;
};

// A machine for the module's triple; CPU and features of its functions are those of their attributes.
// kUnsupported names the triple if this LLVM has no code generator for it, and what else does not fit.
Result<std::unique_ptr<llvm::TargetMachine>> makeTargetMachine(const llvm::Module& module,
                                                               const TargetOptions& options);

// Compiles the module to an object file (or to assembly) in memory. Code generation rewrites IR:
// hand over a copy. The bytes of .text equal those of `clang-22 -c` on the same module with the
// same level (checked by tests/conformance/baselines_test.cpp). kUnsupported with the first complaint of the
// code generator, such as one about inline assembly: an error, or a warning as well, such as one about the
// size of a frame.
enum class EmitKind { kObject, kAssembly };
enum class Refused { kErrors, kWarnings };
Result<std::string> emit(llvm::Module& module, llvm::TargetMachine& machine, EmitKind kind,
                         Refused refused = Refused::kErrors);

// Sizes in bytes as llvm-size prints them (Berkeley format): text counts code and read-only data
// that are loaded, not only the section named .text, so moving code into tables gains nothing. Its three
// parts are disjoint and add up to it. Of COFF, llvm-size counts read-only data as data; here it is text.
struct ObjectSizes {
  std::uint64_t text = 0;
  std::uint64_t data = 0;
  std::uint64_t bss = 0;
  std::uint64_t code = 0;    // sections that are executed
  std::uint64_t unwind = 0;  // tables by which exceptions and debuggers find callers, and their handlers
  std::uint64_t rodata = 0;  // what else is loaded and not written
};
Result<ObjectSizes> objectSizes(std::string_view object);

// Bytes of code of each function that the object has a symbol for, by that; without the padding between them.
// Empty of anything but ELF, whose symbols alone say how long they are.
std::map<std::string, std::uint64_t> functionBytes(std::string_view object);

// What an object calls it.
std::string symbolOf(const llvm::Function& function);

}  // namespace ordo::ir
