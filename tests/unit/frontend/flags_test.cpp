#include "frontend/flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Words = std::vector<std::string>;

Words kept(const Words& flags, std::string_view language = "c") {
  const auto result = checkFlags(flags, language);
  EXPECT_TRUE(result) << result.error().message;
  return result ? result->kept : Words{};
}

Error rejected(const Words& flags, std::string_view language = "c") {
  const auto result = checkFlags(flags, language);
  EXPECT_FALSE(result) << flags[0] << " was accepted";
  return result ? Error{} : result.error();
}

TEST(FlagsTest, OrdinaryFlagsAreKeptInOrder) {
  const Words flags{"-std=c17", "-I",  "include", "-DX=1", "-D",           "Y",
                    "-include", "a.h", "-Xclang", "-O2",   "-march=native"};
  EXPECT_EQ(kept(flags), flags);
}

TEST(FlagsTest, ValuesAreNotTakenForInputs) {
  EXPECT_EQ(kept({"-mllvm", "x.c", "-target", "x86_64-linux-gnu"}).size(), 4u);
}

TEST(FlagsTest, NoOptionsValueIsTakenForAnInput) {
  const Words flags{"-include-pch",  "h.pch", "-Xarch_host",         "-DVALUE=7", "-cxx-isystem", "dir",
                    "-Xarch_device", "-O3",   "--include-directory", "inc",       "-dxc-unknown"};
  EXPECT_EQ(kept(flags), flags);
}

TEST(FlagsTest, OtherSpellingsMeanTheSame) {
  const auto result = checkFlags(
      {"--optimize=2", "--output=x.o", "--output", "y.o", "-oz.o", "--language=c", "--language", "c",
       "--compile", "--serialize-diagnostics", "a.dia", "-MFa.d", "--for-linker", "-s", "-Tscript"},
      "c");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(result->kept, IsEmpty());
  EXPECT_THAT(result->link, ElementsAre("--for-linker", "-s", "-Tscript"));
  EXPECT_THAT(result->notes, ElementsAre(HasSubstr("'--optimize=2'"), HasSubstr("'--serialize-diagnostics'"),
                                         HasSubstr("'-MFa.d'")));
}

TEST(FlagsTest, WhatIsForTheHostIsJudgedAsIfItWereForAll) {
  EXPECT_EQ(rejected({"-Xarch_host", "-flto"}).code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(rejected({"-Xarch_host"}).message, HasSubstr("needs a value"));
  const auto result = checkFlags({"-Xarch_host", "-O3", "-Xarch_host", "-lm"}, "c");
  ASSERT_TRUE(result);
  EXPECT_THAT(result->kept, IsEmpty());
  EXPECT_THAT(result->link, ElementsAre("-Xarch_host", "-lm"));
  EXPECT_THAT(result->notes, ElementsAre(HasSubstr("left out '-O3'")));
}

TEST(FlagsTest, TheLinkersFlagsAreKeptApart) {
  const auto result = checkFlags({"-lm", "-g", "-L", "lib", "-Wl,-O1", "-Xlinker", "-z", "-undef"}, "c");
  ASSERT_TRUE(result);
  EXPECT_THAT(result->kept, ElementsAre("-g", "-undef"));
  EXPECT_THAT(result->link, ElementsAre("-lm", "-L", "lib", "-Wl,-O1", "-Xlinker", "-z"));
}

TEST(FlagsTest, TheBaselineSetsTheLevelAndTheUserIsTold) {
  for (const char* flag : {"-O", "-O0", "-O3", "-Oz", "-Ofast", "-Og"}) {
    const auto result = checkFlags({flag, "-g"}, "c");
    ASSERT_TRUE(result);
    EXPECT_THAT(result->kept, ElementsAre("-g"));
    EXPECT_THAT(result->notes, ElementsAre(HasSubstr(fmt::format("left out '{}'", flag))));
  }
  EXPECT_THAT(checkFlags({"-Ofast"}, "c")->notes[0], HasSubstr("-ffast-math"));
  for (const auto& [flag, baseline] : {std::pair("-Os", "clang-Os"),
                                       {"-O2", "clang-O2"},
                                       {"-O", "clang-O1"},
                                       {"-Og", "clang-O1"},
                                       {"-O4", "clang-O3"},
                                       {"-Ofast", "clang-O3"}}) {
    EXPECT_THAT(checkFlags({flag}, "c")->notes[0],
                HasSubstr(fmt::format("--baseline {} this one", baseline)));
  }
}

TEST(FlagsTest, WhatOrdoDecidesIsLeftOutSilently) {
  const auto result = checkFlags({"-c", "-S", "-emit-llvm", "-o", "out.o", "-x", "c", "-xc"}, "c");
  ASSERT_TRUE(result);
  EXPECT_THAT(result->kept, IsEmpty());
  EXPECT_THAT(result->notes, IsEmpty());
}

TEST(FlagsTest, FilesBesideTheOutputAreNotWritten) {
  const auto result = checkFlags({"-MD", "-MF", "deps.d", "-save-temps=obj", "-g"}, "c");
  ASSERT_TRUE(result);
  EXPECT_THAT(result->kept, ElementsAre("-g"));
  EXPECT_EQ(result->notes.size(), 3u);
}

TEST(FlagsTest, SecondInputsAreRejected) {
  for (const char* input : {"b.c", "lib.a", "-", "@response"}) {
    const Error error = rejected({"-g", input});
    EXPECT_EQ(error.code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(error.message, HasSubstr(fmt::format("'{}'", input)));
  }
}

TEST(FlagsTest, AnotherLanguageIsRejected) {
  EXPECT_THAT(rejected({"-x", "c++"}).message, HasSubstr("by its name the input is 'c'"));
  EXPECT_THAT(rejected({"-xc"}, "c++").message, HasSubstr("by its name the input is 'c++'"));
}

TEST(FlagsTest, LinkTimeOptimisationIsRejected) {
  for (const char* flag : {"-flto", "-flto=thin", "-fembed-bitcode"}) {
    EXPECT_EQ(rejected({flag}).code, ErrorCode::kInvalidArgument);
  }
  EXPECT_THAT(kept({"-fno-lto"}), ElementsAre("-fno-lto"));
}

TEST(FlagsTest, WhatAPassMustPutInIsUnsupported) {
  for (const char* flag : {"-fsanitize=address", "-fsanitize=undefined,thread", "-fprofile-generate", "-pg",
                           "-fprofile-instr-use=x", "-fcoverage-mapping", "-finstrument-functions"}) {
    EXPECT_EQ(rejected({flag}).code, ErrorCode::kUnsupported) << flag;
  }
  EXPECT_THAT(kept({"-fsanitize=undefined,bounds"}), ElementsAre("-fsanitize=undefined,bounds"));
}

TEST(FlagsTest, AnotherAssemblerIsUnsupported) {
  EXPECT_EQ(rejected({"-fno-integrated-as"}).code, ErrorCode::kUnsupported);
}

TEST(FlagsTest, FlagsWithoutAnObjectAreRejected) {
  for (const char* flag : {"-E", "-M", "-fsyntax-only", "-###"}) {
    EXPECT_THAT(rejected({flag}).message, HasSubstr("makes no object"));
  }
}

TEST(FlagsTest, AMissingValueIsReported) {
  EXPECT_THAT(rejected({"-g", "-I"}).message, HasSubstr("'-I' needs a value"));
}

}  // namespace
}  // namespace ordo::frontend
