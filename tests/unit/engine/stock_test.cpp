#include "engine/stock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/choices.h"
#include "frontend/opt.h"
#include "notation/action.h"
#include "support/files.h"
#include "support/process.h"

namespace ordo::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

env::Action pipeline(const std::string& text) { return {text, notation::kPipeline, text}; }
env::Action attribute(const std::string& text) { return {text, notation::kAttribute, text}; }
env::Action option(const std::string& text) { return {text, notation::kOption, text}; }
env::Action choice(const std::string& text) { return {text, notation::kCodegen, text}; }

TEST(StockTest, NeighbouringPipelinesAreOneRunAndAttributesRunsOfTheirOwn) {
  std::vector<std::string> runs;
  for (const frontend::Pipeline& run :
       stockRuns({pipeline("a"), choice("-x"), pipeline("b"), attribute("-minsize"), attribute("+optsize"),
                  pipeline("c"), pipeline("d")})) {
    runs.push_back(fmt::format("{} [{}]", run.text, fmt::join(run.opt_flags, " ")));
  }
  EXPECT_THAT(runs, ElementsAre("a,b []", "forceattrs [-force-remove-attribute=minsize]",
                                "forceattrs [-force-attribute=optsize]", "c,d []"));
  EXPECT_THAT(stockRuns({}), IsEmpty());
}

TEST(StockTest, OptionsHoldForTheRunsBehindThem) {
  std::vector<std::string> runs;
  for (const frontend::Pipeline& run :
       stockRuns({pipeline("a"), option("-inline-threshold=0"), pipeline("b"), pipeline("c"),
                  option("-inline-threshold=-25"), option("-unroll-threshold=7"), pipeline("d"),
                  env::choose({{"", "x"}, {{"f", 1}}})})) {
    runs.push_back(fmt::format("{} [{}]", run.text, fmt::join(run.opt_flags, " ")));
  }
  ASSERT_EQ(runs.size(), 5U);
  EXPECT_EQ(runs[0], "a []");
  EXPECT_EQ(runs[1], "b,c [-inline-threshold=0]");
  EXPECT_EQ(runs[2], "d [-inline-threshold=-25 -unroll-threshold=7]");
  EXPECT_THAT(runs[3], testing::HasSubstr("-inline-threshold=-25"));
}

// opt and clang take an option once: what a sequence says counts more than what the user says.
TEST(StockTest, TheUsersOwnOptionGivesWay) {
  const TempDir dir = *TempDir::create();
  ASSERT_TRUE(writeFile(dir.path() / "a.c",
                        "static int twice(int x) { return x * 2 + 1; }\n"
                        "int f(int x) { return twice(x) / twice(x + 9); }\n"));
  const auto calls = [&](const std::vector<std::string>& flags, const std::vector<env::Action>& actions) {
    const Result<Input> input = prepareInput((dir.path() / "a.c").string(), {}, flags);
    EXPECT_TRUE(input) << input.error().message;
    const Result<std::string> bitcode = runStock(input->compiled.bytes, actions, input->codegen);
    EXPECT_TRUE(bitcode) << bitcode.error().message;
    const auto made = runProcess({"llvm-dis-22", "-", "-o", "-"}, {.input = *bitcode, .dir = {}});
    return made->out.find("call i32 @twice") != std::string::npos;
  };
  const env::Action inliner = pipeline("cgscc(inline)");
  EXPECT_FALSE(calls({}, {inliner}));
  EXPECT_TRUE(calls({"-mllvm", "-inline-threshold=-1000"}, {inliner}));
  EXPECT_TRUE(calls({}, {option("-inline-threshold=-1000"), inliner}));
  EXPECT_FALSE(calls({"-mllvm", "-inline-threshold=-1000"}, {option("-inline-threshold=1000"), inliner}));
}

