#include "llvm/ir/fingerprint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "llvm/ir/module.h"

namespace ordo::ir {
namespace {

std::map<std::string, Hash128> hashes(std::string_view ir) {
  const Result<OwnedModule> module = parse(ir, "test");
  EXPECT_TRUE(module) << module.error().message;
  std::map<std::string, Hash128> byName;
  for (const FunctionFingerprint& function : fingerprint(**module).functions)
    byName[function.name] = function.hash;
  return byName;
}

constexpr std::string_view kTriple = "target triple = \"x86_64-unknown-linux-gnu\"\n";

std::string module(std::string_view rest) { return std::string(kTriple) + std::string(rest); }

constexpr std::string_view kTwo = R"(
@word = internal constant [4 x i8] c"abc\00"
define i32 @first(i32 %x) #0 { %y = add i32 %x, 1  ret i32 %y }
define ptr @second(ptr %p) #1 { %v = load i8, ptr @word, !range !0  store i8 %v, ptr %p  ret ptr @word }
declare void @unused() #2
attributes #0 = { minsize optsize }
attributes #1 = { nounwind }
attributes #2 = { cold }
!0 = !{i8 0, i8 100}
)";

TEST(FingerprintTest, ListsWhatIsEmittedInOrderWithSizesAndAlignment) {
  const auto ir = parse(module(R"(
define i32 @small() #0 { ret i32 1 }
define available_externally i32 @elsewhere() { ret i32 2 }
define i32 @fast() { %x = call i32 @small()  ret i32 %x }
define i32 @asked() #0 align 32 { ret i32 3 }
declare void @declared()
attributes #0 = { minsize optsize }
)"),
                        "test");
  const std::vector<FunctionFingerprint> functions = fingerprint(**ir).functions;
  ASSERT_EQ(functions.size(), 3u);
  EXPECT_EQ(functions[0].name, "small");
  EXPECT_EQ(functions[0].instructions, 1u);
  EXPECT_EQ(functions[0].align, 1u);
  EXPECT_EQ(functions[1].name, "fast");
  EXPECT_EQ(functions[1].instructions, 2u);
  EXPECT_EQ(functions[1].align, 16u);
  EXPECT_EQ(functions[2].align, 32u);
}

TEST(FingerprintTest, NumbersOfAttributesAndMetadataDoNotCount) {
  std::string other = module(kTwo);
  // Another function in front renumbers all attributes, values of other functions and metadata.
  const std::size_t at = other.find("define i32 @first");
  other.insert(at, "define void @zeroth(ptr %p) #7 { %v = load i8, ptr %p, !range !7  ret void }\n");
  other += "attributes #7 = { noinline }\n!7 = !{i8 3, i8 4}\n";
  const auto before = hashes(module(kTwo));
  const auto after = hashes(other);
  EXPECT_EQ(before.at("first"), after.at("first"));
  EXPECT_EQ(before.at("second"), after.at("second"));
}

// Each change matters to one of the functions, and to that alone.
TEST(FingerprintTest, AllThatAFunctionRefersToCounts) {
  const struct {
    std::string_view from, to, function;
  } kChanges[] = {
      {"add i32 %x, 1", "add i32 %x, 2", "first"},
      {"add i32", "add nsw i32", "first"},
      {"minsize optsize", "optsize", "first"},
      {"i8 100", "i8 101", "second"},
      {"abc", "abd", "second"},
      {"internal constant", "internal global", "second"},
      {"{ nounwind }", "{ nounwind noinline }", "second"},
  };
  const auto before = hashes(module(kTwo));
  for (const auto& change : kChanges) {
    std::string changed = module(kTwo);
    changed.replace(changed.find(change.from), change.from.size(), change.to);
    const auto after = hashes(changed);
    for (const auto& [name, hash] : before)
      EXPECT_EQ(after.at(name) != hash, name == change.function) << name << ": " << change.to;
  }
}

TEST(FingerprintTest, ADeclarationCountsForItsCallersAndABodyDoesNot) {
  const std::string caller = "define i32 @caller() { %x = call i32 @callee()  ret i32 %x }\n";
  const auto one = hashes(module(caller + "define i32 @callee() { ret i32 1 }"));
  const auto two = hashes(module(caller + "define i32 @callee() { ret i32 2 }"));
  const auto fast = hashes(module(caller + "define fastcc i32 @callee() { ret i32 1 }"));
  EXPECT_EQ(one.at("caller"), two.at("caller"));
  EXPECT_NE(one.at("callee"), two.at("callee"));
  EXPECT_NE(one.at("caller"), fast.at("caller"));
}

TEST(FingerprintTest, UseListOrderCounts) {
  const std::string function = R"(
define i32 @f(i32 %x) {
  %a = add i32 %x, 1
  %b = mul i32 %x, 2
  %c = add i32 %a, %b
  ret i32 %c
)";
  EXPECT_NE(hashes(module(function + "}")), hashes(module(function + "uselistorder i32 %x, { 1, 0 }\n}")));
}

TEST(FingerprintTest, MetadataThatRefersToItselfEnds) {
  const auto loop = hashes(module(R"(
define void @f(i1 %x) {
entry:
  br label %loop
loop:
  br i1 %x, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
)"));
  EXPECT_EQ(loop.size(), 1u);
}

TEST(FingerprintTest, ModuleFlagsCountForAll) {
  const auto with = [](std::string_view level) {
    return hashes(module(std::string(kTwo) +
                         "!llvm.module.flags = !{!1}\n!1 = !{i32 8, !\"PIC Level\", i32 " +
                         std::string(level) + "}\n"));
  };
  const auto one = with("1");
  const auto two = with("2");
  for (const auto& [name, hash] : one) EXPECT_NE(hash, two.at(name)) << name;
}

TEST(FingerprintTest, NamesNeedNoQuotesToBeFound) {
  const std::string_view kText =
      "@\"odd name\" = internal constant i32 7\n"
      "define i32 @f() { %v = load i32, ptr @\"odd name\"  ret i32 %v }\n";
  std::string changed(kText);
  changed.replace(changed.find("i32 7"), 5, "i32 8");
  EXPECT_NE(hashes(module(kText)).at("f"), hashes(module(changed)).at("f"));
}

}  // namespace
}  // namespace ordo::ir
