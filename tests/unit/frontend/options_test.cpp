#include "frontend/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "support/process.h"

namespace ordo::frontend {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Words = std::vector<std::string>;

Words valuesOf(const Words& words) {
  const Argument argument = readArgument(words);
  EXPECT_EQ(argument.words, words.size()) << words[0];
  EXPECT_TRUE(argument.complete);
  return argument.values;
}

TEST(OptionsTest, ValuesStandWhereClangLooksForThem) {
  EXPECT_THAT(valuesOf({"-c"}), IsEmpty());
  EXPECT_THAT(valuesOf({"-std=c11"}), ElementsAre("c11"));
  EXPECT_THAT(valuesOf({"-Idir"}), ElementsAre("dir"));
  EXPECT_THAT(valuesOf({"-I", "dir"}), ElementsAre("dir"));
  EXPECT_THAT(valuesOf({"-include-pch", "a.pch"}), ElementsAre("a.pch"));
  EXPECT_THAT(valuesOf({"-serialize-diagnostics", "a.dia"}), ElementsAre("a.dia"));
  EXPECT_THAT(valuesOf({"--serialize-diagnostics", "a.dia"}), ElementsAre("a.dia"));
  EXPECT_THAT(valuesOf({"-Xarch_host", "-DX"}), ElementsAre("-DX"));
  EXPECT_THAT(valuesOf({"-Xarch_x86_64", "-DX"}), ElementsAre("x86_64", "-DX"));
  EXPECT_THAT(valuesOf({"-Wa,-a,-b"}), ElementsAre("-a", "-b"));
  EXPECT_THAT(valuesOf({"-sectcreate", "a", "b", "c"}), ElementsAre("a", "b", "c"));
  EXPECT_THAT(valuesOf({"--", "-c", "x.c"}), ElementsAre("-c", "x.c"));
}

TEST(OptionsTest, ManySpellingsAreOneOption) {
  for (const Words& words : {Words{"-o", "x"}, {"-ox"}, {"--output", "x"}, {"--output=x"}}) {
    EXPECT_TRUE(readArgument(words).is("-o")) << words[0];
    EXPECT_THAT(valuesOf(words), ElementsAre("x"));
  }
  EXPECT_TRUE(readArgument(Words{"--include-directory", "d"}).is("-I"));
  EXPECT_TRUE(readArgument(Words{"--compile"}).is("-c"));
  EXPECT_TRUE(readArgument(Words{"--optimize=z"}).is("-O"));
}

TEST(OptionsTest, OptionsThatBeginAlikeAreToldApart) {
  EXPECT_TRUE(readArgument(Words{"-object"}).is("-object"));
  EXPECT_TRUE(readArgument(Words{"-objects"}).is("-o"));  // clang writes to "bjects", too
  EXPECT_TRUE(readArgument(Words{"-MD"}).is("-MD"));
  EXPECT_TRUE(readArgument(Words{"-Wl,-r"}).is("-Wl,"));
  EXPECT_TRUE(readArgument(Words{"-Wlogical"}).is("-W"));
  EXPECT_TRUE(readArgument(Words{"-Ofast"}).is("-Ofast"));
}

TEST(OptionsTest, AllElseIsAnInputOrUnknown) {
  EXPECT_TRUE(readArgument(Words{"a.c"}).isInput());
  EXPECT_TRUE(readArgument(Words{"-"}).isInput());
  EXPECT_TRUE(readArgument(Words{""}).isInput());
  EXPECT_TRUE(readArgument(Words{"@file"}).isInput());
  const Argument unknown = readArgument(Words{"-fnot-of-clang", "a.c"});
  EXPECT_EQ(unknown.option, nullptr);
  EXPECT_FALSE(unknown.isInput());
  EXPECT_EQ(unknown.words, 1u);
}

TEST(OptionsTest, ValuesThatAreMissingAreSaid) {
  for (const char* word : {"-o", "-Xclang", "-include-pch", "-Xarch_host", "-sectcreate"})
    EXPECT_FALSE(readArgument(Words{word}).complete) << word;
  EXPECT_TRUE(readArgument(Words{"--"}).complete);
}

TEST(OptionsTest, ACommandIsCutIntoItsArguments) {
  const std::vector<Argument> arguments = readArguments(Words{"-I", "a.c", "b.c", "-o", "c.o"});
  ASSERT_EQ(arguments.size(), 3u);
  EXPECT_TRUE(arguments[1].isInput());
  EXPECT_THAT(arguments[1].values, ElementsAre("b.c"));
}

TEST(OptionsTest, TheTableIsSortedWithoutDoubles) {
  EXPECT_EQ(std::ranges::adjacent_find(options(), std::ranges::greater_equal(), &Option::spelling),
            options().end());
}

// Clang's own word on what options it has: they are those that a shell is offered.
TEST(OptionsTest, TheTableIsThatOfTheInstalledClang) {
  const Result<ProcessResult> run = runProcess({"clang-22", "--autocomplete=-"});
  ASSERT_TRUE(run) << run.error().message;
  std::set<std::string_view> known;
  for (const Option& option : options()) known.insert(option.spelling);
  std::size_t offered = 0;
  for (std::string_view rest = run->out; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::string_view word = line.substr(0, line.find('\t'));
    // The rest of a description that has several lines.
    if (!word.starts_with('-') || word.find_first_of(" .,:;") < word.size() - 1 || word.ends_with('.'))
      continue;
    ++offered;
    // -Wname and -Rname are many, and one option each.
    // Those of its twin for shaders are offered, but not taken.
    const bool shaders =
        word == "-hlsl-all-resources-bound" || word == "-res-may-alias" || word == "-validator-version";
    EXPECT_TRUE(known.contains(word) || shaders || word.starts_with("-W") || word.starts_with("-R")) << line;
  }
  EXPECT_GT(offered, 1000u);
}

TEST(OptionsTest, FilesBesideTheOutputAreKnownInEverySpelling) {
  for (const Words& words : {Words{"-MD"},
                             {"-MFa.d"},
                             {"-MF", "a.d"},
                             {"-save-temps=obj"},
                             {"--save-temps"},
                             {"-ftime-trace=a.json"},
                             {"-gsplit-dwarf=single"},
                             {"--serialize-diagnostics", "a.dia"},
                             {"-foptimization-record-file=a.yml"}}) {
    EXPECT_TRUE(writesMoreFiles(readArgument(words))) << words[0];
  }
  for (const Words& words : {Words{"-o", "a.o"}, {"-c"}, {"a.c"}, {"--dependencies"}, {"-MDx"}, {"-g"}})
    EXPECT_FALSE(writesMoreFiles(readArgument(words))) << words[0];
}

// And on which have a value of their own.
TEST(OptionsTest, FormsAreThoseOfTheInstalledClang) {
  for (const char* word : {"-include-pch", "-Xclang", "-serialize-diagnostics", "-o", "-MF",
                           "-working-directory", "-Xarch_host", "-iquote", "-arch", "-target"}) {
    const Result<ProcessResult> run = runProcess({"clang-22", "-###", "-c", "a.c", word});
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_NE(run->err.find("is missing"), std::string::npos) << word << ": " << run->err;
    EXPECT_FALSE(readArgument(Words{word}).complete) << word;
  }
}

}  // namespace
}  // namespace ordo::frontend
