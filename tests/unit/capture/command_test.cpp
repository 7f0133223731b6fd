#include "capture/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::capture {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using Words = std::vector<std::string>;

const Places kPlaces{"/src/pkg/obj", "/src/pkg", "/sys"};

TEST(ParseCommand, AnObjectOfOneFileIsCaptured) {
  const Command command = parseCommand({"-O3", "-DX=1", "-I", "inc", "-c", "a.c", "-o", "out/a.o"});
  ASSERT_EQ(command.inputs.size(), 1u);
  EXPECT_EQ(command.inputs[0].path, "a.c");
  EXPECT_EQ(command.inputs[0].language, "c");
  EXPECT_EQ(command.object, "out/a.o");
  EXPECT_THAT(command.meaning, ElementsAre("-DX=1", "-I", "inc"));
}

TEST(ParseCommand, TheObjectHasTheNameOfTheSourceIfNoneIsGiven) {
  EXPECT_EQ(parseCommand({"-c", "dir/a.cpp"}).object, "a.o");
  EXPECT_EQ(parseCommand({"-c", "dir/a.cpp", "-ob.o"}).object, "b.o");
}

TEST(ParseCommand, SuffixesAndXSayTheLanguage) {
  EXPECT_EQ(parseCommand({"-c", "a.cc"}).inputs.at(0).language, "c++");
  EXPECT_EQ(parseCommand({"-c", "a.C"}).inputs.at(0).language, "c++");
  EXPECT_EQ(parseCommand({"-x", "c++", "-c", "a.c"}).inputs.at(0).language, "c++");
}

TEST(ParseCommand, WhatMakesNoObjectOfAFileIsLeftAlone) {
  const Words commands[] = {{"-E", "a.c"},           {"-S", "a.c"},
                            {"-c", "a.s"},           {"-c", "-x", "c", "-"},
                            {"-MM", "a.c"},          {"a.o", "b.o"},
                            {"--version"},           {"-c", "a.c", "b.c"},
                            {"-c", "conftest.c"},    {"-c", "tmp.TRGViM6kIg.c"},
                            {"-c", "@list"},         {"-c", "a.c", "-o", "@list"},
                            {"-print-prog-name=ld"}, {"-c", "/x/CMakeFiles/CMakeTmp/a.c"}};
  for (const Words& words : commands) EXPECT_THAT(parseCommand(words).inputs, IsEmpty()) << words[0];
}

// One reader of clang's words with the drop-in compiler's (frontend/options.h): a value is no input, however
// clang spells the option, and what CMake joins is a source as any other.
TEST(ParseCommand, IsReadAsClangReadsIt) {
  const Command unity = parseCommand({"-c", "b/CMakeFiles/all.dir/Unity/unity_0_cxx.cxx", "-o", "u.o"});
  ASSERT_EQ(unity.inputs.size(), 1u);
  EXPECT_EQ(unity.inputs[0].language, "c++");
  for (const Words& words :
       {Words{"-c", "a.c", "--output", "x.o", "--sysroot", "/sys.c", "-iwithsysroot", "inc.c"},
        Words{"--compile", "--output=x.o", "--sysroot=/sys.c", "-iwithsysroot", "inc.c", "--", "a.c"}}) {
    const Command command = parseCommand(words);
    ASSERT_EQ(command.inputs.size(), 1u);
    EXPECT_EQ(command.inputs[0].path, "a.c");
    EXPECT_EQ(command.object, "x.o");
    EXPECT_THAT(command.meaning, Contains("inc.c"));
  }
  EXPECT_EQ(parseCommand({"-c", "--language=c++", "a.c"}).inputs.at(0).language, "c++");
  EXPECT_THAT(
      parseCommand({"-c", "a.c", "--optimize=3", "--debug", "-Xlinker", "-c", "-u", "b.c", "-undef"}).meaning,
      ElementsAre("-undef"));
  EXPECT_THAT(parseCommand({"-c", "a.c", "--write-dependencies", "-MFd/a.d", "-MTa.o"}).dependencies,
              ElementsAre("-MD", "-MF", "d/a.d", "-MT", "a.o"));
  EXPECT_THAT(parseCommand({"-c", "a.c", "-MJ", "all.json"}).inputs, IsEmpty())
      << "it has the command that is run";
  EXPECT_THAT(parseCommand({"--assemble", "a.c"}).inputs, IsEmpty());
  EXPECT_THAT(parseCommand({"-c", "a.c", "-fof-another-compiler"}).meaning,
              ElementsAre("-fof-another-compiler"));
}

