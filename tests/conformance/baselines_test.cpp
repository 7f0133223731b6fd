// Holds the baselines to what clang really does. For every program of the suite, C and C++, and for
// every level: the captured pipeline, applied by a session in a worker, and our own code generation
// give the size that `clang-22 -O<level> -c` gives, and clang's code generation of the session's
// bitcode gives what clang's own object would load, byte for byte and relocation for relocation. (The
// names of private symbols, .Lstr.16 or .Lstr.1, are the one difference: they count what was parsed.)
//
// The whole matrix is six times the suite and takes minutes, so it runs with ORDO_FULL=1. Otherwise the
// levels that results are quoted for, Oz and O3, run on all programs, and all levels on four.
#include <gtest/gtest.h>
#include <llvm/Object/ELFObjectFile.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "engine/baseline.h"
#include "engine/engine.h"
#include "engine/input.h"
#include "frontend/clang.h"
#include "frontend/opt.h"
#include "support/files.h"
#include "support/hash.h"

namespace ordo {
namespace {

using frontend::Level;

std::vector<std::string> suitePrograms() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(ORDO_SOURCE_DIR "/suite")) {
    if (exists(entry.path() / "program.toml")) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<Level> levelsFor(const std::string& program) {
  // Two in C and two in C++: loops over floating point, a switch in a loop, exceptions, templates.
  constexpr std::array kAllLevels{"fft", "minivm", "json", "stencil"};
  if (std::getenv("ORDO_FULL") != nullptr ||
      std::find(kAllLevels.begin(), kAllLevels.end(), program) != kAllLevels.end()) {
    return {frontend::kLevels.begin(), frontend::kLevels.end()};
  }
  return {Level::kO3, Level::kOz};
}

// 0 where the section's own bytes have it, as on ARM.
std::int64_t addend(const llvm::object::ELFRelocationRef& relocation) {
  llvm::Expected<std::int64_t> found = relocation.getAddend();
  if (found) return *found;
  llvm::consumeError(found.takeError());
  return 0;
}

// What `object` brings into memory, as text: each such section with its bytes and relocations, and
// the symbols that others see.
std::string loaded(std::string_view object) {
  using namespace llvm::object;
  auto file = ObjectFile::createObjectFile(llvm::MemoryBufferRef({object.data(), object.size()}, "object"));
  if (!file) return "not an object: " + llvm::toString(file.takeError());
  std::string text;
  for (const ELFSectionRef section : (*file)->sections()) {
    if ((section.getFlags() & llvm::ELF::SHF_ALLOC) == 0) continue;
    const bool zeros = section.isBSS();
    text += fmt::format("section {} flags {:x} size {} align {}\n", llvm::cantFail(section.getName()).str(),
                        section.getFlags(), section.getSize(), section.getAlignment().value());
    if (!zeros) text += hashBytes(llvm::cantFail(section.getContents()).str()).hex() + "\n";
  }
  for (const ELFSectionRef table : (*file)->sections()) {
    for (const ELFRelocationRef relocation : table.relocations()) {
      std::string name = "nothing";  // RISC-V's word to the linker that code here may be made shorter
      if (const symbol_iterator to = relocation.getSymbol(); to != (*file)->symbol_end()) {
        name = llvm::cantFail(to->getName()).str();
        if (const section_iterator home = llvm::cantFail(to->getSection());
            home != (*file)->section_end() && (name.empty() || name.starts_with(".L"))) {
          name = fmt::format("{}+{}", llvm::cantFail(home->getName()).str(), llvm::cantFail(to->getValue()));
        }
      }
      text += fmt::format("{} {:x} type {} {} {}\n", llvm::cantFail(table.getName()).str(),
                          relocation.getOffset(), relocation.getType(), name, addend(relocation));
    }
  }
  for (const ELFSymbolRef symbol : (*file)->symbols()) {
    if (symbol.getBinding() == llvm::ELF::STB_LOCAL) continue;
    text += fmt::format("symbol {} binding {} other {} value {} size {}\n",
                        llvm::cantFail(symbol.getName()).str(), symbol.getBinding(), symbol.getOther(),
                        llvm::cantFail(symbol.getValue()), symbol.getSize());
  }
  return text;
}

// Compiles `uri` with `flags` in both ways and compares.
void expectClangsOwn(engine::Engine& engine, const std::string& uri, const std::vector<std::string>& flags,
                     Level level) {
  SCOPED_TRACE(fmt::format("{} at {} with [{}]", uri, frontend::name(level), fmt::join(flags, " ")));
  const engine::Baseline baseline{level, false};
  const auto input = engine::prepareInput(uri, baseline, flags);
  ASSERT_TRUE(input) << input.error().message;
  EXPECT_TRUE(input->pipeline.opt_flags.empty()) << input->pipeline.opt_flags.front();
  EXPECT_TRUE(input->codegen.unmodelled.empty()) << input->codegen.unmodelled.front();
  const auto stock = frontend::compileStock(input->source, level);
  ASSERT_TRUE(stock) << stock.error().message;
  const auto stock_text = frontend::textSize(stock->bytes);
  ASSERT_TRUE(stock_text) << stock_text.error().message;

  const auto session = engine.backend().open(
      {uri, input->compiled.bytes, {engine::baselineAction(baseline, input->pipeline)}, input->settings()});
  ASSERT_TRUE(session) << session.error().message;
  const env::ActionIndex only = 0;
  const auto outcome = (*session)->apply({&only, 1});
  ASSERT_TRUE(outcome) << outcome.error().message;
  ASSERT_TRUE(outcome->ok()) << outcome->detail;
  const auto text = (*session)->measure("text_bytes");
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->value, static_cast<double>(*stock_text)) << text->detail;
  const auto object_bytes = (*session)->measure("object_bytes");
  ASSERT_TRUE(object_bytes) << object_bytes.error().message;

  const auto bitcode = (*session)->observe("bitcode");
  ASSERT_TRUE(bitcode) << bitcode.error().message;
  const auto object = frontend::emitObject(bitcode->text(), level, input->source);
  ASSERT_TRUE(object) << object.error().message;
  EXPECT_EQ(object_bytes->value, static_cast<double>(object->size())) << object_bytes->detail;
  EXPECT_EQ(loaded(*object), loaded(stock->bytes));
}

class BaselinesTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto engine = engine::Engine::start({.limits = {}, .remember_crashes = false});
    ASSERT_TRUE(engine) << engine.error().message;
    engine_ = std::move(*engine);
  }
  static void TearDownTestSuite() { engine_.reset(); }

  static std::unique_ptr<engine::Engine> engine_;
};
std::unique_ptr<engine::Engine> BaselinesTest::engine_;

