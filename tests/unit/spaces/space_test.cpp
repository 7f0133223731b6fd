#include "spaces/space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "notation/action.h"
#include "support/files.h"

namespace ordo::spaces {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ManifestRow row(std::string name, ProbeResult probe = {ProbeStatus::kOk, 1, 1, true, ""}) {
  return {name, RowKind::kPass,   "function",  fmt::format("function({})", name),
          "",   std::move(probe), std::nullopt};
}

class SpaceTest : public testing::Test {
 protected:
  void SetUp() override {
    dir_.emplace(*TempDir::create());
    std::filesystem::create_directory(dir_->path() / "spaces");
    manifest_.rows = {row("gvn"),
                      row("dce"),
                      row("licm", {ProbeStatus::kCrash, 0, 1, true, "died"}),
                      row("sink", {ProbeStatus::kOk, 1, 1, false, "differs"}),
                      row("chr", {ProbeStatus::kOk, 0, 1, true, ""}),
                      row("lower-atomic")};
    manifest_.rows.back().trap = Trap{TrapKind::kUnsound, "breaks threads"};
    manifest_.rows.push_back(
        {"+minsize", RowKind::kAttribute, "attribute", "+minsize", "", {}, std::nullopt});
  }

  Result<Space> load(std::string_view text) {
    EXPECT_TRUE(writeFile(dir_->path() / "spaces/mine.txt", text).has_value());
    return loadSpace(dir_->path(), "mine", manifest_);
  }

  std::optional<TempDir> dir_;
  Manifest manifest_;
};

TEST_F(SpaceTest, KeepsTheOrderOfTheFile) {
  const Result<Space> space = load("# the best first\ndce\n\n  gvn \r\n+minsize");
  ASSERT_TRUE(space.has_value()) << space.error().message;
  EXPECT_EQ(space->name, "mine");
  ASSERT_EQ(space->actions.size(), 3u);
  EXPECT_EQ(space->actions[0].name, "dce");
  EXPECT_EQ(space->actions[1].text, "function(gvn)");
  EXPECT_EQ(space->actions[2].kind, notation::kAttribute);
  EXPECT_THAT(space->unsafe, IsEmpty());
}

TEST_F(SpaceTest, OfASpaceThatGrewTheBeginningIsWhatItWas) {
  const Result<Space> before = load("dce\nlicm\n+minsize\n");
  const Result<Space> grown = load("dce\nlicm\n+minsize\nsink\ngvn\n");
  ASSERT_NE(grown->hash, before->hash);
  const Result<Space> found = beginning(*grown, before->hash);
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_EQ(spaceHash(found->actions), before->hash);
  EXPECT_EQ(found->hash, before->hash);
  EXPECT_EQ(found->name, "mine");
  EXPECT_THAT(found->unsafe, ElementsAre(1));
  EXPECT_EQ(beginning(*grown, grown->hash)->actions.size(), 5u);
}

TEST_F(SpaceTest, WhatWasPutInFrontIsNoBeginning) {
  const Hash128 before = load("dce\nlicm\n+minsize\n")->hash;
  for (const char* const changed :
       {"gvn\ndce\nlicm\n+minsize\n", "dce\ngvn\nlicm\n+minsize\n", "dce\nlicm\n"}) {
    const Result<Space> found = beginning(*load(changed), before);
    ASSERT_FALSE(found.has_value()) << changed;
    EXPECT_EQ(found.error().code, ErrorCode::kUnsupported);
    EXPECT_THAT(found.error().message, AllOf(HasSubstr("'mine'"), HasSubstr(before.hex())));
  }
}

TEST_F(SpaceTest, PointsOutWhatTheManifestWarnsOf) {
  EXPECT_THAT(load("gvn\nlicm\ndce\nsink\nlower-atomic\n")->unsafe, ElementsAre(1, 3, 4));
}

// These are stored in checkpoints and recipes: they may never change.
TEST_F(SpaceTest, TheHashIsStable) {
  EXPECT_EQ(spaceHash({}).hex(), hashBytes("").hex());
  EXPECT_EQ(load("gvn\n+minsize\n")->hash,
            hashBytes("gvn\tpipeline\tfunction(gvn)\n+minsize\tattribute\t+minsize\n"));
  EXPECT_EQ(load("gvn\n+minsize\n")->hash.hex(), "c9335463f9a6bb6b5159228561970dd2");
}

TEST_F(SpaceTest, TheHashChangesWithOrderNamesAndMeaning) {
  const Hash128 hash = load("gvn\ndce\n")->hash;
  EXPECT_EQ(load("# another comment\ngvn\n\ndce")->hash, hash);
  EXPECT_NE(load("dce\ngvn\n")->hash, hash);
  EXPECT_NE(load("gvn\n")->hash, hash);
  manifest_.rows[0].text = "function(gvn<no-pre>)";
  EXPECT_NE(load("gvn\ndce\n")->hash, hash);
}

TEST_F(SpaceTest, ErrorsNameTheLine) {
  EXPECT_THAT(load("gvn\n# c\ndse\n").error().message,
              HasSubstr("mine.txt: line 3: unknown action 'dse'; did you mean 'dce'?"));
  EXPECT_EQ(load("gvn\ndse\n").error().code, ErrorCode::kNotFound);
  EXPECT_THAT(load("gvn\ndce\ngvn\n").error().message, HasSubstr("line 3: 'gvn' is already on line 1"));
  EXPECT_THAT(load("gvn dce\n").error().message, HasSubstr("line 1: 'gvn dce' is not an action name"));
  EXPECT_THAT(load("# nothing\n\n").error().message, HasSubstr("there is no action in it"));
  EXPECT_EQ(load("").error().code, ErrorCode::kCorrupt);
}

TEST_F(SpaceTest, AnUnknownSpaceIsAnsweredWithTheNearest) {
  ASSERT_TRUE(load("gvn\n").has_value());
  EXPECT_THAT(listSpaces(dir_->path()), ElementsAre("mine"));
  const Result<Space> space = loadSpace(dir_->path(), "mien", manifest_);
  EXPECT_EQ(space.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(space.error().message, "unknown space 'mien'; did you mean 'mine'? known: mine");
}

TEST_F(SpaceTest, MayLieAnywhere) {
  const std::filesystem::path file = dir_->path() / "own.txt";
  ASSERT_TRUE(writeFile(file, "gvn\n").has_value());
  EXPECT_EQ(loadSpace("/nowhere", file.string(), manifest_)->name, "own");
  EXPECT_EQ(loadSpace(dir_->path(), "./none.txt", manifest_).error().code, ErrorCode::kNotFound);
}

TEST_F(SpaceTest, WhatIsWrittenReadsBackEqual) {
  const std::vector<std::string> names{"gvn", "loop-unroll<O3;full-unroll-max=4>", "-minsize"};
  EXPECT_EQ(*parseSpace(writeSpace(names, "two\nlines")), names);
  EXPECT_EQ(writeSpace({"gvn"}, "two\nlines"), "# two\n# lines\ngvn\n");
}

TEST_F(SpaceTest, TheFullSpaceIsWhatWorksAndDoesSomething) {
  manifest_.rows.push_back(row("oz-late"));
  manifest_.rows.back().kind = RowKind::kComposite;
  manifest_.rows.back().level = kPieceLevel;
  EXPECT_THAT(fullSpace(manifest_), ElementsAre("gvn", "dce"));
}

}  // namespace
}  // namespace ordo::spaces
