#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/dataset.h"
#include "datasets/program.h"
#include "support/rng.h"

namespace ordo::datasets {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr std::string_view kPath = "/suite/sha256/program.toml";

constexpr std::string_view kWhole = R"(format = 1
name = "sha256"
summary = "SHA-256 of standard input"
language = "c"
source = "sha256.c"
cflags = ["-std=c17"]
ldflags = ["-lm"]

[[test]]
name = "text"
args = ["-k", "a key"]
stdin = "tests/text.in"
stdout = "tests/text.out"
exit = 2
timeout_s = 0.5

[[test]]
name = "usage"
stdout = "tests/usage.out"

[[run]]
name = "stream"
args = ["-k", "b"]
before = "runs/head.in"
stdin = "tests/text.in"
repeat = 400
after = "runs/tail.in"
stdout_xxh128 = "00112233445566778899aabbccddeeff"
exit = 1
timeout_s = 5

[[run]]
name = "text"
stdout_xxh128 = "00000000000000000000000000000001"
)";

// kWhole with the first `from` replaced by `to`.
std::string edited(std::string_view from, std::string_view to) {
  std::string text(kWhole);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

Error rejected(std::string_view text) {
  const auto program = parseProgramToml(text, kPath);
  EXPECT_FALSE(program) << text;
  return program ? Error{} : program.error();
}

TEST(ProgramTomlTest, WhatIsNotForTrainingIsNotTrainedOn) {
  const auto in = [](std::string_view split) {
    return edited("[\"-lm\"]\n", fmt::format("[\"-lm\"]\nsplit = {}\n", split));
  };
  for (const char* split : {"train", "validation", "test"}) {
    Result<Program> program = parseProgramToml(in(fmt::format("\"{}\"", split)), kPath);
    ASSERT_TRUE(program) << program.error().message;
    program->uri = "sha256";
    const Status allowed = checkMayTrainOn(*program, "mining");
    EXPECT_EQ(allowed.has_value(), program->split == Split::kTrain);
    if (!allowed) {
      EXPECT_EQ(allowed.error().message,
                fmt::format("sha256 is for {}, as its program.toml says, not for mining", split));
    }
  }
  for (const char* split : {"\"all\"", "\"tests\"", "1"})
    EXPECT_THAT(rejected(in(split)).message, HasSubstr("'split'")) << split;
}

TEST(ProgramTomlTest, AnImageHasAMachineAndNoArguments) {
  const std::string plain = R"(format = 1
name = "sha256"
summary = "s"
language = "c"
source = "sha256.c"
machine = "mps2-an386"
[[test]]
name = "boot"
stdout = "tests/text.out"
)";
  const auto program = parseProgramToml(plain, kPath);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->machine, "mps2-an386");
  EXPECT_THAT(rejected(plain + "args = [\"-k\"]\n").message, HasSubstr("test 'boot' gives arguments"));
  EXPECT_THAT(rejected(edited("[\"-lm\"]\n", "[\"-lm\"]\nmachine = \"virt,x=y\"\n")).message,
              HasSubstr("is 'virt,x=y'; it must be one that qemu names"));
  EXPECT_THAT(rejected(edited("[\"-lm\"]\n", "[\"-lm\"]\nmachine = \"-s\"\n")).message,
              HasSubstr("'machine'"));
}

TEST(ProgramTomlTest, ReadsEveryKey) {
  const auto program = parseProgramToml(kWhole, kPath);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->kind, ProgramKind::kSuite);
  EXPECT_EQ(program->name, "sha256");
  EXPECT_EQ(program->summary, "SHA-256 of standard input");
  EXPECT_EQ(program->language, "c");
  EXPECT_EQ(program->path(), "/suite/sha256/sha256.c");
  EXPECT_THAT(program->cflags, ElementsAre("-std=c17"));
  EXPECT_THAT(program->ldflags, ElementsAre("-lm"));
  EXPECT_EQ(program->split, Split::kAll);
  ASSERT_EQ(program->tests.size(), 2u);

  const ProgramTest& text = program->tests[0];
  EXPECT_EQ(text.name, "text");
  EXPECT_THAT(text.args, ElementsAre("-k", "a key"));
  EXPECT_EQ(text.input, "tests/text.in");
  EXPECT_EQ(text.expected, "tests/text.out");
  EXPECT_EQ(text.exit, 2);
  EXPECT_EQ(text.timeout_s, 0.5);

  const ProgramTest& usage = program->tests[1];
  EXPECT_THAT(usage.args, IsEmpty());
  EXPECT_EQ(usage.input, std::nullopt);
  EXPECT_EQ(usage.exit, 0);
  EXPECT_EQ(usage.timeout_s, 10);

  ASSERT_EQ(program->runs.size(), 2u);
  const TimedRun& stream = program->runs[0];
  EXPECT_EQ(stream.name, "stream");
  EXPECT_THAT(stream.args, ElementsAre("-k", "b"));
  EXPECT_EQ(stream.before, "runs/head.in");
  EXPECT_EQ(stream.input, "tests/text.in");
  EXPECT_EQ(stream.repeat, 400u);
  EXPECT_EQ(stream.after, "runs/tail.in");
  EXPECT_EQ(stream.expected, (Hash128{0x0011223344556677, 0x8899aabbccddeeff}));
  EXPECT_EQ(stream.exit, 1);
  EXPECT_EQ(stream.timeout_s, 5);

  const TimedRun& bare = program->runs[1];  // a test may have the same name
  EXPECT_EQ(bare.input, std::nullopt);
  EXPECT_EQ(bare.before, std::nullopt);
  EXPECT_EQ(bare.repeat, 1u);
  EXPECT_EQ(bare.expected, (Hash128{0, 1}));
}

