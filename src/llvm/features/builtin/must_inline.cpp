// must_inline: 1 if calls have to be inlined before code is made of the module, for their functions need not
// exist in any object; else 0: int64.
#include "llvm/features/feature.h"
#include "llvm/ir/module.h"

namespace ordo::features {
namespace {

void extract(const llvm::Module& module, std::string& out) {
  const std::int64_t calls = ir::mustInline(module) ? 1 : 0;
  out.append(reinterpret_cast<const char*>(&calls), sizeof(calls));
}

}  // namespace

extern constinit const FeatureInfo must_inline{
    .name = "must_inline",
    .version = 1,
    .dtype = DType::kInt64,
    .width = 1,
    .summary =
        "1 if it calls functions that are only there to be inlined, which has to be done before code is made",
    .element_names = {},
    .extract = extract,
};

}  // namespace ordo::features
