#include "timing/distributions.h"

#include <gtest/gtest.h>

#include "tests/unit/timing/oracle.h"

namespace ordo::timing {
namespace {

// Relative: the last digits of the oracle are SciPy's own error.
constexpr double kClose = 1e-9;

TEST(DistributionsTest, TheNormalOneIsSciPys) {
  for (const Json& row : oracle("normal_critical")) {
    const double p = row.at("p"), z = row.at("z");
    EXPECT_NEAR(normalCritical(p), z, kClose);
    EXPECT_NEAR(normalTail(z) / p, 1, kClose);
  }
}

TEST(DistributionsTest, StudentsIsSciPysAlsoFarOut) {
  for (const Json& row : oracle("student_tail")) {
    EXPECT_NEAR(studentTail(row.at("t"), row.at("df")) / row.at("p").get<double>(), 1, kClose) << row;
    EXPECT_NEAR(studentTail(-row.at("t").get<double>(), row.at("df")), 1 - row.at("p").get<double>(), kClose);
  }
  for (const Json& row : oracle("student_critical"))
    EXPECT_NEAR(studentCritical(row.at("p"), row.at("df")) / row.at("t").get<double>(), 1, kClose) << row;
}

}  // namespace
}  // namespace ordo::timing