TEST(ProgramTomlTest, AProgramOfSeveralSourcesNamesThemInOrder) {
  const auto program =
      parseProgramToml(edited("source = \"sha256.c\"", "sources = [\"src/b.c\", \"a.c\"]"), kPath);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->source, "src/b.c");
  EXPECT_THAT(program->more_sources, ElementsAre("a.c"));
}

struct BadCase {
  std::string_view from, to;
  std::string_view place;    // line:column
  std::string_view message;  // a part of it
};

TEST(ProgramTomlTest, ComplaintsNameThePlaceTheKeyAndTheRemedy) {
  const BadCase cases[] = {
      {"format = 1\n", "", "1:1", "'format' of the program is missing; it must be a whole number"},
      {"format = 1", "format = \"1\"", "1:10", "'format' of the program must be a whole number"},
      {"format = 1", "format = 0", "1:10", "'format' of the program is 0; the first format is 1"},
      {"summary", "sumary", "3:10", "unknown key of the program 'sumary'; did you mean 'summary'?"},
      {"\"SHA-256 of standard input\"", "7", "3:11",
       "'summary' of the program must be text in double quotes"},
      {"name = \"sha256\"", "name = \"sha512\"", "2:8",
       "is 'sha512' but the folder is 'sha256'; make them equal"},
      {"name = \"sha256\"", "name = \"SHA 256\"", "2:8", "must be made of a-z, 0-9, '_' and '-'"},
      {"\"c\"", "\"rust\"", "4:12", "'language' of the program is 'rust'; it must be \"c\" or \"c++\""},
      {"\"sha256.c\"", "\"../sha256.c\"", "5:10", "must name a file inside the program's folder"},
      {"\"sha256.c\"", "\"/tmp/sha256.c\"", "5:10", "must name a file inside the program's folder"},
      {"source = \"sha256.c\"", "source = \"a.c\"\nsources = [\"b.c\"]", "6:11", "stands beside 'source'"},
      {"source = \"sha256.c\"", "sources = []", "5:11", "is empty; a program has a source"},
      {"source = \"sha256.c\"", "sources = [\"../a.c\"]", "5:11", "must name a file inside"},
      {"source = \"sha256.c\"", "sources = [\"a/x.c\", \"b/x.c\"]", "5:11", "has two files named x"},
      {"[\"-std=c17\"]", "\"-std=c17\"", "6:10", "'cflags' of the program must be a list of texts"},
      {"[\"-std=c17\"]", "[1]", "6:10", "'cflags' of the program must hold only texts"},
      {"exit = 2", "exit = 256", "14:8", "'exit' of test 1 is 256; an exit status is from 0 to 255"},
      {"exit = 2", "exits = 2", "14:9", "unknown key of test 1 'exits'; did you mean 'exit'?"},
      {"0.5", "-1", "15:13", "'timeout_s' of test 1 is -1; it must be more than 0"},
      {"0.5", "nan", "15:13", "'timeout_s' of test 1 is nan; it must be more than 0"},
      {"0.5", "\"10\"", "15:13", "'timeout_s' of test 1 must be a number"},
      {"\"usage\"", "\"text\"", "18:8", "'name' of test 2 is 'text' as in another test"},
      {"stdout = \"tests/usage.out\"\n", "", "17:1", "'stdout' of test 2 is missing"},
      {"\"tests/usage.out\"", "\"a\\u0000b\"", "19:10", "must name a file inside"},
      {"repeat = 400", "repeat = 0", "26:10", "'repeat' of run 1 is 0; it must be from 1 to 1000000"},
      {"repeat = 400", "repeat = 1000001", "26:10", "'repeat' of run 1 is 1000001; it must be from 1 to"},
      {"repeat = 400", "repeat = 1.5", "26:10", "'repeat' of run 1 must be a whole number"},
      {"repeat = 400", "repaet = 400", "26:10", "unknown key of run 1 'repaet'; did you mean 'repeat'?"},
      {"repeat = 400", "stdout = \"a\"", "26:10", "unknown key of run 1 'stdout'"},
      {"\"runs/head.in\"", "\"../head.in\"", "24:10", "'before' of run 1 must name a file inside"},
      {"\"runs/tail.in\"", "\"/tail.in\"", "27:9", "'after' of run 1 must name a file inside"},
      {"7788", "778", "28:17", "'stdout_xxh128' of run 1 must be 32 hexadecimal digits in lower case"},
      {"eeff\"", "EEFF\"", "28:17", "'stdout_xxh128' of run 1 must be 32 hexadecimal digits in lower case"},
      {"exit = 1", "exit = -1", "29:8", "'exit' of run 1 is -1; an exit status is from 0 to 255"},
      {"timeout_s = 5", "timeout_s = 0", "30:13", "'timeout_s' of run 1 is 0; it must be more than 0"},
      {"name = \"text\"\nstdout_x", "name = \"stream\"\nstdout_x", "33:8",
       "'name' of run 2 is 'stream' as in another run; names must differ"},
      {"name = \"text\"\nstdout_x", "name = \"text\"\nrepeat = 2\nstdout_x", "34:10",
       "'repeat' of run 2 goes with 'stdin', which is missing"},
      {"name = \"text\"\nstdout_x", "name = \"text\"\nafter = \"x\"\nstdout_x", "34:9",
       "'after' of run 2 goes with 'stdin', which is missing"},
      {"stdout_xxh128 = \"00000000000000000000000000000001\"\n", "", "32:1",
       "'stdout_xxh128' of run 2 is missing"},
      {"name = \"sha256\"", "name = ", "2:8", "not TOML"},
      {"[[test]]", "[^]", "9:2", "not TOML"},
  };
  for (const BadCase& bad : cases) {
    const Error error = rejected(edited(bad.from, bad.to));
    EXPECT_EQ(error.code, ErrorCode::kCorrupt) << bad.to;
    EXPECT_THAT(error.message, StartsWith(fmt::format("{}:{}: ", kPath, bad.place)));
    EXPECT_THAT(error.message, HasSubstr(bad.message));
  }
}

