#include "campaigns/mine_packets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::campaigns {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The machines are a script that takes two packets and hands out their files, the second one first.
class MinePacketsTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const std::string& uri : programs_)
      ASSERT_TRUE(writeFile(uri, "define void @f() {\n  ret void\n}\n"));
    options_.note = [&](std::string_view text) { notes_.emplace_back(text); };
  }

  // Writes what comes back for a packet.
  std::string sends(std::size_t number, const std::vector<std::string>& mined, std::string_view words = "") {
    search::KnowledgeFile file;
    file.backend = "llvm";
    file.backend_version = "22.1.8";
    file.space = "size";
    file.objective = "ir_instructions";
    file.baseline = "clang-Oz";
    file.observation = "autophase_norm";
    file.budget = "evolutionary, 1000evals";
    for (const std::string& uri : mined)
      file.programs.push_back({uri, Hash128{1, number}, {1.0}, {"a"}, 0.1});
    const std::string path = (dir_.path() / fmt::format("sent{}", number)).string();
    EXPECT_TRUE(writeFile(path, search::writeKnowledge(file)));
    return fmt::format(
        R"(echo '{{"packet": {}, "node": "two", "code": 0, "words": "{}", "output": "{}"}}'; )", number,
        words, path);
  }

  std::unique_ptr<cluster::Cluster> machines(const std::string& script) {
    const std::string all = "echo '{\"slots\": 2, \"nodes\": \"\"}'; read -r line; echo \"$line\" >" +
                            asked_.string() + "; read -r line; " + script + "read -r line";
    auto cluster = cluster::Cluster::join({.helper = {"sh", "-c", all}});
    EXPECT_TRUE(cluster) << cluster.error().message;
    return *std::move(cluster);
  }

  const TempDir dir_ = *TempDir::create();
  const std::vector<std::string> programs_{(dir_.path() / "x.ll").string(), (dir_.path() / "y.ll").string()};
  const std::filesystem::path asked_ = dir_.path() / "asked";
  std::vector<std::string> notes_;
  MineOptions options_;
};

TEST_F(MinePacketsTest, TellsInTheOrderInWhichItIsAsked) {
  const auto cluster = machines(sends(1, {programs_[1]}) + sends(0, {programs_[0]}));
  MinePackets packets(*cluster, "size", options_, programs_);
  for (const std::string& uri : programs_) {
    const auto mined = packets.mine(uri);
    ASSERT_TRUE(mined) << mined.error().message;
    ASSERT_EQ(mined->programs.size(), 1u);
    EXPECT_EQ(mined->programs[0].uri, uri);
  }
  EXPECT_THAT(*readFile(asked_), HasSubstr(R"("--budget","1000evals")"));
  EXPECT_THAT(*readFile(asked_), HasSubstr(R"("--baseline","clang-Oz")"));
}

TEST_F(MinePacketsTest, SaysWhyAProgramIsLeftOut) {
  const auto cluster = machines(sends(0, {}, "x.ll is left out: it is too large\\\\n"));
  MinePackets packets(*cluster, "size", options_, programs_);
  const auto mined = packets.mine(programs_[0]);
  ASSERT_TRUE(mined) << mined.error().message;
  EXPECT_TRUE(mined->programs.empty());
  EXPECT_THAT(notes_, ElementsAre("x.ll is left out: it is too large"));
}

TEST_F(MinePacketsTest, WhatIsNoKnowledgeIsRefused) {
  const std::string script = sends(0, {});
  ASSERT_TRUE(writeFile((dir_.path() / "sent0").string(), "{}"));
  const auto cluster = machines(script);
  MinePackets packets(*cluster, "size", options_, programs_);
  const auto mined = packets.mine(programs_[0]);
  ASSERT_FALSE(mined);
  EXPECT_THAT(mined.error().message, HasSubstr("x.ll of two"));
}

}  // namespace
}  // namespace ordo::campaigns
