// Choices for functions (env/choices.h) as properties of random modules and random assignments:
//
//   - the worker, stock opt-22 by engine::stockRuns() and the plugin inside clang-22 make the same IR;
//   - what a function becomes does not depend on what others chose. Passes may write on a function what its
//     callers read, though: correlated-propagation says of some that they return no null.
//
// The modules are programs of the suite, random functions of llvm-stress-22, some to a module, programs of
// csmith where it is installed, and by hand what is odd: names that nobody writes, exceptions, computed goto,
// aliases, comdats, ifuncs.
//
// CI takes a few dozen; ORDO_FULL=1 takes 2,000, and ORDO_SOAK_MODULES says another number.
#include "env/choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>

#include "datasets/dataset.h"
#include "engine/engine.h"
#include "engine/input.h"
#include "engine/stock.h"
#include "frontend/opt.h"
#include "llvm/ir/module.h"
#include "llvm/ir/target.h"
#include "notation/action.h"
#include "notation/function_sequence.h"
#include "recipe/recipe.h"
#include "spaces/manifest.h"
#include "spaces/space.h"
#include "support/files.h"
#include "support/process.h"
#include "support/rng.h"
#include "support/symbol.h"
#include "support/team.h"

namespace ordo {
namespace {

namespace fs = std::filesystem;

bool full() { return std::getenv("ORDO_FULL") != nullptr; }

std::size_t wantedModules() {
  const char* asked = std::getenv("ORDO_SOAK_MODULES");
  return asked != nullptr ? std::stoul(asked) : full() ? 2000 : 36;
}

// By hand, in IR: a function of each linkage and with each attribute that matters here, and names of every
// kind.
constexpr std::string_view kOdd = R"(
target triple = "x86_64-pc-linux-gnu"
$shared = comdat any
@table = private unnamed_addr constant [3 x i32] [i32 5, i32 6, i32 7]
@labels = internal constant [2 x ptr] [
  ptr blockaddress(@"computed goto", %a), ptr blockaddress(@"computed goto", %b)]
@other.name = alias i32 (i32), ptr @"we ird,\22quote\22"
@resolved = ifunc i32 (i32), ptr @resolver
declare i32 @outside(i32)
declare i64 @strlen(ptr)
define i32 @"we ird,\22quote\22"(i32 %x) minsize optsize {
  %slot = alloca i32
  store i32 %x, ptr %slot
  %y = load i32, ptr %slot
  %z = add i32 %y, 0
  %r = call i32 @"\FF\FEno utf-8"(i32 %z)
  ret i32 %r
}
define internal i32 @"\FF\FEno utf-8"(i32 %x) optsize {
  %m = mul i32 %x, 8
  %d = udiv i32 %m, 2
  ret i32 %d
}
define i32 @"\01raw"(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %more = add i32 %sum, %n
  %next = add i32 %i, 1
  %go = icmp slt i32 %next, 7
  br i1 %go, label %loop, label %done
done:
  ret i32 %more
}
define i32 @"-passes=globaldce"(i32 %x) noinline {
  switch i32 %x, label %rest [ i32 0, label %a
                               i32 1, label %b
                               i32 2, label %c
                               i32 3, label %d ]
a:
  ret i32 17
b:
  ret i32 4
c:
  ret i32 99
d:
  ret i32 23
rest:
  ret i32 0
}
define i32 @"gr\C3\B6\C3\9Fe"(i32 %x) alwaysinline {
  %y = sub i32 %x, 1
  %z = add i32 %y, 1
  ret i32 %z
}
define linkonce_odr i32 @shared(i32 %x) comdat {
  switch i32 %x, label %rest [ i32 0, label %a
                               i32 1, label %b
                               i32 2, label %c
                               i32 3, label %d ]
a:
  ret i32 7
b:
  ret i32 8
c:
  ret i32 91
d:
  ret i32 10
rest:
  %r = call i32 @"gr\C3\B6\C3\9Fe"(i32 %x)
  ret i32 %r
}
define i32 @"computed goto"(i32 %x) {
  %slot = alloca i32
  store i32 %x, ptr %slot
  %at = getelementptr [2 x ptr], ptr @labels, i32 0, i32 %x
  %to = load ptr, ptr %at
  indirectbr ptr %to, [ label %a, label %b ]
a:
  %y = load i32, ptr %slot
  ret i32 %y
b:
  %z = call i32 @outside(i32 3)
  ret i32 %z
}
define weak_odr i64 @"new\0Aline\\and tab\09"(ptr %s) section "odd" {
  %n = call i64 @strlen(ptr %s)
  %m = call i64 @strlen(ptr %s)
  %d = sub i64 %n, %m
  ret i64 %d
}
define internal ptr @resolver() {
  %p = alloca ptr
  store ptr @"\01raw", ptr %p
  %q = load ptr, ptr %p
  ret ptr %q
}
define available_externally i32 @elsewhere(i32 %x) {
  %y = shl i32 %x, 1
  %z = lshr i32 %y, 1
  ret i32 %z
}
define i32 @0(i32 %x) {
  %y = add i32 %x, 0
  %z = call i32 @elsewhere(i32 %y)
  ret i32 %z
}
define i32 @"a:colon"(i32 %x) {
  %y = or i32 %x, 0
  ret i32 %y
}
)";

constexpr std::string_view kExceptions = R"(
#include <stdexcept>
#include <string>
#include <vector>
struct Shape {
  virtual ~Shape() {}
  virtual int area() const = 0;
};
struct Square final : Shape {
  int n;
  explicit Square(int n) : n(n) {}
  int area() const override { return n * n; }
};
struct Guard { int* slot; ~Guard() { ++*slot; } };
int risky(int);
template <typename T> static T sum(const std::vector<T>& all) {
  T s{};
  for (const T& t : all) s += t;
  return s;
}
inline int clamp(int x) { return x < 0 ? 0 : x > 255 ? 255 : x; }
__attribute__((noinline)) static int careful(int x) {
  Guard guard{&x};
  try { return risky(x) + risky(x + 1); } catch (const std::runtime_error& e) { return e.what()[0]; }
  catch (int i) { return i; }
}
int use(int n, const char* s) {
  std::vector<int> all;
  for (int i = 0; i < n; ++i) all.push_back(clamp(careful(i)));
  std::string text = s;
  text += "!";
  Shape* shape = new Square(sum(all));
  const int area = shape->area() + (int)text.size();
  delete shape;
  return area;
}
__attribute__((cold)) int rare(int x) { static int many[64]; many[x & 63] += x; return many[(x + 1) & 63]; }
)";

