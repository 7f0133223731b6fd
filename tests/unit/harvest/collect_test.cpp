#include "harvest/collect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/capture.h"
#include "support/files.h"
#include "support/process.h"

namespace ordo::harvest {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class CollectTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!findProgram({"clang-22"}) || !findProgram({"opt-22"})) GTEST_SKIP() << "needs clang-22 and opt-22";
    fs::create_directories(spool_);
    ASSERT_TRUE(store_.prepare());
  }

  // What the capturing compiler would leave of `source`.
  void capture(const std::string& source, const std::string& object, const std::string& text,
               std::vector<std::string> flags = {}, const std::string& error = "") {
    const std::string key = std::to_string(count_++);
    ASSERT_TRUE(writeFile(spool_ / (key + ".json"),
                          capture::writeRecord({source, object, "c", std::move(flags), error})));
    if (!error.empty()) return;
    ProcessOptions options;
    options.input = text;
    const auto result = runProcess({"clang-22", "-O2", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c",
                                    "-x", "c", "-", "-o", (spool_ / (key + ".bc")).string()},
                                   options);
    ASSERT_TRUE(result && result->ok());
  }

  std::vector<std::string> names(const Collected& collected) {
    std::vector<std::string> list;
    for (const auto& module : collected.modules) list.push_back(module.name);
    return list;
  }

  TempDir dir_ = *TempDir::create();
  fs::path spool_ = dir_.path() / "spool";
  datasets::HarvestStore store_{dir_.path() / "store"};
  int count_ = 0;
};

TEST_F(CollectTest, ModulesAreNamedAfterTheirSourcesAndStoredByContent) {
  capture("b.c", "b.o", "int b(void) { return 1; }");
  capture("a.c", "a.o", "int a(void) { return 1; }");
  const auto collected = collect(spool_, store_, nullptr);
  ASSERT_TRUE(collected) << collected.error().message;
  EXPECT_THAT(names(*collected), testing::ElementsAre("a.c", "b.c"));
  for (const auto& module : collected->modules)
    EXPECT_EQ(hashBytes(*readFile(store_.modulePath(module.hash))), module.hash);
}

TEST_F(CollectTest, VariantsAreNumberedAndPositionIndependentCopiesLeftOut) {
  capture("a.c", "z.o", "int a(void) { return 3; }", {"-DX=3"});
  capture("a.c", "a.o", "int a(void) { return 1; }", {"-DX=1"});
  capture("a.c", "pic/a.o", "int a(void) { return 1 + 0; }", {"-DX=1", "-fPIC", "-DPIC"});
  const auto collected = collect(spool_, store_, nullptr);
  ASSERT_TRUE(collected) << collected.error().message;
  EXPECT_THAT(names(*collected), testing::ElementsAre("a.c", "a.c@2"));
  EXPECT_EQ(collected->modules[0].flags.at(0), "-DX=1");
}

TEST_F(CollectTest, WhatDoesNotVerifyAndWhatFailedIsReportedBySource) {
  capture("good.c", "good.o", "int a(void) { return 1; }");
  capture("good.c", "bad.o", "", {"-DBAD"}, "does not compile to bitcode");
  capture("bad.c", "x.o", "", {}, "does not compile to bitcode");
  capture("broken.c", "y.o", "int y(void) { return 1; }");
  ASSERT_TRUE(writeFile(spool_ / "3.bc", "BC\xc0\xde and then nonsense"));
  const auto collected = collect(spool_, store_, nullptr);
  ASSERT_TRUE(collected) << collected.error().message;
  EXPECT_THAT(names(*collected), testing::ElementsAre("good.c"));
  ASSERT_EQ(collected->failures.size(), 2u);
  EXPECT_EQ(collected->failures[0].source, "bad.c");
  EXPECT_EQ(collected->failures[1].source, "broken.c");
  EXPECT_THAT(collected->failures[1].reason, HasSubstr("does not verify"));
}

}  // namespace
}  // namespace ordo::harvest
