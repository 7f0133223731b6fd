// The promise of docs/adr/0004-baselines.md: a captured pipeline, run by stock opt over what clang's
// front end made, ends in the same machine code as clang's own compilation.
#include "frontend/driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/opt.h"
#include "support/files.h"
#include "support/process.h"

namespace ordo::frontend {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Whatever has told pipelines apart: name() differs without opt's -relocation-model, table() where
// the text of -O3 loses a threshold, add() where the SLP vectorizer is missing at -Oz.
constexpr std::string_view kC = R"(
#include <stdint.h>
#include <string.h>
const char *name(int x) {
  switch (x) { case 0: return "zero"; case 1: return "one"; case 2: return "two"; case 3: return "three"; }
  return "many";
}
void multiply(float a[8][8], float b[8][8], float c[8][8]) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      float sum = 0;
      for (int k = 0; k < 8; k++) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
}
void add(float *restrict a, const float *restrict b, const float *restrict c) {
  a[0] = b[0] + c[0]; a[1] = b[1] + c[1]; a[2] = b[2] + c[2]; a[3] = b[3] + c[3];
}
static uint32_t mix(uint32_t h, const unsigned char *p, int n) {
  for (int i = 0; i < n; i++) { h ^= p[i]; h *= 16777619u; h = (h << 5) | (h >> 27); }
  for (int i = 0; i < 22; i++) { h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; }
  return h;
}
static inline __attribute__((always_inline)) int clamp(int x) {
  int low = 0, high = 9;
  return x < low ? low : x > high ? high : x;
}
uint32_t hash(const char *text, int n) {
  uint32_t h = 1;
  while (n-- > 0) h = mix(h, (const unsigned char *)text, clamp(n));
  return mix(h, (const unsigned char *)name(n), (int)strlen(name(n)));
}
__attribute__((minsize)) uint32_t small(const char *t) { return mix(3, (const unsigned char *)t, 4); }
__attribute__((cold)) uint32_t cold(const char *t) { return mix(4, (const unsigned char *)t, 4); }
int table(int seed) {
  int table[44], best = 0;
  for (int i = 0; i < 44; i++) table[i] = i * seed;
  for (int i = 1; i < 44; i++)
    if (table[i] > table[i - 1] + best) best ^= table[i];
  return best;
}
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
)";

// Inline constructors, virtual calls, static and thread-local objects, templates, and guarded(), a
// forced inlining with clean-ups that differs at -O0 where the text loses a parameter, and cells(), a
// loop of the compiler's own that clang leaves alone at -O1.
constexpr std::string_view kCxx = R"(
extern "C" int puts(const char *);
int work(int);
struct Shape {
  int id;
  Shape(int i) : id(work(i)) {}
  virtual ~Shape() { work(id); }
  virtual int area() const = 0;
};
struct Square final : Shape {
  int side;
  Square(int s) : Shape(s), side(s) {}
  int area() const override { return side * side; }
};
struct Circle : Shape {
  int r;
  Circle(int s) : Shape(s), r(s) {}
  int area() const override { return 3 * r * r; }
};
struct Guard {
  int n;
  char room[40];
  explicit Guard(int x) : n(x) { room[0] = 1; }
  ~Guard() noexcept(false) { work(n + room[0]); }
};
__attribute__((always_inline)) inline int guarded(int x) { Guard a(x), b(x + 1); return work(a.n + b.n); }
int guards(int n) {
  int total = guarded(n);
  Guard outer(total);
  for (int i = 0; i < n; i++) total += guarded(i);
  return total;
}
struct Cell {
  int value;
  Cell() : value(work(2)) {}
};
int cells(int n) { Cell all[5]; return all[n].value; }
inline int &counter() { static int c = work(1); return c; }
template <class T, int N> struct Pool {
  T items[N];
  T sum() const { T s{}; for (auto x : items) s += x * x; return s; }
};
thread_local Guard per_thread(3);
Square fixed(4);
int run(int n, const Pool<int, 6> &p, const Pool<double, 5> &q) {
  int total = guarded(n);
  try {
    Square s(n); Circle c(n + 1); Shape *all[] = {&s, &c, &fixed};
    for (Shape *shape : all) total += shape->area();
    if (total > 100) throw total;
  } catch (int value) { puts("caught"); total = value; }
  return total + counter()++ + p.sum() + static_cast<int>(q.sum()) + per_thread.n;
}
)";