constexpr std::string_view kGoto = R"(
#include <stdio.h>
#include <string.h>
static int counts[256];
static int run(const unsigned char* code, int n) {
  static void* const labels[] = {&&add, &&twice, &&print, &&end};
  int value = 1;
  goto *labels[*code++ & 3];
add: value += n; goto *labels[*code++ & 3];
twice: value *= 2; goto *labels[*code++ & 3];
print: printf("%d\n", value); goto *labels[*code++ & 3];
end: return value;
}
static const char* word(int i) {
  switch (i) { case 0: return "zero"; case 1: return "one"; case 2: return "two"; case 3: return "three";
               case 4: return "four"; default: return "many"; }
}
static int number(int i) {
  switch (i) { case 0: return 90; case 1: return 41; case 2: return 12; case 3: return 3; case 4: return 74; }
  return i;
}
void copy(char* to, const char* from, int n) { for (int i = 0; i < n; i++) to[i] = from[i]; }
int old(const char*) __attribute__((alias("letters")));
int letters(const char* s) { int all = 0; for (; *s; s++) all += ++counts[(unsigned char)*s]; return all; }
long spread(const int* a, int n) {
  long low = a[0], high = a[0];
  for (int i = 1; i < n; i++) { low = a[i] < low ? a[i] : low; high = a[i] > high ? a[i] : high; }
  return high - low;
}
int main(int argc, char** argv) {
  char copied[64];
  memset(copied, 0, sizeof copied);
  copy(copied, argv[0], (int)strlen(argv[0]) & 63);
  printf("%s %d\n", word(argc), number(argc) + letters(copied));
  return run((const unsigned char*)argv[0], argc) + old("abc") + (int)spread(counts, 256);
}
)";

struct Sample {
  std::string name;
  std::string bitcode;
};

std::string outputOf(const std::vector<std::string>& argv, std::string_view input) {
  const auto run = runProcess(argv, {.input = std::string(input), .dir = {}});
  ORDO_CHECK(run.has_value() && run->ok(), "{}: {}", argv.front(), run ? run->err : run.error().message);
  return run->out;
}