// Everybody else is optnone meanwhile, and nobody is in the end.
TEST(StockTest, ChoicesOfFunctionsAreARunForEachSequenceAndOneMore) {
  const auto written = [](const std::vector<env::Action>& actions) {
    std::vector<std::string> runs;
    for (const frontend::Pipeline& run : stockRuns(actions))
      runs.push_back(fmt::format("{} [{}]", run.text, fmt::join(run.opt_flags, "|")));
    return runs;
  };
  const env::Choices choices{{"z", "-minsize,+cold,x,loop(y)", "", "+optsize"},
                             {{"f", 1}, {"g, h", 2}, {"\xff\"", 1}, {"i", 3}}};
  const std::string end = "forceattrs [-disable-verify|-force-remove-attribute=optnone]";
  EXPECT_THAT(
      written({pipeline("a"), env::choose(choices), pipeline("b")}),
      ElementsAre("a []",
                  "forceattrs,function(z) [-disable-verify|-force-attribute=f:optnone|"
                  "-force-attribute=g, h:optnone|-force-attribute=i:optnone|"
                  "-force-attribute=\xff\":optnone]",
                  "forceattrs,function(x,loop(y)) [-disable-verify|-force-attribute=optnone|"
                  "-force-remove-attribute=f:optnone|-force-remove-attribute=f:minsize|"
                  "-force-attribute=f:cold|-force-remove-attribute=\xff\":optnone|"
                  "-force-remove-attribute=\xff\":minsize|-force-attribute=\xff\":cold]",
                  "forceattrs [-disable-verify|-force-attribute=optnone|-force-remove-attribute=i:optnone|"
                  "-force-attribute=i:optsize]",
                  end, "b []"));
  EXPECT_THAT(written({pipeline("a"), env::choose({{"z"}, {}}), pipeline("b")}),
              ElementsAre("a []", "forceattrs,function(z) [-disable-verify]", end, "b []"));
  // They begin with the program as it is written, so that what comes before and behind does not join.
  EXPECT_THAT(written({pipeline("a"), env::choose({{"", ""}, {{"f", 1}}}), pipeline("b")}),
              ElementsAre("a []", "b []"));
}

TEST(StockTest, ChoicesThatStockOptCannotBeToldAreAnError) {
  const std::vector<env::Action> actions{env::choose({{"", "sroa"}, {{"a:b", 1}}})};
  const Result<std::string> made = runStock("anything", actions, {});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kCorrupt);
}

TEST(StockTest, ChoicesOfTheCodeGeneratorAreFlagsOfWhoMakesTheObject) {
  frontend::Source source;
  source.flags = {"-g", "-mllvm", "-misched=list", "-DN"};
  const frontend::Source made =
      emissionSource(source, {pipeline("a"), choice("-disable-lsr"), choice("-misched=ilpmax"),
                              attribute("-minsize"), choice("-misched=ilpmin"), choice("-disable-lsr")});
  EXPECT_THAT(made.flags, ElementsAre("-g", "-DN", "-mllvm", "-misched=ilpmin", "-mllvm", "-disable-lsr"));
  EXPECT_EQ(emissionSource(source, {pipeline("a")}).flags, source.flags);
}

// Once, whatever was there before: a recipe's emission may be made from a source that has it.
TEST(StockTest, AChoiceOfOursBringsThePlugin) {
  const std::string plugin = "-fpass-plugin=" + frontend::pluginPath().string();
  const frontend::Source once = emissionSource({}, {choice("-ordo-evict=evict")});
  EXPECT_THAT(once.flags, ElementsAre("-mllvm", "-ordo-evict=evict", plugin));
  EXPECT_EQ(emissionSource(once, {choice("-ordo-evict=evict")}).flags.size(), once.flags.size());
}

// A person pastes the lines into a shell in the program's folder and has the object.
TEST(StockTest, TheCommandsMakeTheObject) {
  const TempDir dir = *TempDir::create();
  ASSERT_TRUE(writeFile(dir.path() / "a b.c",
                        "int square(int x) { return x * x; }\nint f(int x) { return square(x) + N; }\n"));
  const Result<Input> input = prepareInput((dir.path() / "a b.c").string(), {}, {"-DN='\\x20'"});
  ASSERT_TRUE(input) << input.error().message;
  const std::vector<env::Action> actions{pipeline("function(sroa)"), attribute("-minsize"),
                                         pipeline("cgscc(inline)"), choice("-disable-block-placement")};
  const Result<std::vector<std::string>> lines = stockCommands(*input, actions, "made.o");
  ASSERT_TRUE(lines) << lines.error().message;
  EXPECT_EQ(lines->size(), 5u);
  const auto run = runProcess({"sh", "-e", "-c", fmt::format("{}", fmt::join(*lines, "\n"))},
                              {.input = {}, .dir = dir.path()});
  ASSERT_TRUE(run && run->ok()) << run->err;

  const Result<std::string> bitcode = runStock(input->compiled.bytes, actions, input->codegen);
  ASSERT_TRUE(bitcode) << bitcode.error().message;
  EXPECT_TRUE(
      readFile(dir.path() / "made.o").value() ==
      frontend::emitObject(*bitcode, input->baseline.level, emissionSource(input->source, actions)).value());
  EXPECT_THAT(lines->back(), testing::HasSubstr("-mllvm -disable-block-placement"));
}

