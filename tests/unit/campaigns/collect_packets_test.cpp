#include "campaigns/collect_packets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experience/reader.h"
#include "search/catalog/catalog.h"
#include "support/files.h"

namespace ordo::campaigns {
namespace {

using testing::HasSubstr;

// What comes back is a file that a script hands out for every packet.
class CollectPacketsTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(writeFile(program_, "define void @f() {\n  ret void\n}\n"));
    header_ = {"llvm", "22.1.8", "size", Hash128{1, 2}, "clang-Oz", "40evals", "none",
               60,     5000,     8,      {"a", "b"}};
    options_.programs = {program_};
    options_.searchers = {search::find("random"), search::find("greedy")};
    options_.objectives = {{.metric = "ir_instructions", .screen = ""}};
  }

  // Writes what a machine sends.
  void prepare(const experience::Header& header, const std::vector<experience::Record>& records) {
    const auto writer = experience::Writer::open(sent_, header);
    ASSERT_TRUE(writer) << writer.error().message;
    for (const experience::Record& record : records) ASSERT_TRUE((*writer)->add(record));
  }

  experience::Run runOf(std::string searcher) const {
    experience::Run run;
    run.key = {program_, "ir_instructions", std::move(searcher), 1};
    return run;
  }

  Result<CollectProgress> collect() {
    const std::string script =
        "echo '{\"slots\": 1, \"nodes\": \"\"}'; read -r line; printf '%s' \"$line\" >" + asked_.string() +
        "; cp " + sent_.string() + " " + (dir_.path() / "copy").string() +
        "; echo '{\"packet\": 0, \"node\": \"two\", \"code\": 0, \"words\": \"\", \"output\": \"" +
        (dir_.path() / "copy").string() + "\"}'; read -r line";
    ORDO_TRY_ASSIGN(const auto cluster, cluster::Cluster::join({.helper = {"sh", "-c", script}}));
    ORDO_TRY_ASSIGN(const auto writer, experience::Writer::open(file_, header_));
    return collectElsewhere(*cluster, "size", {}, header_, *writer, options_);
  }

  const TempDir dir_ = *TempDir::create();
  const std::string program_ = (dir_.path() / "x.ll").string();
  const std::filesystem::path sent_ = dir_.path() / "sent.jsonl", file_ = dir_.path() / "e.jsonl",
                              asked_ = dir_.path() / "asked";
  experience::Header header_;
  CollectOptions options_;
};

TEST_F(CollectPacketsTest, AddsWhatComesBackAndDoesNotAskForItAgain) {
  prepare(header_, {runOf("random"), runOf("greedy")});
  const auto progress = collect();
  ASSERT_TRUE(progress) << progress.error().message;
  EXPECT_EQ(progress->done, 2u);
  EXPECT_EQ(progress->made, 2u);
  EXPECT_FALSE(progress->stopped);
  EXPECT_THAT(*readFile(asked_), HasSubstr("\"--searchers\",\"random,greedy\""));
  EXPECT_EQ(collect()->made, 0u);
}

TEST_F(CollectPacketsTest, AProgramThatIsLeftOutIsSoHere) {
  prepare(header_, {experience::Omission{program_, "", "too large"}});
  const auto progress = collect();
  ASSERT_TRUE(progress) << progress.error().message;
  EXPECT_EQ(progress->left_out, 2u);
  EXPECT_THAT(*readFile(file_), HasSubstr("too large"));
}

TEST_F(CollectPacketsTest, WhatWasNotAskedForIsRefused) {
  experience::Header other = header_;
  other.version = "23.1.0";
  prepare(other, {});
  EXPECT_THAT(collect().error().message, HasSubstr("two has another Ordo or LLVM (llvm 23.1.0)"));
  std::filesystem::remove(sent_);
  prepare(header_, {runOf("evolutionary")});
  EXPECT_THAT(collect().error().message, HasSubstr("unasked"));
}

}  // namespace
}  // namespace ordo::campaigns
