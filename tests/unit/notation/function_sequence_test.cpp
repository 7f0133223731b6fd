#include "notation/function_sequence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "notation/action.h"

namespace ordo::notation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(FunctionSequenceTest, AttributesStandBeforePasses) {
  const FunctionSequence both = parseFunctionSequence("-optsize,+cold,sroa,loop-mssa(licm<allow;b>),gvn");
  EXPECT_THAT(both.attributes, ElementsAre("-optsize", "+cold"));
  EXPECT_EQ(both.passes, "sroa,loop-mssa(licm<allow;b>),gvn");
  const FunctionSequence attributes = parseFunctionSequence("+minsize,-cold");
  EXPECT_THAT(attributes.attributes, ElementsAre("+minsize", "-cold"));
  EXPECT_EQ(attributes.passes, "");
  const FunctionSequence passes = parseFunctionSequence("gvn,sroa");
  EXPECT_THAT(passes.attributes, IsEmpty());
  EXPECT_EQ(passes.passes, "gvn,sroa");
  const FunctionSequence nothing = parseFunctionSequence("");
  EXPECT_THAT(nothing.attributes, IsEmpty());
  EXPECT_EQ(nothing.passes, "");
  EXPECT_THAT(parseFunctionSequence("-").attributes, ElementsAre("-")) << "whoever applies it complains";
}

TEST(FunctionSequenceTest, PassesOfAnActionAreThoseInItsOnlyFunction) {
  const auto inside = [](const char* text, const char* kind = kPipeline) -> std::optional<std::string> {
    const env::Action action{"name", kind, text};
    const std::optional<std::string_view> passes = functionPasses(action);
    return passes ? std::optional<std::string>(*passes) : std::nullopt;
  };
  EXPECT_EQ(inside("function(sroa)"), "sroa");
  EXPECT_EQ(inside("function<eager-inv>(sroa,gvn)"), "sroa,gvn");
  EXPECT_EQ(inside("function(loop(licm),loop-mssa(a),b<c;d>)"), "loop(licm),loop-mssa(a),b<c;d>");
  EXPECT_EQ(inside("function()"), "");
  for (const char* other :
       {"", "function", "function(", "globaldce", "function(a),function(b)", "function(a),b", "a,function(b)",
        "cgscc(function(a))", "function(a),globaldce,function(b)", "functions(a)", "function(a) ",
        "function(a),(b)"})
    EXPECT_EQ(inside(other), std::nullopt) << other;
  EXPECT_EQ(inside("function(sroa)", kAttribute), std::nullopt);
  EXPECT_EQ(inside("function(sroa)", kCodegen), std::nullopt);
}

TEST(FunctionSequenceTest, ChoicesAreReadAsTheyWereWritten) {
  const env::Choices choices{{"sroa", "-optsize,gvn", "+cold"}, {{"a b,\"c\"", 1}, {"\x01\xff", 2}}};
  const Result<env::Choices> read = parseChoices(env::choose(choices).text, "here");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, choices);
}

TEST(FunctionSequenceTest, WhatStockOptCouldNotBeToldIsRefused) {
  const std::pair<env::Choices, const char*> wrong[] = {
      {{{"+cold,sroa", "a"}, {}}, "the first sequence"},
      {{{"-optsize", "a"}, {{"f", 1}}}, "the first sequence"},
      {{{"", "a"}, {{"f", 1}, {"a:b", 1}}}, "'a:b', for the colon"},
      {{{"", "+optnone,a"}, {{"f", 1}}}, "optnone"},
      {{{"", "-optnone"}, {{"f", 1}}}, "optnone"},
      {{{"", "-cold,a", "-cold,+optsize,+cold"}, {{"f", 1}}}, "'-cold'"},
      {{{"", "-nounwind"}, {{"llvm.memcpy.p0.p0.i64", 1}}}, "an intrinsic"},
  };
  for (const auto& [choices, why] : wrong) {
    const std::string text = env::choose(choices).text;
    const Result<env::Choices> read = parseChoices(text, "the place");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(read.error().message, testing::AllOf(HasSubstr("the place"), HasSubstr(why)));
  }
  EXPECT_TRUE(parseChoices(env::choose({{"", "-cold,-cold"}, {{"f", 1}}}).text, "the same twice"));
}

TEST(FunctionSequenceTest, ActionsWithSuchChoicesAreOfNoKind) {
  const std::array<env::Action, 1> good{env::choose({{"sroa", "gvn"}, {{"f", 1}}})};
  EXPECT_TRUE(checkKinds(good));
  const std::array<env::Action, 1> none{{{"choose<1>", kChoices, "gvn"}}};
  EXPECT_FALSE(checkKinds(none));
  const std::array<env::Action, 1> colon{env::choose({{"", "gvn"}, {{"a:b", 1}}})};
  const Status status = checkKinds(colon);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr(colon[0].name));
}

}  // namespace
}  // namespace ordo::notation
