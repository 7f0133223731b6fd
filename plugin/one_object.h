// Whether a compilation makes one object and nothing besides. Of two that go through the same passes at once
// each would write what else there is: the same file twice, about code that may not be the one that is kept.
#pragma once

namespace llvm {
class Module;
class TargetMachine;
enum class CodeGenFileType;
}  // namespace llvm

namespace ordo::plugin {

// Before the first pass: whether none of them has anything to write, count, time or say. Who has given LLVM
// options or loaded another plugin may have all of that in mind.
bool arePassesSilent(const llvm::Module& module);

// Where code is about to be made: whether that is an object, and no file is written beside it.
bool isObjectAlone(const llvm::TargetMachine& machine, llvm::CodeGenFileType type);

}  // namespace ordo::plugin