TEST(ParseCommand, CompilingAndLinkingCapturesEverySource) {
  const Command command = parseCommand({"a.c", "b.c", "-lm", "-L.", "-o", "prog"});
  ASSERT_EQ(command.inputs.size(), 2u);
  EXPECT_EQ(command.object, "");
  EXPECT_THAT(command.meaning, IsEmpty());
}

TEST(ParseCommand, FlagsOfHostLevelDebuggingAndMessagesAreLeftOut) {
  const Command command =
      parseCommand({"-c", "a.c", "-O3", "-g", "-march=native", "-flto", "-fsanitize=address", "-Werror",
                    "-Wall", "-fprofile-generate", "--coverage", "-pipe", "-mavx2", "-std=c99", "-fwrapv"});
  EXPECT_THAT(command.meaning, ElementsAre("-mavx2", "-std=c99", "-fwrapv"));
}

TEST(ParseCommand, DependencyFilesAreStillWrittenAndNamedAfterTheObject) {
  EXPECT_THAT(parseCommand({"-MD", "-c", "a.c", "-o", "x/a.o"}).dependencies,
              ElementsAre("-MD", "-MF", "x/a.d", "-MQ", "x/a.o"));
  EXPECT_THAT(parseCommand({"-MMD", "-MT", "t", "-MF", "f", "-c", "a.c"}).dependencies,
              ElementsAre("-MMD", "-MT", "t", "-MF", "f"));
  EXPECT_THAT(parseCommand({"-Wp,-MD,dep/a.d", "-c", "a.c", "-o", "a.o"}).dependencies,
              ElementsAre("-MD", "-MF", "dep/a.d", "-MQ", "a.o"));
}

TEST(RelativeInput, FilesInTheRootAreNamedFromTheCurrentFolder) {
  EXPECT_EQ(relativeInput("/src/pkg/src/a.c", kPlaces), "../src/a.c");
  EXPECT_EQ(relativeInput("/elsewhere/a.c", kPlaces), "/elsewhere/a.c");
  EXPECT_EQ(relativeInput("a.c", kPlaces), "a.c");
}

TEST(BitcodeArguments, AreUnoptimisedAndFreeOfFolders) {
  const Command command = parseCommand({"-c", "/src/pkg/src/a.c"});
  const Words words = bitcodeArguments(command, command.inputs[0], kPlaces, "/spool/1.bc");
  EXPECT_THAT(words, Contains("-O2"));
  EXPECT_THAT(words, Contains("-disable-llvm-passes"));
  EXPECT_THAT(words, Contains("-ffile-prefix-map=/src/pkg=."));
  EXPECT_THAT(words, Contains("-ffile-prefix-map=/sys="));
  EXPECT_THAT(words, Contains("../src/a.c"));
  EXPECT_THAT(words, Not(Contains("/src/pkg/src/a.c")));
}

TEST(ObjectArguments, KeepWhatTheCodeGeneratorNeeds) {
  const Command command = parseCommand({"-fPIC", "-DX", "-c", "a.c"});
  const Words words = objectArguments(command, "a.bc", "a.o");
  EXPECT_THAT(words, Contains("-fPIC"));
  EXPECT_THAT(words, Contains("-O0"));
  EXPECT_THAT(words, Not(Contains("-DX")));
}

TEST(PlainArguments, ForgetTheHostAndForgiveOldC) {
  const Words words = plainArguments({"-march=native", "-flto=auto", "-O2", "a.c"}, false, kPlaces);
  EXPECT_THAT(words, Not(Contains("-march=native")));
  EXPECT_THAT(words, Not(Contains("-flto=auto")));
  EXPECT_THAT(words, Contains("--sysroot=/sys"));
  EXPECT_THAT(words, Contains("-Wno-error=implicit-function-declaration"));
}

}  // namespace
}  // namespace ordo::capture
