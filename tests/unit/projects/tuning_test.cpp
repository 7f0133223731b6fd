#include "projects/tuning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"
#include "support/process.h"

namespace ordo::projects {
namespace {

constexpr const char* kSource =
    "int f(int* a, int n) { int s = 0; for (int i = 0; i < n; i++) { a[i] *= 3; s += a[i] % 7; } return s; "
    "}\n"
    "int g(int* a, int n) { return f(a, n) + f(a + 1, n - 1); }\n";

class TuningTest : public testing::Test {
 protected:
  Module module(const std::string& key, const std::string& content) {
    const auto file = dir_.path() / (key + ".bc");
    EXPECT_TRUE(writeFile(file, content));
    return {key,     key + ".c", {key + ".c", "c", key + ".o", frontend::Level::kOz, "text_bytes"},
            "clang", file,       100};
  }

  std::string bitcode() {
    ProcessOptions options;
    options.input = kSource;
    return runProcess({"clang-22", "-Oz", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-x", "c", "-c",
                       "-", "-o", "-"},
                      options)
        ->out;
  }

  const TempDir dir_ = *TempDir::create();
  builds::Cache cache_ = *builds::Cache::open(dir_.path(), 1 << 20);
};

TEST_F(TuningTest, WhatIsFoundIsKeptAndTheNextRunGoesOnFromThere) {
  std::vector<Module> modules{module("good", bitcode()), module("bad", "nonsense")};
  int searches = 0;
  TuningOptions options{.seconds = 1.5, .jobs = 2};
  options.on_search = [&](double) { ++searches; };
  const Status tuned = tuneModules(modules, cache_, options);
  ASSERT_TRUE(tuned) << tuned.error().message;
  const builds::Known first = modules[0].known;
  EXPECT_GT(first.baseline, 0);
  EXPECT_LE(first.tuned, first.baseline);
  EXPECT_GE(searches, 2);
  EXPECT_NE(modules[1].trouble, "");
  EXPECT_FALSE(modules[1].reached());
  EXPECT_EQ((*cache_.find("good"))->seconds, first.seconds);
  EXPECT_EQ((*cache_.find("good"))->order, first.order);

  modules = {module("good", bitcode())};
  options.seconds = 0.5;
  ASSERT_TRUE(tuneModules(modules, cache_, options));
  EXPECT_LE(modules[0].known.tuned, first.tuned);
  EXPECT_GT(modules[0].known.seconds, first.seconds);
}

TEST_F(TuningTest, StoppedItSearchesNoMore) {
  std::vector<Module> modules{module("good", bitcode())};
  const std::atomic<bool> stop = true;
  ASSERT_TRUE(tuneModules(modules, cache_, {.seconds = 100, .jobs = 1, .stop = &stop}));
  EXPECT_FALSE(modules[0].reached());
}

TEST_F(TuningTest, AnUnknownObjectiveIsNoModulesFault) {
  std::vector<Module> modules{module("good", bitcode())};
  modules[0].task.objective = "beauty";
  EXPECT_EQ(tuneModules(modules, cache_, {}).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace ordo::projects
