#include "campaigns/eval_courier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::campaigns {
namespace {

using testing::HasSubstr;

// A cluster of one machine that says what it was asked for, and fails.
TEST(EvalCourierTest, APacketIsAnEvalAndItsFailureNamesTheMachine) {
  const TempDir dir = *TempDir::create();
  const std::filesystem::path program = dir.path() / "x.ll";
  ASSERT_TRUE(writeFile(program, "define void @f() {\n  ret void\n}\n"));
  const std::filesystem::path asked = dir.path() / "asked";
  const auto cluster = cluster::Cluster::join(
      {.helper = {"sh", "-c",
                  "echo '{\"slots\": 1, \"nodes\": \"\"}'; read -r line; printf '%s' \"$line\" >" +
                      asked.string() +
                      "; echo '{\"packet\": 3, \"node\": \"two\", \"code\": 69, \"words\": \"no clang-22\", "
                      "\"output\": \"\"}'; read -r line"}});
  ASSERT_TRUE(cluster) << cluster.error().message;
  EvalCourier courier(**cluster, {.learned = {}, .evaluation = true, .compiles = 50});
  const study::RunKey key{"random", program.string(), "ir_instructions", 7};
  study::RunKey other = key;
  other.method = "greedy";
  ASSERT_TRUE(courier.send(3, {key, other}));
  const auto arrival = courier.receive();
  ASSERT_FALSE(arrival);
  EXPECT_EQ(arrival.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(arrival.error().message, HasSubstr("two could not make a packet (exit 69): no clang-22"));
  const std::string line = *readFile(asked);
  EXPECT_THAT(line, HasSubstr("\"--methods\",\"random,greedy\""));
  EXPECT_THAT(line, HasSubstr("\"--first-seed\",\"7\""));
  EXPECT_THAT(line, HasSubstr("\"--compiles\",\"50\""));
  EXPECT_THAT(line, HasSubstr("\"--evaluation\""));
}

}  // namespace
}  // namespace ordo::campaigns
