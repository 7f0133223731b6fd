#include "llvm/ir/profile.h"

#include <gmock/gmock.h>
#include <llvm/IR/Module.h>
#include <llvm/ProfileData/InstrProf.h>

#include <string>

#include "llvm/ir/module.h"

namespace ordo::ir {
namespace {

using testing::ElementsAreArray;
using testing::IsEmpty;

constexpr std::string_view kBody = R"(
declare void @ext()
define i32 @hot(i32 %x, i1 %c) ATTRIBUTES ENTRIES {
entry:
  br i1 %c, label %one, label %two BRANCH
one:
  switch i32 %x, label %two [ i32 1, label %three
                              i32 2, label %three ]
two:
  br label %three
three:
  %y = select i1 %c, i32 %x, i32 7 SELECT
  ret i32 %y
}
define void @cold() {
  ret void
}
)";

constexpr std::string_view kSummary = R"(
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"ProfileSummary", !1}
!1 = !{!2, !3, !4, !5, !6, !7, !8, !9, !10, !11}
!2 = !{!"ProfileFormat", !"InstrProf"}
!3 = !{!"TotalCount", i64 100}
!4 = !{!"MaxCount", i64 60}
!5 = !{!"MaxInternalCount", i64 50}
!6 = !{!"MaxFunctionCount", i64 60}
!7 = !{!"NumCounts", i64 5}
!8 = !{!"NumFunctions", i64 2}
!9 = !{!"IsPartialProfile", i64 0}
!10 = !{!"PartialProfileRatio", double 0.0}
!11 = !{!"DetailedSummary", !12}
!12 = !{!13, !14}
!13 = !{i32 10000, i64 60, i32 1}
!14 = !{i32 999999, i64 2, i32 5}
!20 = !{!"function_entry_count", i64 60}
!21 = !{!"branch_weights", i32 50, i32 10}
!22 = !{!"branch_weights", i32 0, i32 60}
)";

std::string replaced(std::string text, std::string_view name, std::string_view by) {
  return text.replace(text.find(name), name.size(), by);
}

OwnedModule moduleOf(bool profiled) {
  std::string text(kBody);
  text = replaced(text, "ATTRIBUTES", profiled ? "inlinehint" : "");
  text = replaced(text, "ENTRIES", profiled ? "!prof !20" : "");
  text = replaced(text, "BRANCH", profiled ? ", !prof !21" : "");
  text = replaced(text, "SELECT", profiled ? ", !prof !22" : "");
  Result<OwnedModule> module = parse(text + std::string(profiled ? kSummary : ""), "sample.ll");
  EXPECT_TRUE(module) << module.error().message;
  return *std::move(module);
}

const std::vector<std::int64_t> kNumbers{2,     100,       60, 50,     60,         5, 2,
                                         10000, 60,        1,  999999, 2,          5,      // summary
                                         1,     60,        50, 10,     kNoWeights, 0, 60,  // @hot
                                         0,     kNoWeights};                               // @cold

TEST(ProfileTest, IsNumbersInTheOrderOfTheModule) {
  EXPECT_THAT(profileOf(*moduleOf(true)), ElementsAreArray(kNumbers));
  EXPECT_THAT(profileOf(*moduleOf(false)), IsEmpty());
}

TEST(ProfileTest, IsGivenToAModuleWithoutOne) {
  const OwnedModule module = moduleOf(false);
  EXPECT_TRUE(setProfile(*module, kNumbers));
  EXPECT_EQ(verify(*module), "");
  EXPECT_THAT(profileOf(*module), ElementsAreArray(kNumbers));
  EXPECT_FALSE(setProfile(*module, kNumbers)) << "it has one now";
}

