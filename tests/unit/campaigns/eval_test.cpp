#include "campaigns/eval.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/objective.h"
#include "frontend/clang.h"
#include "notation/action.h"
#include "search/catalog/catalog.h"
#include "support/files.h"

namespace ordo::campaigns {
namespace {

TEST(EvalTest, SuitesAreProjects) {
  EXPECT_EQ(suiteOf("debian/zlib/inflate.c"), "debian/zlib");
  EXPECT_EQ(suiteOf("debian/zlib/contrib/x.c"), "debian/zlib");
  EXPECT_EQ(suiteOf("suite/crc32"), "suite");
  EXPECT_EQ(suiteOf("csmith/7"), "csmith");
  EXPECT_EQ(suiteOf("some/where/main.c"), "file");
}

TEST(EvalTest, ASubfolderIsASuite) {
  const TempDir dir = *TempDir::create();
  const std::filesystem::path root = dir.path() / "corpus";
  std::filesystem::create_directories(root / "one" / "deep");
  for (const char* name : {"a.ll", "one/b.ll", "one/deep/c.ll"})
    ASSERT_TRUE(writeFile(root / name, "; IR\n"));
  const auto entries = folderEntries(root.string());
  ASSERT_TRUE(entries) << entries.error().message;
  ASSERT_EQ(entries->size(), 3u);
  EXPECT_EQ((*entries)[0].suite, "corpus");
  EXPECT_EQ((*entries)[1].suite, "corpus/one");
  EXPECT_EQ((*entries)[2].suite, "corpus/one");
}

TEST(EvalTest, SpreadingTakesFromEverySuite) {
  std::vector<study::Plan::Entry> entries;
  for (int i = 0; i < 20; ++i) entries.push_back({fmt::format("big/{}", i), "big"});
  entries.push_back({"small/0", "small"});
  const auto chosen = spread(entries, 5, 1);
  EXPECT_EQ(chosen.size(), 5u);
  EXPECT_EQ(std::ranges::count(chosen, "small", &study::Plan::Entry::suite), 1);
  const auto again = spread(entries, 5, 1);
  for (std::size_t i = 0; i < chosen.size(); ++i) EXPECT_EQ(chosen[i].uri, again[i].uri);
  EXPECT_EQ(spread(entries, 100, 1).size(), 21u);
}

// A whole run with LLVM: what the study says of the baselines is what a session says, and the result is
// no worse.
TEST(EvalTest, ARunIsMeasuredAgainstBothBaselines) {
  const TempDir dir = *TempDir::create();
  ASSERT_TRUE(writeFile(dir.path() / "f.c",
                        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i * i; return s; }\n"));
  spaces::Space space;
  for (const char* text : {"function(sroa<modify-cfg>)", "function(simplifycfg)", "globaldce"})
    space.actions.push_back({text, notation::kPipeline, text});
  EvalHost host(space, {}, RunPurpose::kStudy);
  const Result<study::Subject> subject = host.prepare((dir.path() / "f.c").string());
  ASSERT_TRUE(subject) << subject.error().message;
  const auto value = [&](const char* baseline, const char* metric) {
    return study::valueOf(subject->program, baseline, metric).value_or(-1);
  };
  EXPECT_GT(value("initial", "ir_instructions"), value("clang-Oz", "ir_instructions"));
  EXPECT_GT(value("clang-Oz", "text_bytes"), 0);
  EXPECT_GT(value("bare-Oz", "text_bytes"), 0);
  const auto site = host.openSite();
  ASSERT_TRUE(site) << site.error().message;
  study::RunOptions options;
  options.method = study::searcherMethod(*search::find("random"));
  options.objective = engine::objectiveFor("text_bytes");
  options.compiles = 20;
  options.metrics = evalMetrics();
  const Result<study::Run> run = study::runMethod(**site, *subject, options);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_LE(run->seed_value, value("clang-Oz", "text_bytes"));
  EXPECT_EQ(run->statistics.evaluations, 20u);
  EXPECT_GT(run->worker_cpu_s, 0);
  EXPECT_GT(run->peak_bytes, 1u << 20);
  EXPECT_TRUE(study::valueOf(run->checkpoints.back().own, "text_bytes"));
}

// There is no machine code of a coroutine before it is split.
TEST(EvalTest, AProgramOfWhichNoBytesCanBeMadeBeforeAnyPassIsNotAFailedOne) {
  const TempDir dir = *TempDir::create();
  ASSERT_TRUE(writeFile(dir.path() / "f.cpp", R"(
#include <coroutine>
struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
int count;
Task tick() { ++count; co_await std::suspend_never{}; ++count; }
)"));
  const auto compiled = frontend::compileToBitcode(
      {dir.path() / "f.cpp", "c++", {"-std=c++20"}, dir.path(), {}}, frontend::Level::kOz);
  ASSERT_TRUE(compiled) << compiled.error().message;
  ASSERT_TRUE(writeFile(dir.path() / "f.bc", compiled->bytes));
  spaces::Space space;
  space.actions.push_back({"globaldce", notation::kPipeline, "globaldce"});
  EvalHost host(space, {}, RunPurpose::kStudy);
  const Result<study::Subject> subject = host.prepare((dir.path() / "f.bc").string());
  ASSERT_TRUE(subject) << subject.error().message;
  EXPECT_FALSE(study::valueOf(subject->program, "initial", "text_bytes"));
  EXPECT_TRUE(study::valueOf(subject->program, "initial", "ir_instructions"));
  EXPECT_TRUE(study::valueOf(subject->program, "clang-Oz", "text_bytes"));
}

TEST(EvalTest, AReservedProgramIsRefused) {
  EvalHost host({}, {}, RunPurpose::kStudy);
  const Result<study::Subject> subject = host.prepare("compilergym/cbench-v1/qsort");
  EXPECT_FALSE(subject);
}

}  // namespace
}  // namespace ordo::campaigns