constexpr std::string_view kCoroutine = R"(
#include <coroutine>
struct Task {
  struct promise_type {
    int value;
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int x) { value = x; return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
  ~Task() { handle.destroy(); }
  int next() { handle.resume(); return handle.promise().value; }
};
Task count(int n) { for (int i = 0; i < n; i++) co_yield i; }
int sum(int n) { Task t = count(n); int s = 0; while (n-- > 0) s += t.next(); return s; }
)";

class DriverTest : public testing::Test {
 protected:
  // The snippet in a file of its own.
  Source source(std::string_view text, std::string language, std::vector<std::string> flags = {}) {
    const std::string file = language == "c" ? "snippet.c" : "snippet.cpp";
    EXPECT_TRUE(writeFile(dir_.path() / file, text));
    return {file, std::move(language), std::move(flags), dir_.path()};
  }

  // The code of every section, without the name of the file it came from.
  std::string disassembly(std::string_view object) {
    const std::string file = (dir_.path() / "object.o").string();
    EXPECT_TRUE(writeFile(file, object));
    const auto run = runProcess({"llvm-objdump-22", "-d", file});
    EXPECT_TRUE(run && run->ok());
    return run->out;
  }

  void expectStockCode(const Source& source, Level level) {
    const auto stock = compileStock(source, level);
    ASSERT_TRUE(stock) << stock.error().message;
    const auto input = compileToBitcode(source, level);
    ASSERT_TRUE(input) << input.error().message;
    const auto pipeline = capturePipeline(source, level);
    ASSERT_TRUE(pipeline) << pipeline.error().message;
    const auto codegen = codegenFlags(source, level);
    ASSERT_TRUE(codegen) << codegen.error().message;
    const auto optimised = runOpt(input->bytes, *pipeline, *codegen);
    ASSERT_TRUE(optimised) << optimised.error().message;
    const auto object = emitObject(*optimised, level, source);
    ASSERT_TRUE(object) << object.error().message;
    if (*object == stock->bytes) return;  // even the names of private symbols agree
    EXPECT_EQ(disassembly(*object), disassembly(stock->bytes))
        << name(level) << " " << shellQuote(source.flags) << " with " << pipeline->text;
  }

  TempDir dir_ = *TempDir::create();
};

TEST_F(DriverTest, CapturedPipelinesOfCMakeTheCodeOfClangAtEveryLevel) {
  for (Level level : kLevels) expectStockCode(source(kC, "c"), level);
}

TEST_F(DriverTest, CapturedPipelinesOfCxxMakeTheCodeOfClangAtEveryLevel) {
  for (Level level : kLevels) expectStockCode(source(kCxx, "c++", {"-std=c++20"}), level);
}

TEST_F(DriverTest, CoroutinesAreSplitAsByClang) {
  for (Level level : {Level::kO0, Level::kO2, Level::kOz}) {
    expectStockCode(source(kCoroutine, "c++", {"-std=c++20"}), level);
  }
}

// Each of these has its own path to the passes or to the code generator.
TEST_F(DriverTest, FlagsReachThePassesAndTheCodeGenerator) {
  const std::vector<std::string> single{"-fPIC", "-fno-pic",     "-march=haswell", "-ffast-math",
                                        "-g",    "-fno-builtin", "-mno-red-zone",  "-fwrapv"};
  for (const std::string& flag : single) expectStockCode(source(kC, "c", {flag}), Level::kOz);
  const std::vector<std::vector<std::string>> several{{"-ffunction-sections", "-fdata-sections"},
                                                      {"-fno-vectorize", "-fno-slp-vectorize"},
                                                      {"-fno-pie", "-mcmodel=large"},
                                                      {"-mllvm", "-inline-threshold=500"}};
  for (const auto& flags : several) expectStockCode(source(kC, "c", flags), Level::kOz);
  expectStockCode(source(kC, "c", {"-fno-pic"}), Level::kO2);
}