std::string compiled(const std::string& language, const std::string& level, std::string_view text) {
  return outputOf({"clang-22", "-x", language, level, "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c",
                   "-", "-o", "-"},
                  text);
}

// A few functions by chance, none of which calls another.
std::string stressed(std::uint64_t seed) {
  Rng rng(seed);
  std::string text = "target triple = \"x86_64-pc-linux-gnu\"\n";
  const std::size_t count = rng.between(2, 6);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string all = outputOf({"llvm-stress-22", fmt::format("-seed={}", seed * 8 + i),
                                      fmt::format("-size={}", 40 + rng.below(160)), "-o", "-"},
                                     "");
    text += all.substr(all.find("\ndefine "));
  }
  const auto module = ir::parse(text, "stress");
  ORDO_CHECK(module.has_value(), "{}", module.error().message);
  return ir::writeBitcode(**module);
}

std::string prepared(const std::string& program) {
  const auto input = engine::prepareInput(program, engine::Baseline{}, {});
  ORDO_CHECK(input.has_value(), "{}", input.error().message);
  return input->compiled.bytes;
}

// By number, whatever the others are.
class Samples {
 public:
  Samples() {
    const ir::OwnedModule odd = *ir::parse(kOdd, "odd");
    fixed_.push_back({"odd", ir::writeBitcode(*odd)});
    for (const char* level : {"-Oz", "-O2"}) {
      fixed_.push_back({fmt::format("exceptions {}", level), compiled("c++", level, kExceptions)});
      fixed_.push_back({fmt::format("goto {}", level), compiled("c", level, kGoto)});
    }
    for (const auto& entry : fs::directory_iterator(ORDO_SOURCE_DIR "/suite"))
      if (exists(entry.path() / "program.toml")) suite_.push_back(entry.path());
    std::ranges::sort(suite_);
    // Those take seconds.
    constexpr std::array kLarge = {"chess", "containers", "lzh", "minivm", "sat", "shapes", "textsearch"};
    std::erase_if(suite_, [&](const fs::path& path) {
      return !full() && std::ranges::find(kLarge, path.filename()) != kLarge.end();
    });
    has_csmith_ = datasets::loadProgram("csmith/0").has_value();
  }

  Sample at(std::size_t number) {
    const std::size_t turn = number / 4;
    switch (number % 4) {
      case 0:
        return fixed_[turn % fixed_.size()];
      case 1: {
        const fs::path& path = suite_[turn % suite_.size()];
        return {path.filename().string(), prepared(path.string())};
      }
      case 2:
        if (has_csmith_) return {fmt::format("csmith/{}", turn), prepared(fmt::format("csmith/{}", turn))};
        [[fallthrough]];
      default:
        return {fmt::format("llvm-stress {}", number), stressed(number)};
    }
  }

 private:
  std::vector<Sample> fixed_;
  std::vector<fs::path> suite_;
  bool has_csmith_ = false;
};

std::vector<std::string> functionNames(const llvm::Module& module) {
  std::vector<std::string> names;
  for (const llvm::Function& function : module)
    if (!function.isIntrinsic()) names.push_back(function.getName().str());
  return names;
}

// What searches give and take. Others say something to callers: a call of a cold function is unlikely.
constexpr std::array kAttributes = {"minsize", "optsize"};
constexpr std::array kAnyAttributes = {"minsize", "optsize", "cold", "nounwind", "norecurse"};

struct Counts {
  std::atomic<std::size_t> modules = 0, assignments = 0, chosen = 0, changed = 0, refusals = 0,
                           mismatches = 0;
  std::atomic<std::size_t> functions = 0, dependent = 0, explained = 0;
};

