#include "llvm/ir/type_tests.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace ordo::ir {

bool hasTypeTests(const llvm::Module& module) {
  constexpr llvm::Intrinsic::ID kTests[] = {llvm::Intrinsic::type_test, llvm::Intrinsic::public_type_test,
                                            llvm::Intrinsic::type_checked_load,
                                            llvm::Intrinsic::type_checked_load_relative};
  return std::ranges::any_of(kTests, [&](llvm::Intrinsic::ID test) {
    const llvm::Function* function = llvm::Intrinsic::getDeclarationIfExists(&module, test);
    return function != nullptr && !function->use_empty();
  });
}

}  // namespace ordo::ir