TEST_F(DriverTest, UnrollingStaysOffWhereClangTurnsItOff) {
  for (Level level : {Level::kO1, Level::kO2, Level::kO3}) {
    expectStockCode(source(kCxx, "c++", {"-fno-unroll-loops"}), level);
  }
  expectStockCode(source(kCxx, "c++", {"-funroll-loops"}), Level::kO1);
}

TEST_F(DriverTest, ExactAtO3AlsoWhenFlagsChangeItsPasses) {
  const Source changed = source(kC, "c", {"-fno-vectorize"});
  const auto pipeline = capturePipeline(changed, Level::kO3);
  ASSERT_TRUE(pipeline) << pipeline.error().message;
  EXPECT_THAT(pipeline->opt_flags, Not(IsEmpty()));
  expectStockCode(changed, Level::kO3);
}

TEST_F(DriverTest, AnAliasStandsForATextOnlyWhereBothAreTheSame) {
  const Source c{"any.c", "c", {}, {}};
  EXPECT_EQ(capturePipeline(c, Level::kO0)->text, "default<O0>");
  EXPECT_EQ(capturePipeline(c, Level::kO3)->text, "function(declare-to-assign),default<O3>");
  // clang runs this pass at -Oz and `default<Oz>` does not.
  EXPECT_THAT(capturePipeline(c, Level::kOz)->text, HasSubstr("slp-vectorizer"));
}

TEST_F(DriverTest, ThePipelineDoesNotDependOnTheProgram) {
  const auto here = capturePipeline({"any.c", "c", {}, {}}, Level::kOz);
  const auto there = capturePipeline(source(kC, "c"), Level::kOz);
  ASSERT_TRUE(here && there);
  EXPECT_EQ(here->text, there->text);
}

TEST_F(DriverTest, FlagsOfAnEmptyFileThatWouldWarnDoNotMatter) {
  const auto pipeline = capturePipeline(
      {"any.c", "c", {"-Wall", "-Wpedantic", "-pedantic-errors", "-Werror", "-lm"}, {}}, Level::kOz);
  EXPECT_TRUE(pipeline) << pipeline.error().message;
}

TEST_F(DriverTest, ReadsTheSettingsOfTheCodeGenerator) {
  const auto plain = codegenFlags({"any.c", "c", {}, {}}, Level::kOz);
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_THAT(plain->triple, HasSubstr("linux-gnu"));
  EXPECT_EQ(plain->relocation, "pic");
  EXPECT_EQ(plain->code_model, "");
  EXPECT_FALSE(plain->function_sections);
  EXPECT_THAT(plain->unmodelled, IsEmpty());

  const auto rich = codegenFlags({"any.cpp",
                                  "c++",
                                  {"-fno-pic", "-mcmodel=medium", "-ffunction-sections", "-fdata-sections",
                                   "-ffp-contract=fast", "-mllvm", "-inline-threshold=7", "-DSAY=\"a b\""},
                                  {}},
                                 Level::kO2);
  ASSERT_TRUE(rich) << rich.error().message;
  EXPECT_EQ(rich->relocation, "static");
  EXPECT_EQ(rich->code_model, "medium");
  EXPECT_TRUE(rich->function_sections && rich->data_sections);
  EXPECT_THAT(rich->llvm_flags, Contains("-inline-threshold=7"));
  EXPECT_THAT(rich->unmodelled, Contains("-ffp-contract=fast"));
}

TEST_F(DriverTest, ARejectedFlagIsReportedInTheWordsOfClang) {
  const auto pipeline = capturePipeline({"any.c", "c", {"-fno-such-flag"}, {}}, Level::kOz);
  ASSERT_FALSE(pipeline);
  EXPECT_EQ(pipeline.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(pipeline.error().message, HasSubstr("unknown argument: '-fno-such-flag'"));
}

}  // namespace
}  // namespace ordo::frontend
