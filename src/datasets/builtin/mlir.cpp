// Kernels of linalg, one function each, of any sizes; those that are listed are of the sizes that networks
// have, and some that nothing divides.
//
// Parts are by kind and by shape: kinds that are for testing only nobody has seen one of; of the other kinds
// the hash of a name says which part it is in.
#include <charconv>

#include "datasets/dataset.h"
#include "datasets/generated.h"
#include "datasets/kernel_kinds.h"
#include "support/hash.h"
#include "support/text.h"

namespace ordo::datasets {
namespace {

constexpr std::int64_t kMostSize = 1 << 16;
constexpr int kRevision = 1;

Status available() { return {}; }

Result<const KernelKind*> kindOf(std::string_view name) {
  std::vector<std::string> names;
  for (const KernelKind& kind : kernelKinds()) {
    if (kind.name == name) return &kind;
    names.emplace_back(kind.name);
  }
  return fail(ErrorCode::kInvalidArgument, "{}", unknownName("kind of kernel", name, names));
}

// "512x512x64". Without leading zeros, so that a kernel has one name.
Result<std::vector<std::int64_t>> sizesOf(const KernelKind& kind, std::string_view text) {
  std::vector<std::int64_t> sizes;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end && *at != '0') {
    std::int64_t size = 0;
    const auto [rest, error] = std::from_chars(at, end, size);
    if (error != std::errc() || size < 1 || size > kMostSize) break;
    sizes.push_back(size);
    at = rest;
    if (at == end && sizes.size() == kind.sizes()) return sizes;
    if (at == end || *at++ != 'x') break;
  }
  return fail(ErrorCode::kInvalidArgument,
              "mlir/{}/{} is no kernel: {} wants {}, whole numbers from 1 to {} without leading zeros",
              kind.name, text, kind.name, kind.pattern, kMostSize);
}

Split splitOf(const KernelKind& kind, std::string_view shape) {
  if (kind.unseen) return Split::kTest;
  return splitOfSeed(static_cast<std::uint32_t>(hashBytes(fmt::format("{}/{}", kind.name, shape)).low % 10));
}

Result<Program> load(std::string_view rest) {
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos)
    return fail(ErrorCode::kInvalidArgument,
                "mlir/{} is no kernel: write mlir/KIND/SIZES, as mlir/matmul/512x512x512", rest);
  const std::string_view shape = rest.substr(slash + 1);
  ORDO_TRY_ASSIGN(const KernelKind* const kind, kindOf(rest.substr(0, slash)));
  ORDO_TRY_ASSIGN(const std::vector<std::int64_t> sizes, sizesOf(*kind, shape));
  const std::string name = fmt::format("{}_{}", kind->name, shape);
  ORDO_TRY_ASSIGN(const std::filesystem::path path,
                  cachedFile(fmt::format("mlir-{}", kRevision), name + ".mlir", [&]() -> Result<std::string> {
                    return kind->write(std::string(kind->name), sizes);
                  }));
  ORDO_TRY_ASSIGN(Program program, loadPath(path));
  program.name = name;
  program.split = splitOf(*kind, shape);
  return program;
}

Result<std::vector<std::string>> list(std::string_view rest, const ListOptions& options) {
  const std::size_t slash = rest.find('/');
  if (slash != std::string_view::npos) {
    ORDO_TRY_ASSIGN(const Program program, load(rest));
    const bool wanted = options.split == Split::kAll || options.split == program.split;
    return select(wanted ? std::vector{fmt::format("mlir/{}", rest)} : std::vector<std::string>{}, options);
  }
  if (!rest.empty()) ORDO_TRY(kindOf(rest));
  std::vector<std::string> uris;
  for (const KernelKind& kind : kernelKinds()) {
    if (!rest.empty() && kind.name != rest) continue;
    for (const std::string_view shape : kind.shapes) {
      if (options.split == Split::kAll || options.split == splitOf(kind, shape))
        uris.push_back(fmt::format("mlir/{}/{}", kind.name, shape));
    }
  }
  return select(std::move(uris), options);
}

}  // namespace

extern constinit const DatasetInfo mlir{
    .name = "mlir",
    .pattern = "mlir/<kind>/<sizes>",
    .summary = "kernels of linear algebra and of networks, as linalg of MLIR",
    .has_splits = true,
    .available = available,
    .load = load,
    .list = list};

}  // namespace ordo::datasets
