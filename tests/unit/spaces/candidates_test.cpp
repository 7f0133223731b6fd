#include "spaces/candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::spaces {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

env::BackendInfo fakeBackend() {
  env::BackendInfo info;
  info.transforms = {{"globalopt", "module", ""},
                     {"print", "module", "<structural-hash><detailed>"},
                     {"print", "module", ""},
                     {"default", "module", "<O0;O1>"},
                     {"inline", "cgscc", "<only-mandatory>"},
                     {"guard-widening", "function", ""},
                     {"gvn", "function", "<no-pre;pre>"},
                     {"gvn", "function", ""},
                     {"loop-flatten", "loopnest", ""},
                     {"guard-widening", "loop", ""},
                     {"licm", "loop", "<allowspeculation>"},
                     {"machine-cse", "machine-function", ""}};
  return info;
}

const Candidate& find(const Candidates& candidates, std::string_view name) {
  const auto found = std::find_if(candidates.actions.begin(), candidates.actions.end(),
                                  [&](const Candidate& candidate) { return candidate.name == name; });
  EXPECT_NE(found, candidates.actions.end()) << name;
  return *found;
}

TEST(CandidatesTest, NestsEachLevelFromTheModule) {
  const Result<Candidates> candidates = findCandidates(fakeBackend(), "");
  ASSERT_TRUE(candidates.has_value());
  EXPECT_THAT(candidates->actions, SizeIs(7));
  EXPECT_THAT(find(*candidates, "globalopt").texts, ElementsAre("globalopt"));
  EXPECT_THAT(find(*candidates, "inline").texts, ElementsAre("cgscc(inline)"));
  EXPECT_THAT(find(*candidates, "gvn").texts, ElementsAre("function(gvn)"));
  EXPECT_THAT(find(*candidates, "licm").texts,
              ElementsAre("function(loop(licm))", "function(loop-mssa(licm))"));
  EXPECT_THAT(find(*candidates, "loop-flatten").texts,
              ElementsAre("function(loop(loop-flatten))", "function(loop-mssa(loop-flatten))"));
  EXPECT_EQ(find(*candidates, "licm").params, "<allowspeculation>");
  EXPECT_EQ(find(*candidates, "licm").neutral, "function(loop(no-op-loop))");
  EXPECT_EQ(find(*candidates, "gvn").neutral, "");
}

TEST(CandidatesTest, APassAtTwoLevelsIsTwoActions) {
  const Result<Candidates> candidates = findCandidates(fakeBackend(), "");
  EXPECT_THAT(find(*candidates, "guard-widening").texts, ElementsAre("function(guard-widening)"));
  EXPECT_EQ(find(*candidates, "loop(guard-widening)").texts.front(), "function(loop(guard-widening))");
}

TEST(CandidatesTest, WhatOnlyLooksIsSkippedOnceWithAReason) {
  const Result<Candidates> candidates = findCandidates(fakeBackend(), "");
  EXPECT_THAT(candidates->skipped,
              ElementsAre(Skipped{"print", "module", "prints"},
                          Skipped{"default", "module", "a pipeline; its levels are composites"},
                          Skipped{"machine-cse", "machine-function", "works on machine code"}));
}

TEST(CandidatesTest, AddsVariantsCompositesAttributesAndChoices) {
  const Result<Candidates> candidates =
      findCandidates(fakeBackend(),
                     "# chosen by hand\n\ngvn<no-pre>\nbare-O1 = default<O1>\n+minsize\n"
                     "codegen<misched=ilpmax>\noption<inline-threshold=-25>\n",
                     {{"clang-O1", "gvn,dce"}});
  ASSERT_TRUE(candidates.has_value()) << candidates.error().message;
  const Candidate& variant = find(*candidates, "gvn<no-pre>");
  EXPECT_EQ(variant.kind, RowKind::kVariant);
  EXPECT_EQ(variant.params, "<no-pre;pre>");
  EXPECT_THAT(variant.texts, ElementsAre("function(gvn<no-pre>)"));
  EXPECT_EQ(find(*candidates, "bare-O1").kind, RowKind::kComposite);
  EXPECT_THAT(find(*candidates, "bare-O1").texts, ElementsAre("default<O1>"));
  EXPECT_EQ(find(*candidates, "+minsize").kind, RowKind::kAttribute);
  EXPECT_THAT(find(*candidates, "+minsize").texts, ElementsAre("+minsize"));
  EXPECT_EQ(find(*candidates, "codegen<misched=ilpmax>").kind, RowKind::kCodegen);
  EXPECT_THAT(find(*candidates, "codegen<misched=ilpmax>").texts, ElementsAre("-misched=ilpmax"));
  EXPECT_EQ(find(*candidates, "option<inline-threshold=-25>").kind, RowKind::kOption);
  EXPECT_THAT(find(*candidates, "option<inline-threshold=-25>").texts, ElementsAre("-inline-threshold=-25"));
  EXPECT_THAT(find(*candidates, "clang-O1").texts, ElementsAre("gvn,dce"));
}

TEST(CandidatesTest, ErrorsNameTheLine) {
  auto complaint = [](std::string_view variants) {
    return findCandidates(fakeBackend(), variants).error().message;
  };
  EXPECT_THAT(complaint("gvn<no-pre>\nnope<x>\n"),
              HasSubstr("line 2: 'nope<x>' is not a pass with parameters"));
  EXPECT_THAT(complaint("option<time-passes=1>\n"), HasSubstr("is no option of passes"));
  EXPECT_THAT(complaint("gvn\n"), HasSubstr("line 1: 'gvn' is not a pass with parameters"));
  EXPECT_THAT(complaint("gvn<no-pre>\ngvn<no-pre>\n"), HasSubstr("line 2: 'gvn<no-pre>' is taken"));
  EXPECT_THAT(complaint("two words = gvn\n"), HasSubstr("line 1: 'two words' is not an action name"));
  EXPECT_EQ(findCandidates(fakeBackend(), "", {{"gvn", "dce"}}).error().code, ErrorCode::kInvalidArgument);
}

TEST(CandidatesTest, APieceIsACompositeOfItsOwnLevel) {
  const Result<Candidates> candidates =
      findCandidates(fakeBackend(), "piece clean = globalopt,function(gvn)\n");
  ASSERT_TRUE(candidates.has_value()) << candidates.error().message;
  const Candidate& piece = find(*candidates, "clean");
  EXPECT_EQ(piece.kind, RowKind::kComposite);
  EXPECT_EQ(piece.level, kPieceLevel);
  EXPECT_THAT(piece.texts, ElementsAre("globalopt,function(gvn)"));
  for (const char* line : {"piece gvn<no-pre>", "piece +minsize", "piece ", "piece two words = gvn"})
    EXPECT_EQ(findCandidates(fakeBackend(), line).error().code, ErrorCode::kCorrupt) << line;
}

}  // namespace
}  // namespace ordo::spaces
