#include "builds/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace ordo::builds {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> words(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

TEST(LinkTest, WhatIsLinkedIsTheFile) {
  EXPECT_EQ(linkedFile(words("-o calc main.o lexer.o -lm"))->object, "calc");
  EXPECT_EQ(linkedFile(words("-ocalc main.o"))->source, "calc");
  EXPECT_EQ(linkedFile(words("main.o"))->object, "a.out");
  EXPECT_EQ(linkedFile(words("a.c b.c -o both"))->object, "both") << "to compile and link at once is to link";
  for (const char* none : {"-c a.c", "-E a.c", "-S a.c -o a.s", "--version", "-print-search-dirs", "-###",
                           "-v", "-o calc -lm", "-M a.c"})
    EXPECT_FALSE(linkedFile(words(none))) << none;
}

TEST(LinkTest, CodeIsMadeAsLldMakesIt) {
  const Result<Task> program = linkTaskOf(words("-Oz -o calc main.o -flto -fuse-ld=lld"), "");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(program->linked);
  EXPECT_EQ(program->objective, "text_bytes");
  EXPECT_EQ(linkPipeline(*program), "lto<O2>");
  EXPECT_THAT(program->flags, ElementsAre("-fPIE", "-ffunction-sections", "-fdata-sections"));
  EXPECT_EQ(linkTaskOf(words("-shared -o a.so a.o"), "")->flags.front(), "-fPIC");
  EXPECT_EQ(linkTaskOf(words("-static -o a a.o"), "")->flags.front(), "-fno-pie");
  EXPECT_EQ(linkPipeline(*linkTaskOf(words("-O3 -o a a.o"), "ir_instructions")), "lto<O3>");
}

TEST(LinkTest, TheMachineAndWhatTheLinkerIsToldOfLlvmBearOnTheCode) {
  const auto flagsOf = [](const std::string& line) {
    std::vector<std::string> flags = linkTaskOf(words(line), "")->flags;
    flags.erase(flags.begin(), flags.begin() + 3);
    return flags;
  };
  EXPECT_THAT(flagsOf("--target=thumbv7em-none-eabi -mcpu=cortex-m4 -mfloat-abi=soft -T a.ld -o a main.o"),
              ElementsAre("--target=thumbv7em-none-eabi", "-mcpu=cortex-m4", "-mfloat-abi=soft"));
  EXPECT_THAT(flagsOf("-target riscv32-none-elf -o a main.o"), ElementsAre("--target=riscv32-none-elf"));
  for (const char* said :
       {"-Wl,-mllvm,-inline-threshold=-25", "-Wl,--gc-sections,-mllvm=-inline-threshold=-25",
        "-Wl,-mllvm -Wl,-inline-threshold=-25", "-Xlinker --mllvm -Xlinker -inline-threshold=-25"})
    EXPECT_THAT(flagsOf("-o a main.o " + std::string(said)), ElementsAre("-mllvm", "-inline-threshold=-25"))
        << said;
  for (const char* own : {"-Wl,--lto-O3", "-Wl,-plugin-opt=O1", "-Xlinker --load-pass-plugin=x.so"})
    EXPECT_FALSE(linkTaskOf(words("-o a main.o " + std::string(own)), "")) << own;
}

TEST(LinkTest, ALinkThatCompilesHasSources) {
  EXPECT_TRUE(linksSources(words("-o a main.c util.o")));
  EXPECT_TRUE(linksSources(words("start.S -o a")));
  EXPECT_FALSE(linksSources(words("-o a main.o -lc -T a.ld")));
}

TEST(LinkTest, APartialLinkIsALinkThatIsLeftAlone) {
  for (const char* line : {"-r a.o b.o -o c.o", "-Wl,-r a.o -o c.o", "-Xlinker --relocatable a.o -o c.o"}) {
    EXPECT_EQ(linkedFile(words(line))->object, "c.o") << line;
    EXPECT_THAT(linkTaskOf(words(line), "").error().message, HasSubstr("partial link")) << line;
  }
}

TEST(LinkTest, OtherWaysOfLinkingAreLeftAlone) {
  for (const char* own : {"-flto=thin", "-fuse-ld=gold", "-fsanitize=address", "@objects", "-mllvm",
                          "-fprofile-generate", "-O9"}) {
    const Result<Task> task = linkTaskOf(words("-o calc main.o " + std::string(own)), "");
    ASSERT_FALSE(task) << own;
    EXPECT_EQ(task.error().code, ErrorCode::kUnsupported);
    EXPECT_THAT(task.error().message, HasSubstr(own));
  }
  EXPECT_TRUE(linkTaskOf(words("-Wl,-rpath,/usr/local/lib -o calc main.o"), ""));
  EXPECT_FALSE(linkTaskOf(words("-O0 -o calc main.o"), ""));
}

}  // namespace
}  // namespace ordo::builds
