#include "engine/input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/reach.h"
#include "frontend/opt.h"
#include "notation/codegen.h"
#include "support/files.h"
#include "support/process.h"

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

TEST_F(InputTest, OneFunctionIsNoInput) {
  const auto input = prepareInput("suite/chess#play", Baseline{}, {});
  ASSERT_FALSE(input);
  EXPECT_EQ(input.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(input.error().message.find("give suite/chess,"), std::string::npos) << input.error().message;
}

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

// What research has published is IR for such machines, made with clang's passes off. It is measured as it is:
// by LLVM's own code generator, as clang would make its object there.
TEST_F(InputTest, IrIsMeasuredForTheMachineThatItNames) {
  const auto engine = Engine::start({.limits = {}, .remember_crashes = false});
  ASSERT_TRUE(engine) << engine.error().message;
  const std::string source =
      file("a.c",
           "int t[64]; static const int s[] = {3, 1, 4, 1, 5};\n"
           "int f(int k) { int n = 0; for (int i = 0; i < 64; i++) if (t[i] > k) n += t[i] * s[i % 5];"
           " return n; }\n");
  for (const std::string triple :
       {"x86_64-apple-macosx10.15.0", "x86_64-apple-ios11.2.0", "x86_64-unknown-freebsd13",
        "x86_64-linux-android21", "x86_64-unknown-linux-musl", "x86_64-scei-ps4", "i386-apple-macosx",
        "arm64-apple-macosx11", "s390x-linux-gnu"}) {
    const std::string bitcode = (dir_.path() / "a.bc").string(), object = (dir_.path() / "a.o").string();
    const std::vector<std::string> clang{"clang-22", "--target=" + triple, "-Oz", "-c", source};
    std::vector<std::string> front = clang, whole = clang;
    front.insert(front.end(), {"-Xclang", "-disable-llvm-passes", "-emit-llvm", "-o", bitcode});
    whole.insert(whole.end(), {"-o", object});
    ASSERT_TRUE(runProcess(front, {})->ok() && runProcess(whole, {})->ok()) << triple;
    const Result<Input> input = prepareInput(bitcode, {}, {});
    ASSERT_TRUE(input) << input.error().message;
    EXPECT_NE(input->whyNotRun() == "", triple.find("linux-musl") == std::string::npos) << triple;
    const Result<State> baseline =
        reach(**engine, *input, input->compiled.bytes, {input->toolchain->baseline(*input)});
    ASSERT_TRUE(baseline) << triple << ": " << baseline.error().message;
    EXPECT_GT(measured(*baseline, "ir_instructions").value(), 5) << triple;
    EXPECT_EQ(measured(*baseline, "text_bytes").value(),
              static_cast<double>(*frontend::textSize(*readFile(object))))
        << triple;
  }
}

}  // namespace
}  // namespace ordo::engine