class Choices : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ir::initialiseTargets();
    setInstallPrefix(fs::path(ORDO_BIN_DIR).parent_path());
    sandbox::Limits limits;
    limits.wall_s = limits.cpu_s = 30;
    engine_ = *engine::Engine::start({.limits = limits, .remember_crashes = false});
    const auto manifest = spaces::loadManifest(ORDO_SOURCE_DIR "/data", engine_->info());
    ASSERT_TRUE(manifest) << manifest.error().message;
    // What a search makes sequences of.
    std::set<std::string> passes;
    for (const char* space : {"size", "speed", "full"}) {
      const auto actions = spaces::loadSpace(ORDO_SOURCE_DIR "/data", space, *manifest);
      ASSERT_TRUE(actions) << actions.error().message;
      for (const env::Action& action : actions->actions)
        if (const auto inside = notation::functionPasses(action)) passes.emplace(*inside);
    }
    passes_.assign(passes.begin(), passes.end());
    ASSERT_GT(passes_.size(), 50u);
    samples_ = std::make_unique<Samples>();
  }
  static void TearDownTestSuite() {
    engine_.reset();
    samples_.reset();
  }

  // `attributes`: some may come before it.
  static std::string sequence(Rng& rng, std::span<const char* const> attributes) {
    std::vector<std::string> pieces;
    for (const char* name : attributes)
      if (rng.chance(0.2)) pieces.push_back((rng.chance(0.5) ? "+" : "-") + std::string(name));
    for (std::size_t count = rng.below(5); count > 0; --count) pieces.push_back(rng.pick(std::span(passes_)));
    return fmt::format("{}", fmt::join(pieces, ","));
  }

  static env::Choices assignment(Rng& rng, const std::vector<std::string>& names,
                                 std::span<const char* const> attributes) {
    env::Choices choices;
    if (rng.chance(0.4)) choices.sequences = {sequence(rng, {})};
    const std::size_t count = rng.between(1, full() ? env::kMostSequences - 1 : 3);
    for (std::size_t i = 0; i < count; ++i) choices.sequences.push_back(sequence(rng, attributes));
    const double density = rng.uniform();
    for (const std::string& name : names) {
      if (name.empty() || name.find(':') != std::string::npos || !rng.chance(density)) continue;
      choices.functions.emplace(name, rng.between(1, choices.sequences.size() - 1));
    }
    return choices;
  }

  // What the plugin makes of it inside clang.
  static Result<std::string> byPlugin(const Sample& sample, const Hash128& hash,
                                      const std::vector<env::Action>& actions, const std::string& settings) {
    const TempDir dir = *TempDir::create();
    recipe::Recipe recipe;
    recipe.program = sample.name;
    recipe.program_hash = hash;
    recipe.backend = "llvm";
    recipe.actions = actions;
    recipe.settings = settings;
    ORDO_TRY(writeFile(dir.path() / "a.json", recipe::write(recipe)));
    ORDO_TRY(writeFile(dir.path() / "a.bc", sample.bitcode));
    ORDO_TRY_ASSIGN(
        const ProcessResult run,
        runProcess({"env", fmt::format("ORDO_RECIPE={}", (dir.path() / "a.json").string()), "clang-22", "-Oz",
                    "-Wno-override-module", "-fpass-plugin=" + frontend::pluginPath().string(), "-emit-llvm",
                    "-c", (dir.path() / "a.bc").string(), "-o", "-"},
                   {}));
    // It would have been compiled all the same.
    if (!run.ok() || !run.err.empty()) return fail(ErrorCode::kInvalidArgument, "{}", run.err);
    return run.out;
  }

  static Result<Hash128> hashOf(const std::string& bitcode) {
    ORDO_TRY_ASSIGN(const auto session, engine_->backend().open({"result", bitcode, {}, {}}));
    return session->stateHash();
  }

  // Calls `each` with numbers of modules, on all processors.
  static void forModules(const std::function<void(std::size_t)>& each) {
    const std::size_t count = wantedModules();
    std::atomic<std::size_t> next = 0;
    Team team(teamSize(std::max(2u, std::thread::hardware_concurrency()), count));
    team.run([&](unsigned) {
      for (std::size_t i = next++; i < count; i = next++) each(i);
    });
  }

  static inline std::unique_ptr<engine::Engine> engine_;
  static inline std::unique_ptr<Samples> samples_;
  static inline std::vector<std::string> passes_;
};

