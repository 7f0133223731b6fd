#include "notation/codegen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "notation/action.h"

namespace ordo::notation {
namespace {

TEST(NotationCodegenTest, WhatIsWrittenIsRead) {
  const Result<Codegen> read = parseCodegen(write({3, "static", "kernel", true, true}), "x");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->level, 3);
  EXPECT_EQ(read->relocation, "static");
  EXPECT_EQ(read->code_model, "kernel");
  EXPECT_TRUE(read->function_sections);
  EXPECT_TRUE(read->data_sections);
  EXPECT_EQ(write({}), R"({"codegen_level":2,"relocation":"pic","code_model":"","function_sections":false,)"
                       R"("data_sections":false})");
}

TEST(NotationCodegenTest, WhatAMachineWantsSaidIsWrittenOnlyThere) {
  const Codegen arm{
      .cpu = "cortex-m4", .features = "+dsp,-fp", .abi = "aapcs", .float_abi = "soft", .tlsdesc = true};
  const Result<Codegen> read = parseCodegen(write(arm), "x");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->cpu, "cortex-m4");
  EXPECT_EQ(read->features, "+dsp,-fp");
  EXPECT_EQ(read->abi, "aapcs");
  EXPECT_EQ(read->float_abi, "soft");
  EXPECT_TRUE(read->tlsdesc);
}

TEST(NotationCodegenTest, OptionsOfPassesAreThoseThatAreKnown) {
  EXPECT_EQ(parseCodegen(write({.pass_options = {"-inline-threshold=-25"}}), "x")->pass_options,
            std::vector<std::string>{"-inline-threshold=-25"});
  const Result<Codegen> other = parseCodegen(write({.pass_options = {"-debug-pass=Details"}}), "x");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(other.error().message, testing::HasSubstr("-debug-pass=Details"));
}

TEST(NotationCodegenTest, NothingIsTheDefault) { EXPECT_EQ(write(*parseCodegen("", "x")), write({})); }

TEST(NotationCodegenTest, WhatIsWrongIsNamed) {
  const auto complaint = [](std::string_view settings) {
    return parseCodegen(settings, "a.c").error().message;
  };
  EXPECT_THAT(complaint("{}"), testing::HasSubstr("codegen_level"));
  EXPECT_THAT(complaint("nonsense"), testing::HasSubstr("a.c"));
  EXPECT_THAT(complaint(R"({"codegen_level":7,"relocation":"","code_model":"","function_sections":false,)"
                        R"("data_sections":false})"),
              testing::HasSubstr("0 to 3"));
  EXPECT_THAT(complaint(R"({"codegen_level":2,"speed":"high"})"), testing::HasSubstr("speed"));
}

TEST(NotationCodegenTest, WhatAFileSaysIsWholeAndNamesTheFile) {
  const std::vector<env::Action> good{{"a", kPipeline, "a"}}, bad{{"a", "schedule", "a"}};
  EXPECT_TRUE(check(good, write({}), "x.json"));
  for (const Status& status : {check(bad, write({}), "x.json"), check(good, "", "x.json"),
                               check(good, R"({"codegen_level":9})", "x.json")}) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(status.error().message, testing::StartsWith("x.json"));
  }
}

}  // namespace
}  // namespace ordo::notation