TEST(ProgramTomlTest, TestsAndRunsMustBeTables) {
  const std::string head(kWhole.substr(0, kWhole.find("[[test]]")));
  EXPECT_THAT(rejected(head + "test = 3\n").message, HasSubstr("head each with [[test]]"));
  EXPECT_THAT(rejected(head + "test = [3]\n").message, HasSubstr("head each with [[test]]"));
  EXPECT_THAT(rejected(head + "[test]\nname = \"x\"\n").message, HasSubstr("head each with [[test]]"));
  EXPECT_THAT(rejected(head + "[run]\nname = \"x\"\n").message, HasSubstr("head each with [[run]]"));
}

// Even when its keys are not known here, what matters is that Ordo is too old.
TEST(ProgramTomlTest, ANewerFormatAsksForANewerOrdo) {
  const Error error = rejected("format = 2\nshape = \"round\"\n");
  EXPECT_EQ(error.code, ErrorCode::kUnsupported);
  EXPECT_THAT(error.message,
              HasSubstr("format 2 is newer than this Ordo, which reads up to 1; upgrade Ordo"));
}

TEST(ProgramTomlTest, CharactersOutsideAsciiAreEscaped) {
  EXPECT_THAT(rejected(edited("name = \"usage\"", "n\u00e4me = \"usage\"")).message,
              HasSubstr("program.toml:18: a character outside ASCII; write it as \\uXXXX"));
  const auto program = parseProgramToml(edited("SHA-256", "\\u00e9"), kPath);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->summary, "\u00e9 of standard input");
}

TEST(ProgramTomlTest, DamagedTextNeverCrashesTheParser) {
  Rng rng(1);
  for (int round = 0; round < 3000; ++round) {
    std::string text(kWhole);
    for (std::size_t edits = rng.between(1, 6); edits > 0; --edits) {
      const std::size_t at = rng.below(text.size());
      switch (rng.below(3)) {
        case 0:
          text[at] = static_cast<char>(rng.below(256));
          break;
        case 1:
          text.erase(at, rng.between(1, 20));
          break;
        default:
          text.insert(at, text.substr(rng.below(text.size()), rng.below(20)));
      }
      if (text.empty()) text = "x";
    }
    const auto program = parseProgramToml(text, kPath);
    if (!program) {
      EXPECT_THAT(program.error().message, StartsWith(kPath));
    }
  }
}

}  // namespace
}  // namespace ordo::datasets