TEST_F(Choices, AreCarriedOutAlikeByWorkerStockOptAndPlugin) {
  Counts counts;
  std::mutex mutex;
  std::map<std::string, int> refusals;
  forModules([&](std::size_t number) {
    const Sample sample = samples_->at(number);
    Rng rng = Rng(22).stream(number);
    const ir::OwnedModule module = *ir::parse(sample.bitcode, sample.name);
    const frontend::CodegenFlags codegen;
    const std::string settings = engine::settingsOf(codegen, frontend::Level::kOz);
    std::vector<std::string> names = functionNames(*module);
    names.emplace_back("nobody's");  // of a function that is gone
    const env::Choices choices = assignment(rng, names, kAnyAttributes);
    std::vector<env::Action> actions;
    const auto pipeline = [&](const std::string& text) {
      actions.push_back({text, notation::kPipeline, text});
    };
    // Analyses are known of what comes from a prefix.
    if (rng.chance(0.5)) pipeline("function(sroa<modify-cfg>,early-cse),cgscc(inline,function-attrs)");
    actions.push_back(env::choose(choices));
    if (rng.chance(0.5)) pipeline("function(simplifycfg),globaldce");
    pipeline("always-inline");  // as clang does in any case
    SCOPED_TRACE(fmt::format("module {}, {}: {}", number, sample.name, env::choose(choices).text));
    ++counts.modules;
    counts.chosen += choices.functions.size();

    auto session = engine_->backend().open({sample.name, sample.bitcode, actions, settings});
    ASSERT_TRUE(session) << session.error().message;
    const Hash128 before = (*session)->stateHash().value();
    std::vector<env::ActionIndex> all(actions.size());
    std::iota(all.begin(), all.end(), 0);
    const env::StepOutcome outcome = (*session)->apply(all).value();
    const env::Measurement verdict = outcome.ok() ? (*session)->verify().value() : env::Measurement{};
    if (!outcome.ok() || !verdict.ok()) {
      ++counts.refusals;
      const std::lock_guard lock(mutex);
      ++refusals[std::string(env::name(outcome.ok() ? verdict.status : outcome.status)) + ": " +
                 (outcome.ok() ? verdict.detail : outcome.detail).substr(0, 100)];
      return;
    }
    ++counts.assignments;
    const Hash128 ours = (*session)->stateHash().value();
    counts.changed += ours != before;
    const auto differs = [&](const char* who, const Result<std::string>& made) {
      const std::string theirs = made ? hashOf(*made).value_or(Hash128{}).hex() : made.error().message;
      if (theirs == ours.hex()) return;
      ++counts.mismatches;
      ADD_FAILURE() << who << " makes " << theirs << ", not " << ours.hex();
    };
    differs("stock opt", engine::runStock(sample.bitcode, actions, codegen));
    differs("the plugin", byPlugin(sample, before, actions, settings));
  });
  fmt::print("  {} modules, {} assignments of {} functions compared twice, {} mismatches, {} refused\n",
             counts.modules.load(), counts.assignments.load(), counts.chosen.load(), counts.mismatches.load(),
             counts.refusals.load());
  for (const auto& [why, times] : refusals) fmt::print("  {:4} {}\n", times, why);
  EXPECT_GT(counts.assignments * 10, counts.modules * 8) << "most can be carried out";
  EXPECT_GT(counts.changed * 10, counts.assignments * 8) << "and do something";
}

// A function as text that says nothing of its place among others: what its module numbers (attributes,
// metadata) or gives names to by and by (tables that passes make) is written out, or left away.
class Rendering {
 public:
  // `original`: names that are there before any pass.
  Rendering(const llvm::Module& module, const std::set<std::string>& original)
      : module_(module), original_(original) {}

  // `used` gets the globals that it mentions.
  std::string of(const llvm::Function& function, std::set<std::string>& used) const {
    std::string printed;
    llvm::raw_string_ostream(printed) << function;
    std::string text = function.getAttributes().getAsString(llvm::AttributeList::FunctionIndex) + "\n";
    std::map<std::string, std::size_t> made;
    for (std::size_t i = 0; i < printed.size();) {
      std::size_t length = 0;
      const char mark = printed[i];
      const std::string_view rest = std::string_view(printed).substr(i + 1);
      if (mark == '#' || mark == '!') {
        length = std::min(rest.find_first_not_of("0123456789"), rest.size());
        text += mark;
      } else if (mark == '@') {
        const std::string name = unescapedSymbol(symbolOfIr(rest, length));
        const llvm::GlobalValue* value = module_.getNamedValue(name);
        if (value != nullptr && value != &function && (original_.contains(name) || !value->hasLocalLinkage()))
          used.insert(name);
        if (value == nullptr || original_.contains(name) || !value->hasLocalLinkage()) {
          text += "@" + std::string(rest.substr(0, length));
        } else {
          const auto [entry, is_new] = made.try_emplace(name, made.size());
          text += fmt::format("@made{}", entry->second);
          if (is_new) text += ofTable(*value);
        }
      } else {
        text += mark;
      }
      i += 1 + length;
    }
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        text += call->getAttributes().getAsString(llvm::AttributeList::FunctionIndex) + "\n";
    return text;
  }

