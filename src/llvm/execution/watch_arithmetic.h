// Conditions under which an operation makes poison, or is undefined, as IR.
#pragma once

namespace llvm {
class IRBuilderBase;
class Instruction;
class Value;
}  // namespace llvm

namespace ordo::execution {

// Inserts what tells whether `instruction`, which follows the builder's place, is undefined for its operands;
// null if it never is. The value is an i1.
llvm::Value* undefinedWhen(llvm::IRBuilderBase& builder, llvm::Instruction& instruction);

// Whether the value may differ from one version to another by right: reassociation, approximations.
bool hasLooseArithmetic(const llvm::Instruction& instruction);

}  // namespace ordo::execution
