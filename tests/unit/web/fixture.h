// One small program on a bench, for tests of what is answered about it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "support/files.h"
#include "tests/fakes/engine_fixture.h"
#include "web/bench.h"

namespace ordo::web {

// A function that any inliner makes go.
inline constexpr const char* kGoes = R"(
static int twice(int x) { return 2 * x; }
int user(int x) { return twice(x) + 1; }
)";

class BenchFixture : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    dir_ = std::make_unique<TempDir>(*TempDir::create());
    ASSERT_TRUE(writeFile(dir_->path() / "small.c", std::string(engine::kSmallProgram) + kGoes));
    Result<std::shared_ptr<Bench>> bench = Bench::open(spec());
    ASSERT_TRUE(bench) << bench.error().message;
    bench_ = *std::move(bench);
  }
  static void TearDownTestSuite() {
    bench_.reset();
    dir_.reset();
  }

  static ProgramSpec spec() {
    ProgramSpec spec;
    spec.file = (dir_->path() / "small.c").string();
    spec.objective = "ir_instructions";
    return spec;
  }
  static search::Sequence sequence(const std::vector<std::string>& names) {
    return *bench_->program.read(names);
  }

  static inline std::unique_ptr<TempDir> dir_;
  static inline std::shared_ptr<Bench> bench_;
};

}  // namespace ordo::web
