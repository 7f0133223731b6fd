// The file format that weights are exchanged in (https://huggingface.co/docs/safetensors): the length of a
// header as 64 bits, little-endian; the header, a JSON object {name: {"dtype", "shape", "data_offsets"}} that
// may also have "__metadata__": {string: string}; and the numbers of all tensors, one after the other.
// Only float32 here, as PyTorch's and NumPy's writers put it down.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::policy {

struct Tensor {
  std::string name;
  std::vector<std::uint64_t> shape;  // row-major; empty for a scalar
  std::vector<float> values;         // product(shape) of them

  bool operator==(const Tensor&) const = default;
};

struct SafeTensors {
  std::map<std::string, std::string> metadata;
  std::vector<Tensor> tensors;  // in the order of their numbers in the file

  bool operator==(const SafeTensors&) const = default;
};

// A longer header is refused: that of a policy is some kilobytes.
inline constexpr std::uint64_t kMaxHeaderBytes = 128 << 10;

// `name` is for messages, all of which name it and the tensor and field in question. kUnsupported for other
// types than F32. kCorrupt for whatever else is not exactly such a file: numbers that overlap, leave holes or
// do not fill the file, a shape that does not fit its offsets, a name that comes twice, a NaN or an infinity.
Result<SafeTensors> parseSafetensors(std::string_view bytes, std::string_view name);

// What parseSafetensors() reads back equal if all names and metadata are UTF-8 and all values are finite.
// REQUIRES: names are unique, product(shape) values in each.
std::string writeSafetensors(const SafeTensors& file);

}  // namespace ordo::policy
