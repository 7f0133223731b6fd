// The kinds of kernels that the dataset `mlir` is made of: how the sizes of each are written, and its text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::datasets {

struct KernelKind {
  std::string_view name;     // "matmul"
  std::string_view pattern;  // "MxNxK": what its sizes are
  std::string_view summary;
  bool unseen = false;  // all of it is for testing
  // kInvalidArgument for sizes that leave nothing.
  Result<std::string> (*write)(const std::string& function, const std::vector<std::int64_t>& sizes);
  std::vector<std::string_view> shapes;  // those that are listed; any other may be named

  std::size_t sizes() const;  // how many it has
};

std::span<const KernelKind> kernelKinds();

}  // namespace ordo::datasets
