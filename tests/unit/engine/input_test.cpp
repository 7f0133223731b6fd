#include "engine/input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "notation/codegen.h"
#include "support/files.h"

namespace ordo::engine {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

class InputTest : public testing::Test {
 protected:
  std::string file(const std::string& name, std::string_view text) {
    EXPECT_TRUE(writeFile(dir_.path() / name, text));
    return (dir_.path() / name).string();
  }

  TempDir dir_ = *TempDir::create();
};

TEST_F(InputTest, IsCompiledAsTheBaselineWouldCompileIt) {
  const Result<Input> input =
      prepareInput(file("a.c", "int f(int x) { return x + N; }\n"), {frontend::Level::kO3, false},
                   {"-DN=1", "-fno-pic", "-ffunction-sections"});
  ASSERT_TRUE(input) << input.error().message;
  EXPECT_EQ(input->program.name, "a");
  EXPECT_THAT(input->compiled.bytes, testing::StartsWith("BC\xC0\xDE"));
  EXPECT_THAT(input->pipeline.text, testing::Not(IsEmpty()));
  EXPECT_THAT(input->notes, IsEmpty());
  const notation::Codegen codegen = *notation::parseCodegen(input->settings(), "a.c");
  EXPECT_EQ(codegen.level, 3);
  EXPECT_EQ(codegen.relocation, "static");
  EXPECT_TRUE(codegen.function_sections);
  EXPECT_FALSE(codegen.data_sections);
}

TEST_F(InputTest, APlainProgramIsPositionIndependent) {
  const Result<Input> input = prepareInput(file("a.c", "int x;\n"), {}, {});
  ASSERT_TRUE(input) << input.error().message;
  EXPECT_EQ(input->settings(), notation::write({}));
}

TEST_F(InputTest, TheUserIsToldWhatWasLeftOut) {
  const Result<Input> input = prepareInput(file("a.c", "int x;\n"), {}, {"-O1"});
  ASSERT_TRUE(input) << input.error().message;
  EXPECT_THAT(input->notes, testing::ElementsAre(HasSubstr("'-O1'")));
}

TEST_F(InputTest, ASyntaxErrorIsClangs) {
  const Result<Input> input = prepareInput(file("a.c", "int f( {}\n"), {}, {});
  ASSERT_FALSE(input);
  EXPECT_EQ(input.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(input.error().message, HasSubstr("a.c:1:8: error: "));
}

TEST_F(InputTest, AFlagThatClangDoesNotKnowIsReportedOnce) {
  const Result<Input> input = prepareInput(file("a.c", "int x;\n"), {}, {"-no-such-flag"});
  ASSERT_FALSE(input);
  const std::string& message = input.error().message;
  const std::size_t first = message.find("unknown argument");
  ASSERT_NE(first, std::string::npos) << message;
  EXPECT_EQ(message.find("unknown argument", first + 1), std::string::npos) << message;
}

TEST_F(InputTest, AMissingFileIsNotFound) {
  const Result<Input> input = prepareInput((dir_.path() / "no.c").string(), {}, {});
  ASSERT_FALSE(input);
  EXPECT_EQ(input.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace ordo::engine
