#include "datasets/kernel_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "datasets/kernel_text.h"

namespace ordo::datasets {
namespace {

using Value = KernelText::Value;
using Sizes = std::vector<std::int64_t>;

constexpr std::string_view kLowest = "0xFF800000";  // minus infinity
constexpr std::string_view kMax = "    %r = arith.maximumf %0, %out : f32\n";
constexpr std::string_view kSum = "    %r = arith.addf %0, %out : f32\n";
constexpr std::string_view kPair = "    %r = arith.{} %0, %1 : f32\n";

std::string windows(std::int64_t stride) {
  return fmt::format("{{dilations = dense<1> : tensor<2xi64>, strides = dense<{}> : tensor<2xi64>}} ",
                     stride);
}

std::int64_t outputs(std::int64_t input, std::int64_t window, std::int64_t stride) {
  return (input - window) / stride + 1;
}

Value relu(KernelText& text, std::string_view indices, const Value& value) {
  const std::string zero = text.constant("0.0");
  return text.elementwise(fmt::format("{0}->{0}", indices), {value}, value.shape,
                          fmt::format("    %r = arith.maximumf %0, {} : f32\n", zero));
}

// Along its last dimension; `indices` has a letter for each.
Value softmaxOf(KernelText& text, const Value& x, std::string_view indices = "ab") {
  const std::string_view row = indices.substr(0, indices.size() - 1);
  const KernelText::Shape rows(x.shape.begin(), x.shape.end() - 1);
  const std::string along = fmt::format("{}->{}", indices, row);
  const std::string both = fmt::format("{0},{1}->{0}", indices, row);
  const Value top = text.generic(along, {x}, text.full(rows, kLowest), kMax);
  const Value e = text.elementwise(both, {x, top}, x.shape,
                                   "    %d = arith.subf %0, %1 : f32\n    %r = math.exp %d : f32\n");
  const Value sum = text.generic(along, {e}, text.full(rows, "0.0"), kSum);
  return text.elementwise(both, {e, sum}, x.shape, fmt::format(kPair, "divf"));
}

Value layerNormOf(KernelText& text, const Value& x) {
  const KernelText::Shape rows = {x.shape[0]}, columns = {x.shape[1]};
  const Value scale = text.input(columns), shift = text.input(columns);
  const std::string part = text.constant(fmt::format("{:.9e}", 1.0 / static_cast<double>(x.shape[1])));
  const std::string tiny = text.constant("1.000000e-05");
  const Value sum = text.generic("ab->a", {x}, text.full(rows, "0.0"), kSum);
  const Value centred = text.elementwise(
      "ab,a->ab", {x, sum}, x.shape,
      fmt::format("    %m = arith.mulf %1, {} : f32\n    %r = arith.subf %0, %m : f32\n", part));
  const Value squares =
      text.generic("ab->a", {centred}, text.full(rows, "0.0"),
                   "    %q = arith.mulf %0, %0 : f32\n    %r = arith.addf %q, %out : f32\n");
  const Value factor = text.elementwise("a->a", {squares}, rows,
                                        fmt::format("    %v = arith.mulf %0, {} : f32\n"
                                                    "    %e = arith.addf %v, {} : f32\n"
                                                    "    %s = math.sqrt %e : f32\n"
                                                    "    %one = arith.constant 1.0 : f32\n"
                                                    "    %r = arith.divf %one, %s : f32\n",
                                                    part, tiny));
  return text.elementwise("ab,a,b,b->ab", {centred, factor, scale, shift}, x.shape,
                          "    %n = arith.mulf %0, %1 : f32\n"
                          "    %m = arith.mulf %n, %2 : f32\n"
                          "    %r = arith.addf %m, %3 : f32\n");
}

Value layer(KernelText& text, const Value& x, std::int64_t width) {
  const Value w = text.input({x.shape[1], width}), b = text.input({width});
  const Value product = text.named("matmul", {x, w}, text.full({x.shape[0], width}, "0.0"));
  return text.elementwise("ab,b->ab", {product, b}, product.shape, fmt::format(kPair, "addf"));
}

Value conv(KernelText& text, const Value& x, std::int64_t window, std::int64_t filters, std::int64_t stride) {
  const Value w = text.input({window, window, x.shape[3], filters});
  const Value zero = text.full(
      {x.shape[0], outputs(x.shape[1], window, stride), outputs(x.shape[2], window, stride), filters}, "0.0");
  return text.named("conv_2d_nhwc_hwcf", {x, w}, zero, windows(stride));
}

Result<std::string> matmul(const std::string& name, const Sizes& s) {
  KernelText text;
  const Value a = text.input({s[0], s[2]}), b = text.input({s[2], s[1]});
  return text.write(name, {text.named("matmul", {a, b}, text.full({s[0], s[1]}, "0.0"))});
}
Result<std::string> matmulA(const std::string& name, const Sizes& s) {
  KernelText text;
  const Value a = text.input({s[2], s[0]}), b = text.input({s[2], s[1]});
  return text.write(name, {text.product("ca,cb->ab", a, b, {s[0], s[1]})});
}
Result<std::string> matmulB(const std::string& name, const Sizes& s) {
  KernelText text;
  const Value a = text.input({s[0], s[2]}), b = text.input({s[1], s[2]});
  return text.write(name, {text.product("ac,bc->ab", a, b, {s[0], s[1]})});
}
Result<std::string> batchMatmul(const std::string& name, const Sizes& s) {
  KernelText text;
  const Value a = text.input({s[0], s[1], s[3]}), b = text.input({s[0], s[3], s[2]});
  return text.write(name, {text.named("batch_matmul", {a, b}, text.full({s[0], s[1], s[2]}, "0.0"))});
}
Result<std::string> convNhwc(const std::string& name, const Sizes& s) {
  KernelText text;
  const Value x = text.input({1, s[0], s[1], s[2]});
  return text.write(name, {conv(text, x, s[4], s[3], s[5])});
}
Result<std::string> convNchw(const std::string& name, const Sizes& s) {
  KernelText text;
  const Value x = text.input({1, s[2], s[0], s[1]}), w = text.input({s[3], s[2], s[4], s[4]});
  const Value zero = text.full({1, s[3], outputs(s[0], s[4], s[5]), outputs(s[1], s[4], s[5])}, "0.0");
  return text.write(name, {text.named("conv_2d_nchw_fchw", {x, w}, zero, windows(s[5]))});
}
Result<std::string> depthwise(const std::string& name, const Sizes& s) {
  KernelText text;
  const Value x = text.input({1, s[0], s[1], s[2]}), w = text.input({s[3], s[3], s[2]});
  const Value zero = text.full({1, outputs(s[0], s[3], s[4]), outputs(s[1], s[3], s[4]), s[2]}, "0.0");
  return text.write(name, {text.named("depthwise_conv_2d_nhwc_hwc", {x, w}, zero, windows(s[4]))});
}
Result<std::string> pool(const std::string& name, const Sizes& s, std::string_view how,
                         std::string_view start) {
  KernelText text;
  const Value x = text.input({1, s[0], s[1], s[2]}), window = text.full({s[3], s[3]}, "0.0");
  const Value first = text.full({1, outputs(s[0], s[3], s[4]), outputs(s[1], s[3], s[4]), s[2]}, start);
  return text.write(name, {text.named(how, {x, window}, first, windows(s[4]))});
}
Result<std::string> maxPool(const std::string& name, const Sizes& s) {
  return pool(name, s, "pooling_nhwc_max", kLowest);
}
Result<std::string> sumPool(const std::string& name, const Sizes& s) {
  return pool(name, s, "pooling_nhwc_sum", "0.0");
}
Result<std::string> reduceRows(const std::string& name, const Sizes& s) {
  KernelText text;
  const Value x = text.input(s);
  return text.write(name, {text.generic("ab->a", {x}, text.full({s[0]}, "0.0"), kSum)});
}
Result<std::string> reduceColumns(const std::string& name, const Sizes& s) {
  KernelText text;
  const Value x = text.input(s);
  return text.write(name, {text.generic("ab->b", {x}, text.full({s[1]}, "0.0"), kSum)});
}
Result<std::string> add(const std::string& name, const Sizes& s) {
  KernelText text;
  const Value a = text.input(s), b = text.input(s);
  return text.write(name, {text.elementwise("ab,ab->ab", {a, b}, s, fmt::format(kPair, "addf"))});
}
Result<std::string> reluAll(const std::string& name, const Sizes& s) {
  KernelText text;
  const Value x = text.input(s);
  return text.write(name, {relu(text, "ab", x)});
}
Result<std::string> transpose(const std::string& name, const Sizes& s) {
  KernelText text;
  const Value x = text.input(s), zero = text.input({s[1]});
  return text.write(name,
                    {text.elementwise("ba,a->ab", {x, zero}, {s[1], s[0]}, fmt::format(kPair, "addf"))});
}
Result<std::string> softmax(const std::string& name, const Sizes& s) {
  KernelText text;
  const Value x = text.input(s);
  return text.write(name, {softmaxOf(text, x)});
}
Result<std::string> layerNorm(const std::string& name, const Sizes& s) {
  KernelText text;
  return text.write(name, {layerNormOf(text, text.input(s))});
}
// As in GPT-2: what is added to x is of x brought to mean 0 and deviation 1. Heads are a loop of products.
Result<std::string> transformer(const std::string& name, const Sizes& s) {
  KernelText text;
  const std::int64_t length = s[0], width = s[1], heads = s[2], hidden = s[3];
  if (heads < 1 || width % heads != 0)
    return fail(ErrorCode::kInvalidArgument, "{}: {} heads do not share {} columns", name, heads, width);
  const std::int64_t each = width / heads;
  const Value x = text.input({length, width}), normal = layerNormOf(text, x);
  const auto project = [&] {
    return text.product("be,eac->abc", normal, text.input({width, heads, each}), {heads, length, each});
  };
  const Value q = project(), k = project(), v = project();
  const Value scores = text.product("abd,acd->abc", q, k, {heads, length, length});
  const std::string part = text.constant(fmt::format("{:.9e}", 1.0 / std::sqrt(static_cast<double>(each))));
  const Value scaled = text.elementwise("abc->abc", {scores}, scores.shape,
                                        fmt::format("    %r = arith.mulf %0, {} : f32\n", part));
  const Value seen = text.named("batch_matmul", {softmaxOf(text, scaled, "abc"), v},
                                text.full({heads, length, each}, "0.0"));
  const Value joined = text.product("cad,cdb->ab", seen, text.input({heads, each, width}), x.shape);
  const auto plus = [&](const Value& a, const Value& b) {
    return text.elementwise("ab,ab->ab", {a, b}, a.shape, fmt::format(kPair, "addf"));
  };
  const Value after = plus(x, joined);
  const Value wide = relu(text, "ab", layer(text, layerNormOf(text, after), hidden));
  return text.write(name, {plus(after, layer(text, wide, width))});
}
Result<std::string> attention(const std::string& name, const Sizes& s) {
  KernelText text;
  const Value q = text.input(s), k = text.input(s), v = text.input(s);
  const Value scores = text.product("ac,bc->ab", q, k, {s[0], s[0]});
  const std::string part = text.constant(fmt::format("{:.9e}", 1.0 / std::sqrt(static_cast<double>(s[1]))));
  const Value scaled = text.elementwise("ab->ab", {scores}, scores.shape,
                                        fmt::format("    %r = arith.mulf %0, {} : f32\n", part));
  return text.write(name, {text.named("matmul", {softmaxOf(text, scaled), v}, text.full(s, "0.0"))});
}
Result<std::string> mlp(const std::string& name, const Sizes& s) {
  KernelText text;
  const Value x = text.input({s[0], s[1]});
  return text.write(name, {layer(text, relu(text, "ab", layer(text, x, s[2])), s[3])});
}
Result<std::string> residual(const std::string& name, const Sizes& s) {
  KernelText text;
  const Value x = text.input({1, s[0], s[1], s[2]});
  const Value narrow = relu(text, "abcd", conv(text, x, 1, s[3], 1));
  const Value sum = text.elementwise("abcd,abcd->abcd", {conv(text, narrow, 1, s[2], 1), x}, x.shape,
                                     fmt::format(kPair, "addf"));
  return text.write(name, {relu(text, "abcd", sum)});
}

}  // namespace

std::size_t KernelKind::sizes() const {
  return static_cast<std::size_t>(std::ranges::count(pattern, 'x')) + 1;
}

std::span<const KernelKind> kernelKinds() {
  static const std::vector<KernelKind> kinds = {
      {"add", "MxN", "C = A + B", false, add, {"128x1024", "512x512", "1000x1000", "2048x1024"}},
      {"attention",
       "TxD",
       "one head of T tokens",
       true,
       attention,
       {"64x32", "128x64", "197x64", "256x64", "384x64", "512x128"}},
      {"batch_matmul",
       "BxMxNxK",
       "products one by one",
       false,
       batchMatmul,
       {"4x64x64x64", "8x128x128x64", "12x128x64x128", "12x197x197x64", "16x32x256x64", "32x64x64x256"}},
      {"conv1x1",
       "HxWxCxF",
       "1x1 windows, channels last",
       false,
       [](const std::string& name, const Sizes& s) { return convNhwc(name, {s[0], s[1], s[2], s[3], 1, 1}); },
       {"56x56x64x64", "56x56x64x256", "28x28x128x512", "14x14x256x1024", "7x7x512x2048", "14x14x96x576"}},
      {"conv_nchw",
       "HxWxCxFxKxS",
       "windows, channels first",
       false,
       convNchw,
       {"58x58x64x64x3x1", "30x30x128x128x3x1", "16x16x256x256x3x1", "114x114x3x64x7x2", "58x58x64x128x3x2"}},
      {"conv_nhwc",
       "HxWxCxFxKxS",
       "windows, channels last",
       false,
       convNhwc,
       {"58x58x64x64x3x1", "30x30x128x128x3x1", "16x16x256x256x3x1", "9x9x512x512x3x1", "58x58x128x128x3x2",
        "31x31x256x256x3x2", "116x116x3x64x7x2", "34x34x32x48x5x1", "20x20x24x40x3x1"}},
      {"depthwise",
       "HxWxCxKxS",
       "a window for each channel, channels last",
       true,
       depthwise,
       {"114x114x32x3x1", "58x58x144x3x2", "30x30x192x3x1", "16x16x384x3x1", "18x18x240x5x1"}},
      {"layer_norm",
       "MxN",
       "rows brought to mean 0 and deviation 1",
       true,
       layerNorm,
       {"64x256", "128x768", "197x768", "512x512", "384x1024"}},
      {"matmul",
       "MxNxK",
       "C = A B",
       false,
       matmul,
       {"64x64x64", "96x96x96", "128x128x128", "192x192x192", "256x256x256", "384x384x384", "512x512x512",
        "768x768x768", "1024x1024x1024", "256x512x1024", "1024x256x512", "128x3072x768", "128x768x3072",
        "256x1536x1000", "197x768x768", "1x1024x1024", "17x513x129", "500x500x500", "1000x100x300"}},
      {"matmul_ta",
       "MxNxK",
       "C = A' B",
       false,
       matmulA,
       {"128x128x128", "256x512x384", "512x512x512", "768x768x197"}},
      {"matmul_tb",
       "MxNxK",
       "C = A B'",
       false,
       matmulB,
       {"128x128x128", "256x512x384", "512x512x512", "197x197x64"}},
      {"max_pool",
       "HxWxCxKxS",
       "channels last",
       false,
       maxPool,
       {"113x113x64x3x2", "56x56x128x2x2", "28x28x192x3x1", "14x14x480x3x1"}},
      {"mlp",
       "BxIxHxO",
       "two layers, with biases and a ReLU",
       false,
       mlp,
       {"32x128x256x64", "64x784x512x10", "128x768x3072x768", "256x256x256x256", "16x512x1024x512"}},
      {"reduce_columns",
       "MxN",
       "sums of columns",
       false,
       reduceColumns,
       {"512x512", "1024x768", "197x3072", "4096x64"}},
      {"reduce_rows",
       "MxN",
       "sums of rows",
       false,
       reduceRows,
       {"512x512", "1024x768", "3072x197", "64x4096"}},
      {"relu", "MxN", "larger of x and 0", false, reluAll, {"512x512", "1000x1000", "128x4096"}},
      {"residual",
       "HxWxCxN",
       "1x1 windows to N channels and back, added",
       true,
       residual,
       {"56x56x256x64", "28x28x512x128", "14x14x1024x256", "14x14x96x24"}},
      {"softmax",
       "MxN",
       "along rows",
       false,
       softmax,
       {"64x64", "128x512", "197x197", "512x1000", "1024x1024"}},
      {"sum_pool",
       "HxWxCxKxS",
       "channels last",
       false,
       sumPool,
       {"112x112x64x2x2", "56x56x128x3x2", "7x7x2048x7x1"}},
      {"transformer",
       "LxDxAxH",
       "a layer of L tokens: attention of A heads on D columns, and a perceptron of H",
       true,
       transformer,
       {"64x256x4x1024", "128x512x8x2048", "128x768x12x3072"}},
      {"transpose", "MxN", "turned, and a row added", false, transpose, {"512x512", "768x197", "1024x256"}},
  };
  return kinds;
}

}  // namespace ordo::datasets
