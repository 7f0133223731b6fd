#include "cluster/cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::cluster {
namespace {

using testing::HasSubstr;

// A cluster whose helper is a script of sh.
Result<std::unique_ptr<Cluster>> joinScript(const std::string& script) {
  return Cluster::join({.address = "auto", .helper = {"sh", "-c", script}});
}

constexpr const char* kReady = R"(echo '{"slots": 4, "nodes": "one 0 done on 4"}'; )";

TEST(ClusterTest, SendsPacketsAndTakesWhatBecameOfThem) {
  const auto cluster = joinScript(std::string(kReady) + R"sh(
    read -r first; read -r second
    case $second in *'"packet":8,"arguments":["eval","x"]'*'"output":"s"'*) code=0 ;; *) code=9 ;; esac
    echo '{"packet": 8, "node": "two", "code": '$code', "words": "w", "output": "/tmp/8"}'
    echo '{"slots": 5, "nodes": "two 1 done on 5"}'
    echo '{"packet": 7, "node": "one", "code": 64, "words": "", "output": ""}'
    read -r none)sh");
  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_EQ((*cluster)->nodes(), "one 0 done on 4");
  ASSERT_TRUE((*cluster)->send(7, {}));
  ASSERT_TRUE((*cluster)->send(8, {.arguments = {"eval", "x"}, .output = "s"}));
  const auto eight = (*cluster)->receive();
  ASSERT_TRUE(eight) << eight.error().message;
  EXPECT_EQ(eight->packet, 8u);
  EXPECT_EQ(eight->exit_code, 0);
  EXPECT_EQ(eight->output, "/tmp/8");
  const auto seven = (*cluster)->receive();
  EXPECT_EQ(seven->exit_code, 64);
  EXPECT_TRUE(seven->output.empty());
  EXPECT_EQ((*cluster)->nodes(), "two 1 done on 5");
  EXPECT_EQ((*cluster)->away(), 0u);
}

TEST(ClusterTest, HasRoomForAQuarterMoreThanThereAreProcessors) {
  const auto cluster = joinScript(std::string(kReady) + "cat >/dev/null");
  for (std::uint64_t i = 0; i < 5; ++i) {
    EXPECT_TRUE((*cluster)->hasRoom());
    ASSERT_TRUE((*cluster)->send(i, {}));
  }
  EXPECT_FALSE((*cluster)->hasRoom());
}

TEST(ClusterTest, SaysWhyItIsNotToBeHad) {
  const auto dead = joinScript("echo nothing listens there >&2; exit 1");
  ASSERT_FALSE(dead);
  EXPECT_EQ(dead.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(dead.error().message, HasSubstr("nothing listens there"));
  const auto absent = Cluster::join({.address = "auto", .helper = {"no-such-program-at-all"}});
  EXPECT_THAT(absent.error().message, HasSubstr("ORDO_PYTHON"));
}

TEST(ClusterTest, WhatIsLostAgainAndAgainIsAnError) {
  const auto cluster = joinScript(std::string(kReady) +
                                  R"sh(read -r p; echo '{"packet": 1, "lost": "no memory"}'; read -r p)sh");
  ASSERT_TRUE((*cluster)->send(1, {}));
  EXPECT_THAT((*cluster)->receive().error().message, HasSubstr("lost: no memory"));
}

TEST(ClusterTest, DoesNotTrustTheHelper) {
  for (const char* line : {"x", "[]", "{}", R"({"packet": 2})", R"({"packet": 1, "node": 3})",
                           R"({"slots": "many", "nodes": ""})", R"({"packet": -1})"}) {
    const auto cluster = joinScript(fmt::format("{} read -r p; echo '{}'; read -r p", kReady, line));
    ASSERT_TRUE((*cluster)->send(1, {}));
    const auto arrival = (*cluster)->receive();
    ASSERT_FALSE(arrival) << line;
    EXPECT_EQ(arrival.error().code, ErrorCode::kCorrupt) << line;
  }
}

TEST(ClusterTest, AnInputThatIsNotThereIsNotSent) {
  const auto cluster = joinScript(std::string(kReady) + "cat >/dev/null");
  EXPECT_EQ((*cluster)->send(1, {.inputs = {{"a.c", "/proc/nonexistent/a.c"}}}).error().code,
            ErrorCode::kNotFound);
  EXPECT_EQ((*cluster)->away(), 0u);
}

}  // namespace
}  // namespace ordo::cluster
