// What every feature promises (llvm/features/feature.h), asked of the whole catalog.
#include "llvm/features/feature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/unit/llvm/features/sample.h"

namespace ordo::features {
namespace {

struct Sample {
  std::string_view name;
  std::string_view text;
};

constexpr Sample kSamples[] = {
    {"empty", ""},
    {"declarations only", "declare void @f()\ndeclare i32 @g(ptr, ...)"},
    {"globals only", R"(
@a = global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@b = internal constant ptr @a
@c = external thread_local global i8
@d = alias i32, ptr @a
!named = !{!0}
!0 = !{!"text", i32 1}
)"},
    {"switch and phis", R"(
define i32 @f(i32 %x) {
  switch i32 %x, label %join [ i32 1, label %join
                               i32 2, label %side ]
side:
  br label %join
join:
  %a = phi i32 [ 0, %0 ], [ 0, %0 ], [ %x, %side ]
  %b = phi i32 [ 1, %0 ], [ 1, %0 ], [ %x, %side ]
  %c = phi i32 [ 2, %0 ], [ 2, %0 ], [ %x, %side ]
  %d = phi i32 [ 3, %0 ], [ 3, %0 ], [ %x, %side ]
  %e = add i32 %a, %d
  ret i32 %e
})"},
    {"a switch without cases", R"(
define void @f(i32 %x) {
  switch i32 %x, label %end [ ]
end:
  ret void
})"},
    {"exceptions", R"(
declare void @f()
declare i32 @__gxx_personality_v0(...)
define void @g() personality ptr @__gxx_personality_v0 {
  invoke void @f() to label %fine unwind label %caught
fine:
  ret void
caught:
  %pad = landingpad { ptr, i32 } cleanup catch ptr null
  resume { ptr, i32 } %pad
})"},
    {"computed goto", R"(
@labels = constant [2 x ptr] [ptr blockaddress(@f, %a), ptr blockaddress(@f, %b)]
define void @f(ptr %to) {
  indirectbr ptr %to, [ label %a, label %b, label %a ]
a:
  br label %b
b:
  ret void
})"},
    {"assembly with labels", R"(
module asm ".globl nothing"
define void @f() {
  callbr void asm "", "!i"() to label %fine [ label %odd ]
fine:
  ret void
odd:
  unreachable
})"},
    {"vectors", R"(
define <4 x i32> @f(<4 x i32> %a, <vscale x 2 x i64> %s) {
  %b = add <4 x i32> %a, splat (i32 1)
  %c = shufflevector <4 x i32> %b, <4 x i32> poison, <4 x i32> zeroinitializer
  %d = add <vscale x 2 x i64> %s, splat (i64 1)
  ret <4 x i32> %c
})"},
    {"blocks that nothing reaches", R"(
define void @f() {
  unreachable
island:
  br label %island
})"},
    {"wide integers", R"(
define i1000 @f(i1000 %x) {
  %y = add i1000 %x, 1
  ret i1000 %y
})"},
};

class FeatureTest : public testing::TestWithParam<const FeatureInfo*> {
 protected:
  const FeatureInfo& feature() const { return *GetParam(); }

