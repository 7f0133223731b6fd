// cpu_info: the host's logical cores and caches, int64 [11], sizes in bytes. It says nothing of the module
// and differs between machines: a policy that sees it can tell them apart, a comparison of states must leave
// it out.
#include "llvm/features/cpu_info.h"

#include "llvm/features/feature.h"

namespace ordo::features {
namespace {

void extract(const llvm::Module&, std::string& out) {
  static const auto info = readCpuInfo("/sys/devices/system/cpu");
  out.append(reinterpret_cast<const char*>(info.data()), sizeof(info));
}

}  // namespace

extern constinit const FeatureInfo cpu_info{
    .name = "cpu_info",
    .version = 1,
    .dtype = DType::kInt64,
    .width = std::size(kCpuInfoNames),
    .summary = "the host's logical cores, and size in bytes and number of each kind of cache",
    .element_names = kCpuInfoNames,
    .machine_dependent = true,
    .extract = extract,
};

}  // namespace ordo::features
