// Small kernels: as the model sees them, and as text of MLIR.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "mlir/model/operation.h"
#include "mlir/model/schedule.h"
#include "support/rng.h"

namespace ordo::fakes {

// C = A B with rows, columns and depth of these sizes, after a fill.
inline std::shared_ptr<const model::Kernel> matmulKernel(std::int64_t m, std::int64_t n, std::int64_t k) {
  model::Operation fill, product;
  fill.name = "linalg.fill";
  fill.kind = model::Kind::kFill;
  fill.extents = {m, n};
  fill.reductions = {false, false};
  fill.output = {{{1, 0}, {0, 1}}, {m, n}, {}};
  fill.schedulable = fill.vectorizable = true;
  fill.uses = 1;
  product = fill;
  product.name = "linalg.matmul";
  product.kind = model::Kind::kContraction;
  product.extents = {m, n, k};
  product.reductions = {false, false, true};
  product.inputs = {{{{1, 0, 0}, {0, 0, 1}}, {m, k}, {}}, {{{0, 0, 1}, {0, 1, 0}}, {k, n}, {}}};
  product.output = {{{1, 0, 0}, {0, 1, 0}}, {m, n}, 0};
  product.flops = 2;
  return std::make_shared<const model::Kernel>(model::Kernel{"matmul", {fill, product}});
}

// Legal steps until nothing is left: the type by chance, then its numbers.
inline model::Schedule randomSchedule(const std::shared_ptr<const model::Kernel>& kernel, Rng& rng) {
  model::Schedule schedule(kernel);
  while (schedule.current()) {
    std::vector<std::vector<model::Step>> types;
    for (const model::Step& step : model::allSteps()) {
      if (!schedule.legal(step)) continue;
      if (types.empty() || types.back().front().type != step.type) types.emplace_back();
      types.back().push_back(step);
    }
    const std::vector<model::Step>& chosen = types[rng.below(types.size())];
    schedule.apply(chosen[rng.below(chosen.size())]);
  }
  return schedule;
}

// All of these steps, which should be possible.
inline model::Schedule scheduled(const std::shared_ptr<const model::Kernel>& kernel, std::string_view text) {
  model::Schedule schedule(kernel);
  const std::vector<model::Step> steps = *model::parseSteps(text);
  for (const model::Step& step : steps) EXPECT_TRUE(schedule.apply(step)) << step.text();
  return schedule;
}

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

}  // namespace ordo::fakes