  std::string extract(const llvm::Module& module) const { return features::extract(feature().name, module); }
};

std::string testName(const testing::TestParamInfo<const FeatureInfo*>& info) {
  return std::string(info.param->name);
}

INSTANTIATE_TEST_SUITE_P(Catalog, FeatureTest, testing::ValuesIn(catalog().begin(), catalog().end()),
                         testName);

TEST_P(FeatureTest, HasAValidDescription) {
  EXPECT_FALSE(feature().name.empty());
  EXPECT_EQ(feature().name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"),
            std::string_view::npos);
  EXPECT_GE(feature().version, 1);
  EXPECT_FALSE(feature().summary.empty());
  EXPECT_FALSE(feature().summary.ends_with('.'));
  EXPECT_TRUE(feature().width == 0 || feature().columns == 0) << "a vector or a matrix";
}

TEST_P(FeatureTest, NamesAllElementsOrNone) {
  const auto names = feature().element_names;
  EXPECT_TRUE(names.empty() ||
              names.size() == (feature().columns == 0 ? feature().width : feature().columns));
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size()) << "names must differ";
  EXPECT_EQ(std::ranges::count(names, ""), 0);
}

TEST_P(FeatureTest, FillsItsWidth) {
  for (const Sample& sample : kSamples) {
    const std::string bytes = extract(*parseText(sample.text));
    const std::size_t elements = bytes.size() / elementBytes(feature().dtype);
    EXPECT_EQ(bytes.size() % elementBytes(feature().dtype), 0u) << sample.name;
    EXPECT_EQ(elements, feature().width == 0 ? elements : feature().width) << sample.name;
    if (feature().columns != 0) {
      EXPECT_EQ(elements % feature().columns, 0u) << sample.name;
    }
  }
}

TEST_P(FeatureTest, AppendsToWhatIsThere) {
  const ir::OwnedModule module = parseText(kSamples[3].text);
  const std::string alone = extract(*module);
  std::string bytes = "before";
  feature().extract(*module, bytes);
  EXPECT_EQ(bytes, "before" + alone);
}

TEST_P(FeatureTest, LeavesTheModuleAlone) {
  for (const Sample& sample : kSamples) {
    const ir::OwnedModule module = parseText(sample.text);
    const std::string before = ir::writeBitcode(*module);
    extract(*module);
    EXPECT_EQ(ir::writeBitcode(*module), before) << sample.name;
  }
}

TEST_P(FeatureTest, DependsOnTheIrAlone) {
  for (const Sample& sample : kSamples) {
    const ir::OwnedModule module = parseText(sample.text);
    const std::string bytes = extract(*module);
    EXPECT_EQ(extract(*module), bytes) << sample.name;
    const Result<ir::OwnedModule> same = ir::parse(ir::writeBitcode(*module), "elsewhere.bc");
    ASSERT_TRUE(same.has_value());
    EXPECT_EQ(extract(**same), bytes) << sample.name;
  }
}

TEST(CatalogTest, IsSortedByNameWithoutRepetition) {
  EXPECT_TRUE(std::ranges::is_sorted(catalog(), std::less_equal<>{}, &FeatureInfo::name));
}

TEST(CatalogTest, FindsWhatItListsAndNothingElse) {
  for (const FeatureInfo* feature : catalog()) EXPECT_EQ(find(feature->name), feature);
  EXPECT_EQ(find("no_such_feature"), nullptr);
  EXPECT_EQ(find(""), nullptr);
}

// Old names that are gone would break checkpoints; new ones are welcome.
TEST(CatalogTest, KeepsItsPublishedNames) {
  for (const char* name :
       {"autophase", "autophase_norm", "bitcode", "cpu_info", "func_properties", "inst_count",
        "inst_count_native", "inst_count_norm", "ir", "ir2vec", "ir2vec_flow", "ir2vec_flow_functions",
        "ir2vec_functions", "ir_hash", "linkage", "program_graph"}) {
    EXPECT_NE(find(name), nullptr) << name;
  }
}

TEST(BytesTest, TextBitcodeAndHashDescribeTheSameModule) {
  const ir::OwnedModule module = parseText(kSamples[3].text);
  const std::string bitcode = extract("bitcode", *module);
  EXPECT_EQ(extract("ir_hash", *module), hashBytes(bitcode).hex());
  const Result<ir::OwnedModule> from_bitcode = ir::parse(bitcode, "copy.bc");
  ASSERT_TRUE(from_bitcode.has_value());
  EXPECT_EQ(extract("ir_hash", **from_bitcode), extract("ir_hash", *module));
  EXPECT_EQ(extract("ir", **from_bitcode), extract("ir", *module));
}

TEST(BytesTest, TheHashSeesAChangeOfOneConstant) {
  EXPECT_NE(extract("ir_hash", *parseText("@a = global i32 1")),
            extract("ir_hash", *parseText("@a = global i32 2")));
}

}  // namespace
}  // namespace ordo::features
