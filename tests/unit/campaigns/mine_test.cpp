#include "campaigns/mine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/harvest_store.h"
#include "notation/action.h"
#include "support/files.h"
#include "tests/fakes/engine_fixture.h"

namespace ordo::campaigns {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class MineTest : public engine::EngineFixture {
 protected:
  MineTest() {
    space_.name = "small";
    for (const char* text : {"function(sroa<modify-cfg>)", "function(instcombine<no-verify-fixpoint>)",
                             "function(simplifycfg)", "globaldce"})
      space_.actions.push_back({text, notation::kPipeline, text});
    options_.budget = {.evaluations = 20};
    options_.save = [&](const search::KnowledgeFile& file) {
      saved_.push_back(file.programs.size());
      return Status();
    };
    options_.note = [&](std::string_view text) { notes_ += text; };
  }

  std::string add(const std::string& name, std::string_view text) {
    const std::string path = (dir_.path() / name).string();
    EXPECT_TRUE(writeFile(path, text));
    options_.programs.push_back(path);
    return path;
  }

  TempDir dir_ = *TempDir::create();
  spaces::Space space_;
  MineOptions options_;
  std::vector<std::size_t> saved_;
  std::string notes_;
};

constexpr std::string_view kSum = R"(
int sum(const int* values, int count) {
  int all = 0;
  for (int i = 0; i < count; i++) all += values[i] + 0 * i;
  return all;
})";
constexpr std::string_view kSign = "int sign(int x) { if (x < 0) return -1; else return x > 0; }";

TEST_F(MineTest, LearnsFromEveryProgramOnceAndGoesOnWhereItWas) {
  add("sum.c", kSum);
  const auto first = mine(*engine_, space_, options_, {});
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_EQ(first->programs.size(), 1u);
  EXPECT_EQ(first->programs[0].features.size(), 56u);
  EXPECT_GE(first->programs[0].gain, 0);
  ASSERT_FALSE(first->synergies.empty());
  EXPECT_EQ(first->synergies[0].programs, 1);

  add("broken.c", "int main( {");
  add("sign.c", kSign);
  saved_.clear();
  const auto second = mine(*engine_, space_, options_, *first);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->programs.size(), 2u);
  EXPECT_THAT(saved_, ElementsAre(2, 2)) << "after the program that was new, and with the coreset";
  EXPECT_THAT(notes_, HasSubstr("broken.c is left out"));
  EXPECT_TRUE(search::parseKnowledge(search::writeKnowledge(*second), "second"));
}

TEST_F(MineTest, WhatOthersLookAtComesToTheSame) {
  add("sum.c", kSum);
  add("sign.c", kSign);
  const auto here = mine(*engine_, space_, options_, {});
  ASSERT_TRUE(here) << here.error().message;
  options_.elsewhere = [&](const std::string& uri) {
    MineOptions one = options_;
    one.elsewhere = nullptr;
    one.programs = {uri};
    one.coreset = 0;
    one.save = [](const search::KnowledgeFile&) { return Status(); };
    return mine(*engine_, space_, one, {});
  };
  const auto there = mine(*engine_, space_, options_, {});
  ASSERT_TRUE(there) << there.error().message;
  EXPECT_EQ(search::writeKnowledge(*there), search::writeKnowledge(*here));
}

TEST_F(MineTest, TakesTheSameIrFromOthersOnce) {
  add("sum.c", kSum);
  const auto own = mine(*engine_, space_, options_, {});
  ASSERT_TRUE(own) << own.error().message;
  const std::string again = add("again.c", kSum);
  options_.elsewhere = [&](const std::string&) {
    search::KnowledgeFile same = *own;
    same.programs[0].uri = again;
    return same;
  };
  const auto both = mine(*engine_, space_, options_, *own);
  ASSERT_TRUE(both) << both.error().message;
  EXPECT_EQ(both->programs.size(), 1u);
  EXPECT_EQ(both->synergies.size(), own->synergies.size());
  EXPECT_THAT(notes_, HasSubstr("again.c is left out: its IR is that of a program before it"));
}

TEST_F(MineTest, RefusesWhatWasNotAskedFor) {
  add("sum.c", kSum);
  const auto own = mine(*engine_, space_, options_, {});
  ASSERT_TRUE(own) << own.error().message;
  search::KnowledgeFile other = *own;
  options_.elsewhere = [&](const std::string&) { return other; };
  other.backend_version = "23.1.0";
  EXPECT_THAT(mine(*engine_, space_, options_, {}).error().message,
              HasSubstr("mined by another Ordo or LLVM (llvm 23.1.0)"));
  other = *own;
  other.programs[0].uri = "else.c";
  EXPECT_THAT(mine(*engine_, space_, options_, {}).error().message, HasSubstr("else.c mined"));
  options_.elsewhere = [](const std::string&) -> Result<search::KnowledgeFile> {
    return fail(ErrorCode::kUnavailable, "the cluster is gone");
  };
  EXPECT_EQ(mine(*engine_, space_, options_, {}).error().code, ErrorCode::kUnavailable);
}

TEST_F(MineTest, LeavesOutWhatIsTooLarge) {
  add("sign.c", kSign);
  options_.max_instructions = 3;
  EXPECT_TRUE(mine(*engine_, space_, options_, {})->programs.empty());
  EXPECT_THAT(notes_, HasSubstr("instructions, more than 3"));
}

TEST_F(MineTest, DoesNotMixWhatWasMinedDifferently) {
  add("sum.c", kSum);
  search::KnowledgeFile other;
  other.programs.emplace_back();
  EXPECT_EQ(mine(*engine_, space_, options_, other).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(MineTest, RefusesWhatIsKeptForValidationBeforeItTriesAnything) {
  add("sum.c", kSum);
  options_.programs.push_back("debian/cmark/a.c");
  const datasets::HarvestStore store(dir_.path() / "harvest");
  ASSERT_TRUE(store.prepare());
  const std::string bitcode = "BC\xC0\xDE";
  ASSERT_TRUE(store.addModule(hashBytes(bitcode), bitcode));
  datasets::PackageRecord record;
  record.package = "cmark";
  record.modules.push_back({"a.c", hashBytes(bitcode), "c", {}});
  ASSERT_TRUE(store.addRecord(record));
  ::setenv("ORDO_DATASETS", store.dir().c_str(), 1);
  const auto refused = mine(*engine_, space_, options_, {});
  ::unsetenv("ORDO_DATASETS");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message, HasSubstr("the part for validation"));
  EXPECT_TRUE(saved_.empty());
}

TEST_F(MineTest, StopsWhenAskedToAndReportsWhatCannotBeSaved) {
  add("sum.c", kSum);
  const std::atomic<bool> stop = true;
  options_.stop = &stop;
  EXPECT_TRUE(mine(*engine_, space_, options_, {})->programs.empty());
  options_.stop = nullptr;
  options_.save = [](const search::KnowledgeFile&) -> Status {
    return fail(ErrorCode::kUnavailable, "the disk is full");
  };
  EXPECT_EQ(mine(*engine_, space_, options_, {}).error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace ordo::campaigns