TEST(ProfileTest, WhatLlvmCouldNotBearIsRefused) {
  const std::string untouched = print(*moduleOf(false));
  const auto refused = [&](std::size_t place, std::int64_t value) {
    std::vector<std::int64_t> wrong = kNumbers;
    wrong[place] = value;
    const OwnedModule module = moduleOf(false);
    return !setProfile(*module, wrong) && print(*module) == untouched;
  };
  EXPECT_TRUE(refused(0, -1)) << "no details";
  EXPECT_TRUE(refused(0, 1)) << "fewer details than are there";
  EXPECT_TRUE(refused(5, std::int64_t{1} << 32)) << "32 bits";
  EXPECT_TRUE(refused(7, 999999 + 1)) << "the next cutoff is lower";
  EXPECT_TRUE(refused(10, 999998)) << "the last cutoff; LLVM aborts where it finds no entry";
  EXPECT_TRUE(refused(13, 4)) << "no hotness";
  EXPECT_TRUE(refused(16, -1)) << "one weight of two";
  EXPECT_TRUE(refused(15, std::int64_t{1} << 32)) << "a weight";
}

// Where values are counted, and where not: a known length, and a call of what is known.
constexpr std::string_view kUsual = R"(
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @outside()
define i32 @a(ptr %f, ptr %g, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %g, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %g, i64 %n, i1 false) LENGTHS
  %x = call i32 %f()
  %y = call i32 %g() TARGETS
  %z = call i32 @outside()
  ret i32 %y
}
define i32 @b() {
  ret i32 1
}
)";

OwnedModule usualModule(bool profiled) {
  const std::uint64_t hash = llvm::IndexedInstrProf::ComputeHash("b");
  std::string text(kUsual);
  text = replaced(text, "LENGTHS", profiled ? ", !prof !30" : "");
  text = replaced(text, "TARGETS", profiled ? ", !prof !31" : "");
  if (profiled) {
    text += std::string(kSummary) + "!30 = !{!\"VP\", i32 1, i64 90, i64 8, i64 60, i64 24, i64 10}\n" +
            "!31 = !{!\"VP\", i32 0, i64 70, i64 12345, i64 40, i64 " +
            std::to_string(static_cast<std::int64_t>(hash)) + ", i64 30}\n";
  }
  Result<OwnedModule> module = parse(text, "sample.ll");
  EXPECT_TRUE(module) << module.error().message;
  return *std::move(module);
}

const std::vector<std::int64_t> kUsualNumbers{2,     100,        60, 50,         60, 5,  2,
                                              10000, 60,         1,  999999,     2,  5,       // summary
                                              0,     kNoWeights, 0,  kNoWeights,              // @a, @b
                                              0,     90,         2,  8,          60, 24, 10,  // memcpy
                                              2,     70,         1,  1,          30};         // %g

TEST(ProfileTest, WhatIsUsuallyCalledAndCopiedComesAfterThat) {
  EXPECT_THAT(profileOf(*usualModule(true)), ElementsAreArray(kUsualNumbers));
  const OwnedModule module = usualModule(false);
  EXPECT_TRUE(setProfile(*module, kUsualNumbers));
  EXPECT_EQ(verify(*module), "");
  EXPECT_THAT(profileOf(*module), ElementsAreArray(kUsualNumbers));
}

TEST(ProfileTest, WithoutThatItIsAProfileToo) {
  const std::vector<std::int64_t> less(kUsualNumbers.begin(), kUsualNumbers.end() - 12);
  const OwnedModule module = usualModule(false);
  EXPECT_TRUE(setProfile(*module, less));
  EXPECT_THAT(profileOf(*module), ElementsAreArray(less));
}

TEST(ProfileTest, UsualValuesThatCannotBeAreRefused) {
  const std::string untouched = print(*usualModule(false));
  const auto refused = [&](std::size_t from_end, std::int64_t value) {
    std::vector<std::int64_t> wrong = kUsualNumbers;
    wrong[wrong.size() - from_end] = value;
    const OwnedModule module = usualModule(false);
    return !setProfile(*module, wrong) && print(*module) == untouched;
  };
  EXPECT_TRUE(refused(1, 71)) << "more than in all";
  EXPECT_TRUE(refused(6, 31)) << "with the other, more than in all";
  EXPECT_TRUE(refused(2, 2)) << "no such function";
  EXPECT_TRUE(refused(3, 0)) << "no values";
  EXPECT_TRUE(refused(3, 2)) << "too few";
  EXPECT_TRUE(refused(4, 0)) << "in all";
  EXPECT_TRUE(refused(5, 0)) << "a site that was there before";
  EXPECT_TRUE(refused(5, 3)) << "no such site";
}

}  // namespace
}  // namespace ordo::ir
