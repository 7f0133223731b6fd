#include "mlir/learned/fit.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "mlir/learned/answer.h"
#include "mlir/model/cost.h"
#include "mlir/model/limits.h"
#include "tests/fakes/kernels.h"

namespace ordo::learned {
namespace {

// A machine on which columns of more than one register are slow, which the model of costs does not know.
double timeOf(const model::Schedule& schedule) {
  return model::cost(schedule) * (schedule.progress(1).registers[1] > model::registers().lanes ? 4 : 1);
}

Group groupOf(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  Group group;
  const auto kernel = fakes::matmulKernel(rows, columns, 64);
  for (const model::Schedule& schedule :
       exploration(kernel, [](const auto& some) { return model::cost(some); }, 24, seed))
    group.push_back(sampleOf(rowsOf(schedule), timeOf(schedule)));
  return group;
}

TEST(Fit, LearnsWhatTheModelOfCostsDoesNotKnow) {
  std::vector<Group> groups, held_out;
  for (std::uint64_t i = 0; i < 24; ++i)
    groups.push_back(groupOf(static_cast<std::int64_t>(32 + 16 * (i % 4)),
                             static_cast<std::int64_t>(64 + 32 * (i % 3)), i));
  for (std::uint64_t i = 0; i < 20; ++i)
    held_out.push_back(groupOf(i % 2 == 0 ? 56 : 40, i % 2 == 0 ? 192 : 96, 100 + i));
  const Fit fitted = fit(groups, held_out, {.hidden = 16, .networks = 2, .epochs = 60});
  EXPECT_GT(fitted.share, 0.8);
  EXPECT_GT(fitted.share, fitted.share_of_costs + 0.05) << fitted.share_of_costs;
  EXPECT_EQ(fitted.networks.size(), 2u);
}

TEST(Fit, SamplesAreRowsOfEachOperation) {
  const model::Schedule schedule =
      fakes::scheduled(fakes::matmulKernel(48, 64, 32), "vectorize<4,32,1>;greedy");
  const Sample sample = sampleOf(rowsOf(schedule), 7);
  ASSERT_EQ(sample.operations.size(), 2u);
  EXPECT_EQ(sample.operations.front().size() + 1, rowNames().size());
  // Costs are kept as floats.
  EXPECT_NEAR(sample.cycles[0] + sample.cycles[1], model::cost(schedule), 1e-6 * model::cost(schedule));
  EXPECT_EQ(sample.time_ns, 7);
}

}  // namespace
}  // namespace ordo::learned
