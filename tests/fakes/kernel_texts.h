// Small kernels as text of MLIR.
#pragma once

namespace ordo::fakes {

inline constexpr const char* kMatmulText =
    R"(func.func @matmul(%a: tensor<16x24xf32>, %b: tensor<24x32xf32>) -> tensor<16x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  %r = linalg.matmul ins(%a, %b : tensor<16x24xf32>, tensor<24x32xf32>) outs(%f : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %r : tensor<16x32xf32>
}
)";

// A strided window, what is done to each element of its result, and a second result by rows.
inline constexpr const char* kConvolutionText = R"(#id = affine_map<(n,h,w,c)->(n,h,w,c)>
func.func @conv(%x: tensor<1x9x13x4xf32>, %k: tensor<3x3x4x8xf32>) -> (tensor<1x4x6x8xf32>, tensor<1x4x6xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x6x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %k : tensor<1x9x13x4xf32>, tensor<3x3x4x8xf32>) outs(%f : tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%c : tensor<1x4x6x8xf32>) outs(%e : tensor<1x4x6x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %m = arith.maximumf %i, %z : f32
    linalg.yield %m : f32
  } -> tensor<1x4x6x8xf32>
  %e2 = tensor.empty() : tensor<1x4x6xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
  %s = linalg.generic {indexing_maps = [#id, affine_map<(n,h,w,c)->(n,h,w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%r : tensor<1x4x6x8xf32>) outs(%f2 : tensor<1x4x6xf32>) {
  ^bb0(%i: f32, %o: f32):
    %a = arith.addf %i, %o : f32
    linalg.yield %a : f32
  } -> tensor<1x4x6xf32>
  return %r, %s : tensor<1x4x6x8xf32>, tensor<1x4x6xf32>
}
)";

// Two products and what is done between them, all of which can be fused; a transposed one, and one in
// batches.
inline constexpr const char* kLayersText = R"(#id = affine_map<(i,j)->(i,j)>
func.func @layers(%x: tensor<12x16xf32>, %w: tensor<16x24xf32>, %b: tensor<24xf32>, %v: tensor<24x8xf32>,
                  %s: tensor<2x6x8xf32>, %t: tensor<2x8x4xf32>) -> (tensor<12x8xf32>, tensor<2x6x4xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12x24xf32>) -> tensor<12x24xf32>
  %m = linalg.matmul ins(%x, %w : tensor<12x16xf32>, tensor<16x24xf32>) outs(%f : tensor<12x24xf32>) -> tensor<12x24xf32>
  %h = linalg.generic {indexing_maps = [#id, affine_map<(i,j)->(j)>, #id], iterator_types = ["parallel", "parallel"]}
    ins(%m, %b : tensor<12x24xf32>, tensor<24xf32>) outs(%e : tensor<12x24xf32>) {
  ^bb0(%i: f32, %c: f32, %o: f32):
    %a = arith.addf %i, %c : f32
    %r = arith.maximumf %a, %z : f32
    linalg.yield %r : f32
  } -> tensor<12x24xf32>
  %e2 = tensor.empty() : tensor<12x8xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<12x8xf32>) -> tensor<12x8xf32>
  %y = linalg.matmul ins(%h, %v : tensor<12x24xf32>, tensor<24x8xf32>) outs(%f2 : tensor<12x8xf32>) -> tensor<12x8xf32>
  %e3 = tensor.empty() : tensor<2x6x4xf32>
  %f3 = linalg.fill ins(%z : f32) outs(%e3 : tensor<2x6x4xf32>) -> tensor<2x6x4xf32>
  %q = linalg.batch_matmul ins(%s, %t : tensor<2x6x8xf32>, tensor<2x8x4xf32>) outs(%f3 : tensor<2x6x4xf32>) -> tensor<2x6x4xf32>
  return %y, %q : tensor<12x8xf32>, tensor<2x6x4xf32>
}
)";

// What softmax begins with: the greatest and the sum of what lies side by side, in rows of an odd length, and
// buffers on the way. Small integers, so all is exact.
inline constexpr const char* kRowsText = R"(#id = affine_map<(i,j)->(i,j)>
#row = affine_map<(i,j)->(i)>
func.func @rows(%x: tensor<6x75xf32>) -> tensor<6x75xf32> {
  %z = arith.constant 0.0 : f32
  %l = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<6xf32>
  %f = linalg.fill ins(%l : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<6x75xf32>) outs(%f : tensor<6xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.maximumf %i, %o : f32
    linalg.yield %r : f32
  } -> tensor<6xf32>
  %e2 = tensor.empty() : tensor<6x75xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x, %m : tensor<6x75xf32>, tensor<6xf32>) outs(%e2 : tensor<6x75xf32>) {
  ^bb0(%i: f32, %c: f32, %o: f32):
    %r = arith.subf %i, %c : f32
    linalg.yield %r : f32
  } -> tensor<6x75xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%d : tensor<6x75xf32>) outs(%f2 : tensor<6xf32>) {
  ^bb0(%i: f32, %o: f32):
    %q = arith.mulf %i, %i : f32
    %r = arith.addf %q, %o : f32
    linalg.yield %r : f32
  } -> tensor<6xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%d, %s : tensor<6x75xf32>, tensor<6xf32>) outs(%e2 : tensor<6x75xf32>) {
  ^bb0(%i: f32, %c: f32, %o: f32):
    %r = arith.addf %i, %c : f32
    linalg.yield %r : f32
  } -> tensor<6x75xf32>
  return %y : tensor<6x75xf32>
}
)";

}  // namespace ordo::fakes
