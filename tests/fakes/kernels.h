// Small kernels as the model sees them, and schedules of them.
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

// The sum of each of `m` rows of `k` numbers.
inline std::shared_ptr<const model::Kernel> rowSums(std::int64_t m, std::int64_t k) {
  model::Operation sum;
  sum.name = "linalg.generic";
  sum.kind = model::Kind::kReduction;
  sum.extents = {m, k};
  sum.reductions = {false, true};
  sum.inputs = {{{{1, 0}, {0, 1}}, {m, k}, {}}};
  sum.output = {{{1, 0}}, {m}, {}};
  sum.flops = 1;
  sum.schedulable = sum.vectorizable = true;
  sum.uses = 1;
  return std::make_shared<const model::Kernel>(model::Kernel{"sums", {sum}});
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

}  // namespace ordo::fakes
