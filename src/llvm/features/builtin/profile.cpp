// profile: what runs said of the program (llvm/ir/profile.h), by which a decision gives it to another module:
// int64 [numbers]; none if the module has no profile.
#include "llvm/ir/profile.h"

#include <vector>

#include "llvm/features/feature.h"

namespace ordo::features {
namespace {

void extract(const llvm::Module& module, std::string& out) {
  const std::vector<std::int64_t> numbers = ir::profileOf(module);
  out.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::int64_t));
}

}  // namespace

extern constinit const FeatureInfo profile{
    .name = "profile",
    .version = 2,
    .dtype = DType::kInt64,
    .width = 0,
    .summary =
        "how often functions are entered, which way branches go and what is usually called, if that is known",
    .element_names = {},
    .extract = extract,
};

}  // namespace ordo::features