class SuiteBaselinesTest : public BaselinesTest, public testing::WithParamInterface<std::string> {};

TEST_P(SuiteBaselinesTest, AreWhatClangItselfMakes) {
  for (const Level level : levelsFor(GetParam())) {
    expectClangsOwn(*engine_, ORDO_SOURCE_DIR "/suite/" + GetParam(), {}, level);
  }
}

// Settings of the code generator that a session is told of.
TEST_F(BaselinesTest, HoldForFlagsThatChangeMachineCode) {
  for (const char* flag :
       {"-fno-pic", "-ffunction-sections", "-mcmodel=medium", "-march=x86-64-v3", "-fno-vectorize", "-g"}) {
    expectClangsOwn(*engine_, ORDO_SOURCE_DIR "/suite/stencil", {flag}, Level::kOz);
  }
}

// Programs that need no headers: integers and calls, floating point in libraries or not, tables, strings, a
// switch, variables of threads; classes and exceptions, whose unwind tables are of several kinds.
constexpr std::pair<const char*, std::string_view> kFreestanding[] = {{"plain.c",
                                                                       R"c(
static const short primes[] = {2, 3, 5, 7, 11, 13};
unsigned counts[256];
int total = 7;
extern int elsewhere(const char*);
static int mix(int a, int b) { return a * b + (a >> 3) - (b << 2); }
int walk(const unsigned char* text, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += mix(text[i], primes[i % 6]) + counts[text[i]]++;
  return sum ? sum : elsewhere("nothing");
}
int chosen(int k) {
  switch (k) {
    case 0: return total++;
    case 1: return elsewhere("one");
    case 2: return walk((const unsigned char*)" two ", 3);
                                                                       case 3 : return -k;
case 4:
  return k / 3;
case 5:
  return k % total;
}
return 0;
})c"},
                                                                      {"numbers.c", R"c(
_Thread_local int depth;
double mean(const double* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i];
  return n ? sum / n : 0;
}
long long scaled(float f, long long big, int by) { depth++; return (long long)(f * 1000.0f) + big / by + big % 7; }
int main(void) { double x[3] = {1, 2, 3}; return (int)mean(x, 3) + (int)scaled(0.5f, 1LL << 40, 3) + depth; })c"},
                                                                      {"classes.cpp", R"c(
struct Shape { virtual ~Shape() {} virtual int area() const = 0; };
struct Box : Shape { int w, h; Box(int a, int b) : w(a), h(b) {} int area() const override { return w * h; } };
struct Guard { int* at; explicit Guard(int* p) : at(p) { ++*at; } ~Guard() { --*at; } };
int open;
int largest(Shape* const* shapes, int n) {
  Guard guard(&open);
  int most = -1;
  for (int i = 0; i < n; i++)
    if (shapes[i]->area() > most) most = shapes[i]->area();
  if (most < 0) throw n;
  return most;
}
int safe(Shape* const* shapes, int n) {
  try { return largest(shapes, n); } catch (int wrong) { return -wrong; }
}
Box unit(1, 1);)c"}};

class TargetBaselinesTest : public BaselinesTest, public testing::WithParamInterface<std::string> {};

TEST_P(TargetBaselinesTest, AreWhatClangItselfMakesForOtherMachines) {
  std::istringstream words(GetParam());
  const std::vector<std::string> flags{std::istream_iterator<std::string>(words), {}};
  const auto dir = TempDir::create();
  ASSERT_TRUE(dir) << dir.error().message;
  for (const auto& [name, text] : kFreestanding) {
    const std::filesystem::path path = dir->path() / name;
    ASSERT_TRUE(writeFile(path, text));
    for (const Level level : {Level::kOz, Level::kO3}) expectClangsOwn(*engine_, path, flags, level);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, TargetBaselinesTest,
                         testing::Values("--target=aarch64-linux-gnu", "--target=armv7a-linux-gnueabihf",
                                         "--target=thumbv6m-none-eabi", "--target=thumbv7m-none-eabi",
                                         "--target=thumbv7em-none-eabihf -mcpu=cortex-m4",
                                         "--target=thumbv8m.main-none-eabi -mcpu=cortex-m33",
                                         "--target=riscv32-unknown-elf -march=rv32imc -mabi=ilp32",
                                         "--target=riscv64-linux-gnu -march=rv64gc -mabi=lp64d",
                                         "--target=x86_64-linux-gnu -fno-asynchronous-unwind-tables"));

INSTANTIATE_TEST_SUITE_P(Suite, SuiteBaselinesTest, testing::ValuesIn(suitePrograms()),
                         [](const auto& program) { return program.param; });

}  // namespace
}  // namespace ordo