// A shell takes the words apart, and opt reads a name up to its colon.
TEST(StockTest, TheCommandsReachFunctionsOfEveryName) {
  const TempDir dir = *TempDir::create();
  std::string text = "source_filename = \"odd\"\ntarget triple = \"x86_64-pc-linux-gnu\"\n";
  env::Choices choices{{"", "-minsize,instsimplify"}, {}};
  const std::pair<const char*, const char*> names[] = {{"a b, 'c'", "a b, 'c'"},
                                                       {"\\22$x`\\\\\\22", "\"$x`\\\""},
                                                       {"\\FF\\01", "\xff\x01"},
                                                       {"-passes=x", "-passes=x"}};
  for (const auto& [written, name] : names) {
    text += fmt::format("define i32 @\"{}\"(i32 %x) minsize {{\n  %y = add i32 %x, 0\n  ret i32 %y\n}}\n",
                        written);
    choices.functions.emplace(name, 1);
  }
  ASSERT_TRUE(writeFile(dir.path() / "odd.ll", text));
  const Result<Input> input = prepareInput((dir.path() / "odd.ll").string(), {}, {});
  ASSERT_TRUE(input) << input.error().message;
  const std::vector<env::Action> actions{env::choose(choices)};
  const Result<std::vector<std::string>> lines = stockCommands(*input, actions, "made.o");
  ASSERT_TRUE(lines) << lines.error().message;
  const auto run = runProcess({"sh", "-e", "-c", fmt::format("{}", fmt::join(*lines, "\n"))},
                              {.input = {}, .dir = dir.path()});
  ASSERT_TRUE(run && run->ok()) << run->err;
  const Result<std::string> bitcode = runStock(input->compiled.bytes, actions, input->codegen);
  ASSERT_TRUE(bitcode) << bitcode.error().message;
  const auto made = runProcess({"llvm-dis-22", "-", "-o", "-"}, {.input = *bitcode, .dir = {}});
  ASSERT_TRUE(made && made->ok()) << made->err;
  EXPECT_THAT(made->out, testing::Not(testing::HasSubstr("add i32"))) << "each was reached";
  EXPECT_THAT(made->out, testing::Not(testing::HasSubstr("optnone")));
  EXPECT_TRUE(
      readFile(dir.path() / "made.o").value() ==
      frontend::emitObject(*bitcode, input->baseline.level, emissionSource(input->source, actions)).value());
}

TEST(StockTest, TheCommandsMakeTheObjectOfSeveralSources) {
  const TempDir dir = *TempDir::create();
  const std::filesystem::path folder = dir.path() / "two";
  std::filesystem::create_directories(folder / "lib");
  ASSERT_TRUE(
      writeFile(folder / "main.c", "int other(int);\nint main(int c, char** v) { return other(c); }\n"));
  ASSERT_TRUE(writeFile(folder / "lib/other.c", "int other(int c) { return c + 6; }\n"));
  ASSERT_TRUE(writeFile(folder / "program.toml",
                        "format = 1\nname = \"two\"\nsummary = \"\"\nlanguage = \"c\"\n"
                        "sources = [\"main.c\", \"lib/other.c\"]\ncflags = [\"-w\"]\n"));
  const Result<Input> input = prepareInput(folder.string(), {}, {"-g0"});
  ASSERT_TRUE(input) << input.error().message;
  const std::vector<env::Action> actions{pipeline("function(sroa)")};
  const Result<std::vector<std::string>> lines = stockCommands(*input, actions, "made.o");
  ASSERT_TRUE(lines) << lines.error().message;
  const auto run = runProcess({"sh", "-e", "-c", fmt::format("{}", fmt::join(*lines, "\n"))}, {});
  ASSERT_TRUE(run && run->ok()) << run->err;
  const Result<std::string> bitcode = runStock(input->compiled.bytes, actions, input->codegen);
  ASSERT_TRUE(bitcode) << bitcode.error().message;
  EXPECT_TRUE(readFile(folder / "made.o").value() ==
              frontend::emitObject(*bitcode, input->baseline.level, input->source).value());
}

TEST(StockTest, WithoutActionsTheBitcodeStays) {
  EXPECT_EQ(runStock("anything", {}, {}).value(), "anything");
}

}  // namespace
}  // namespace ordo::engine
