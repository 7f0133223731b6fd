#include "plugin/module_hash.h"

#include <llvm/IR/Module.h>

#include "llvm/ir/module.h"

namespace ordo::plugin {

Hash128 moduleHash(llvm::Module& module) {
  const std::string source = module.getSourceFileName();
  module.setSourceFileName("");
  const Hash128 hash = ir::hashBitcode(ir::writeBitcode(module));
  module.setSourceFileName(source);
  return hash;
}

}  // namespace ordo::plugin
