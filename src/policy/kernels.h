// The arithmetic of policies: the same bits on every x86-64.
//
// What could differ between machines is left out. Sums have an order that is fixed here and does not
// depend on how wide the vectors are; products and sums are never fused (the library is compiled with
// -ffp-contract=off); exp and log1p are ours, because every libm rounds its own way. What remains, + - * /
// and the square root, IEEE 754 defines to the last bit. Why not Eigen: docs/adr/0006-policies.md.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace ordo::policy {

// Sixteen floats, a line of the cache and the widest vector there is. Vectors and columns of matrices are
// padded with zeros to whole lines.
inline constexpr std::size_t kLanes = 16;
struct alignas(kLanes * sizeof(float)) Line {
  float lane[kLanes] = {};
};
using Lines = std::vector<Line>;

// How many lines hold `count` floats.
constexpr std::size_t linesFor(std::size_t count) { return (count + kLanes - 1) / kLanes; }

inline std::span<float> floats(Lines& lines) {
  return {reinterpret_cast<float*>(lines.data()), lines.size() * kLanes};
}
inline std::span<const float> floats(const Lines& lines) {
  return {reinterpret_cast<const float*>(lines.data()), lines.size() * kLanes};
}

// One build of the inner loop of every layer, for processors with these vectors.
struct Kernel {
  std::string_view name;  // "sse2", "avx2", "avx512f"
  // y += x[0]·column 0 + x[1]·column 1 + …, one after the other for each element of y, without the x[i]
  // that are zero. `columns` has y.size() lines for each x. All kernels give the same bits.
  void (*accumulate)(std::span<const float> x, const Line* columns, std::span<Line> y);
};

// The kernels that this processor can run, the fastest last. Thread-safe.
std::span<const Kernel> kernels();
inline const Kernel& fastestKernel() { return kernels().back(); }

// y = (x - mean) / sqrt(variance + 1e-5) · scale + shift over all of x, the variance being that of x as a
// population: LayerNorm (Ba et al., 2016, https://arxiv.org/abs/1607.06450) as PyTorch defines it. Element i
// is summed into partial sum i mod 16 and those pairwise. y may be x. REQUIRES: equal sizes, not 0.
void layerNorm(std::span<const float> x, std::span<const float> scale, std::span<const float> shift,
               std::span<float> y);

// y = max(y, 0) for each element.
void relu(std::span<float> y);

// e^x to a relative error below 1e-14. 0 below -700, and as for 700 above it. REQUIRES: x is not NaN.
double portableExp(double x);

// log(1 + x) to a relative error below 1e-14. REQUIRES: x is finite and x >= 0.
double portableLog1p(double x);

}  // namespace ordo::policy