  // What others can see of it.
  static std::string declared(const llvm::GlobalValue& value) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&value)) stream << *variable;
    if (const auto* function = llvm::dyn_cast<llvm::Function>(&value))
      for (const unsigned place : function->getAttributes().indexes())
        stream << function->getAttributes().getAsString(place) << "\n";
    return text;
  }

 private:
  static std::string ofTable(const llvm::GlobalValue& value) {
    std::string text = declared(value);
    return "{" + text.substr(std::min(text.find(" = "), text.size())) + "}";
  }

  const llvm::Module& module_;
  const std::set<std::string>& original_;
};

TEST_F(Choices, OfOneFunctionAreNothingToAnother) {
  Counts counts;
  std::mutex mutex;
  std::map<std::string, int> why;
  forModules([&](std::size_t number) {
    const Sample sample = samples_->at(number);
    Rng rng = Rng(4).stream(number);
    const ir::OwnedModule module = *ir::parse(sample.bitcode, sample.name);
    const std::vector<std::string> names = functionNames(*module);
    std::set<std::string> original(names.begin(), names.end());
    for (const llvm::GlobalValue& value : module->global_values()) original.insert(value.getName().str());
    // The same sequences twice, and about half of the functions the same.
    const env::Choices one = assignment(rng, names, kAttributes);
    env::Choices other = one;
    std::set<std::string> same;
    for (const std::string& name : names) {
      if (rng.chance(0.5)) {
        same.insert(name);
        continue;
      }
      other.functions.erase(name);
      if (!name.empty() && name.find(':') == std::string::npos && rng.chance(0.7))
        other.functions.emplace(name, rng.between(1, other.sequences.size() - 1));
    }
    SCOPED_TRACE(fmt::format("module {}, {}", number, sample.name));
    const std::vector<env::Action> actions{env::choose(one), env::choose(other)};
    std::vector<ir::OwnedModule> made;
    for (const env::ActionIndex action : {0u, 1u}) {
      auto session = engine_->backend().open({sample.name, sample.bitcode, actions, {}});
      ASSERT_TRUE(session) << session.error().message;
      const env::StepOutcome outcome = (*session)->apply({&action, 1}).value();
      if (!outcome.ok() || !(*session)->verify().value().ok()) {
        ++counts.refusals;
        return;
      }
      made.push_back(*ir::parse((*session)->observe("bitcode").value().text(), sample.name));
    }
    ++counts.modules;
    for (const std::string& name : same) {
      const llvm::Function* first = made[0]->getFunction(name);
      const llvm::Function* second = made[1]->getFunction(name);
      if (first == nullptr || first->isDeclaration()) continue;
      ASSERT_NE(second, nullptr);
      ++counts.functions;
      std::set<std::string> used;
      const std::string a = Rendering(*made[0], original).of(*first, used);
      const std::string b = Rendering(*made[1], original).of(*second, used);
      if (a == b) continue;
      ++counts.dependent;
      // What a pass works out about a function's values, or a variable, it writes there.
      std::string shared;
      for (const std::string& global : used) {
        const llvm::GlobalValue* here = made[0]->getNamedValue(global);
        const llvm::GlobalValue* there = made[1]->getNamedValue(global);
        if (here == nullptr || there == nullptr || Rendering::declared(*here) != Rendering::declared(*there))
          shared += " " + global;
      }
      counts.explained += !shared.empty();
      if (shared.empty()) {
        ADD_FAILURE() << name << " depends on others:\n"
                      << a << "\n"
                      << b << "\n"
                      << env::choose(one).text << "\n"
                      << env::choose(other).text;
      }
      const std::lock_guard lock(mutex);
      ++why[fmt::format("{} {}:{}", sample.name, shownSymbol(name), shownSymbol(shared))];
    }
  });
  fmt::print(
      "  {} modules, {} functions, {} not the same, of these {} by what they share; {} modules refused\n",
      counts.modules.load(), counts.functions.load(), counts.dependent.load(), counts.explained.load(),
      counts.refusals.load());
  for (const auto& [what, times] : why) fmt::print("  {:4} {}\n", times, what);
  // Of 12,116 there were 4.
  EXPECT_LE(counts.explained * 200, counts.functions + 400) << "such a thing is rare";
}

}  // namespace
}  // namespace ordo
