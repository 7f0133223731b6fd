// The target machine of a module, and objects made by it in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "support/error.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace ordo::ir {

// Initialises the native target once per process; cheap after that. Before anything else here.
void initialiseTargets();

struct TargetOptions {
  int level = 2;  // code generation effort, 0..3 (llvm::CodeGenOptLevel)
  std::string relocation = "pic";
  std::string code_model;
  bool function_sections = false;
  bool data_sections = false;

  bool operator==(const TargetOptions&) const = default;
};

// A machine for the module's triple; CPU and features come from the attributes of its functions.
// kUnsupported names the triple if this LLVM has no native backend for it.
Result<std::unique_ptr<llvm::TargetMachine>> makeTargetMachine(const llvm::Module& module,
                                                               const TargetOptions& options);

// Compiles the module to an object file (or to assembly) in memory. Code generation rewrites IR:
// hand over a copy. The bytes of .text equal those of `clang-22 -c` on the same module with the
// same level (checked by tests/conformance/baselines_test.cpp). kUnsupported with the first complaint of the
// code generator, such as one about inline assembly.
enum class EmitKind { kObject, kAssembly };
Result<std::string> emit(llvm::Module& module, llvm::TargetMachine& machine, EmitKind kind);

// Sizes in bytes as llvm-size prints them (Berkeley format): text counts code and read-only data
// that are loaded, not only the section named .text, so moving code into tables gains nothing.
struct ObjectSizes {
  std::uint64_t text = 0;
  std::uint64_t data = 0;
  std::uint64_t bss = 0;
};
Result<ObjectSizes> objectSizes(std::string_view object);

}  // namespace ordo::ir
