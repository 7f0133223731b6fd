#include "llvm/advisors/loop_times.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <map>
#include <memory>

#include "env/advice_log.h"
#include "env/plain_advisors.h"
#include "llvm/actions/clang_pipeline.h"
#include "llvm/advisors/vector_advisor.h"
#include "llvm/ir/module.h"
#include "llvm/ir/target.h"
#include "notation/decisions.h"
#include "support/files.h"
#include "support/process.h"
#include "support/rng.h"

namespace ordo::advisors {
namespace {

namespace fs = std::filesystem;

constexpr double kBatchNs = 120'000;  // of calls that are timed together
constexpr int kRepeats = 13;
constexpr long kCompared = 37;  // calls after which results are compared

struct Compiled {
  std::string object;  // nothing where the answer is not allowed
  env::AdviceLog log;
};

// With functions whose names end with the answer's number, so that all can be in one library.
Result<Compiled> compile(const std::string& bitcode, std::uint32_t answer) {
  ORDO_TRY_ASSIGN(const ir::OwnedModule module, ir::parse(bitcode, "a loop"));
  ir::TargetOptions options;
  options.level = 3;
  ORDO_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine,
                  ir::makeTargetMachine(*module, options));
  env::ListedAdvisor listed(notation::vectorFactorsDecision(), {answer});
  Compiled made;
  env::LoggedAdvisor logged(listed, made.log);
  actions::runClangO3(*module, *machine, [&](llvm::PassBuilder& builder) {
    adviseVectorizing(builder, [&] { return std::make_unique<env::LentAdvisor>(logged); });
  });
  if (made.log.advice.size() == 1 && made.log.advice[0].answer != answer) return made;
  for (const char* name : {"prepare", "work", "hashed"}) {
    if (llvm::Function* const function = module->getFunction(name))
      function->setName(fmt::format("{}_{:02}", name, answer));
  }
  ORDO_TRY_ASSIGN(made.object, ir::emit(*module, *machine, ir::EmitKind::kObject));
  return made;
}

// Equal for objects that are equal but for the number in those names.
std::string unnumbered(std::string object, std::uint32_t answer) {
  for (const char* name : {"prepare", "work", "hashed"}) {
    const std::string numbered = fmt::format("{}_{:02}", name, answer);
    for (std::size_t at = 0; (at = object.find(numbered, at)) != std::string::npos; at += numbered.size())
      object.replace(at + numbered.size() - 2, 2, "..");
  }
  return object;
}

struct Function {
  void (*prepare)();
  unsigned long (*work)(long, long);
  unsigned long (*hashed)();
};

class Library {
 public:
  static Result<Library> link(const fs::path& folder, const std::vector<fs::path>& objects) {
    const std::string file = folder / "loops.so";
    std::vector<std::string> words{"clang-22", "-shared", "-nostdlib", "-fuse-ld=lld", "-o", file};
    for (const fs::path& object : objects) words.push_back(object.string());
    ORDO_TRY_ASSIGN(const ProcessResult linked, runProcess(words));
    void* const handle = linked.ok() ? ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (handle == nullptr)
      return fail(ErrorCode::kUnavailable, "the loops cannot be linked and loaded: {}", linked.err);
    return Library(handle);
  }
  Library(Library&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Library& operator=(Library&&) = delete;
  ~Library() {
    if (handle_ != nullptr) ::dlclose(handle_);
  }

  Result<Function> of(std::uint32_t answer) const {
    const auto symbol = [&](const char* name) {
      return ::dlsym(handle_, fmt::format("{}_{:02}", name, answer).c_str());
    };
    const Function found{reinterpret_cast<void (*)()>(symbol("prepare")),
                         reinterpret_cast<unsigned long (*)(long, long)>(symbol("work")),
                         reinterpret_cast<unsigned long (*)()>(symbol("hashed"))};
    if (found.prepare == nullptr || found.work == nullptr || found.hashed == nullptr)
      return fail(ErrorCode::kInvalidArgument, "the loop has no prepare(), work() and hashed()");
    return found;
  }

 private:
  explicit Library(void* handle) : handle_(handle) {}
  void* handle_;
};

// Of this thread alone.
double nowNs() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

double timedNs(const Function& function, long rounds, long count) {
  const double begin = nowNs();
  function.work(rounds, count);
  return nowNs() - begin;
}

// What a call takes, of each.
Result<std::vector<double>> measure(const std::vector<Function>& functions, long count) {
  unsigned long expected = 0;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    functions[i].prepare();
    const unsigned long worked = functions[i].work(kCompared, count);
    const unsigned long result = worked * 31 + functions[i].hashed();
    if (i == 0) expected = result;
    if (result != expected)
      return fail(ErrorCode::kInternal, "the loop gives something else with another answer");
  }
  long rounds = 16;
  for (double taken = 0; (taken = timedNs(functions[0], rounds, count)) < kBatchNs;)
    rounds = taken < kBatchNs / 8 ? rounds * 4
                                  : static_cast<long>(static_cast<double>(rounds) * kBatchNs / taken) + 1;
  std::vector<double> least(functions.size(), std::numeric_limits<double>::infinity());
  std::vector<std::size_t> order(functions.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  Rng rng(1);
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    rng.shuffle(std::span(order));
    for (const std::size_t i : order) {
      functions[i].work(rounds / 4 + 1, count);
      least[i] = std::min(least[i], timedNs(functions[i], rounds, count) / static_cast<double>(rounds));
    }
  }
  return least;
}

}  // namespace

Result<LoopTimes> timeLoop(std::string_view source, std::span<const long> counts,
                           const std::vector<std::string>& flags) {
  ir::initialiseTargets();
  std::vector<std::string> words{"clang-22",  "-x",  "c",     "-",  "-o",      "-",
                                 "-c",        "-O3", "-fPIC", "-w", "-Xclang", "-disable-llvm-passes",
                                 "-emit-llvm"};
  words.insert(words.end(), flags.begin(), flags.end());
  ORDO_TRY_ASSIGN(const ProcessResult made, runProcess(words, {.input = std::string(source), .dir = {}}));
  if (!made.ok()) return fail(ErrorCode::kUnavailable, "clang-22 {}: {}", made.ending(), made.err);
  ORDO_TRY_ASSIGN(const TempDir folder, TempDir::create());

  LoopTimes times;
  std::map<std::string, std::size_t> known;  // which of `objects` has this code
  std::vector<fs::path> objects;
  std::vector<std::uint32_t> first;  // the first answer of each
  std::vector<std::size_t> which;    // of these for each answer; past the end where it is not allowed
  const std::size_t answers = notation::vectorFactorsDecision().answers.size();
  for (std::uint32_t answer = 0; answer < answers; ++answer) {
    ORDO_TRY_ASSIGN(const Compiled compiled, compile(made.out, answer));
    if (compiled.log.advice.size() != 1)
      return fail(ErrorCode::kUnsupported, "{} loops are asked about", compiled.log.advice.size());
    if (answer == 0) times.features = compiled.log.advice[0].features;
    if (counts.empty()) return times;
    if (compiled.object.empty()) {
      which.push_back(answers);
      continue;
    }
    const auto [at, is_new] = known.try_emplace(unnumbered(compiled.object, answer), objects.size());
    which.push_back(at->second);
    if (!is_new) continue;
    objects.push_back(folder.path() / fmt::format("{}.o", answer));
    first.push_back(answer);
    ORDO_TRY(writeFile(objects.back(), compiled.object));
  }
  ORDO_TRY_ASSIGN(const Library library, Library::link(folder.path(), objects));
  std::vector<Function> functions;
  for (const std::uint32_t answer : first) {
    ORDO_TRY_ASSIGN(const Function function, library.of(answer));
    functions.push_back(function);
  }
  for (const long count : counts) {
    ORDO_TRY_ASSIGN(const std::vector<double> measured, measure(functions, count));
    std::vector<double> ns;
    for (const std::size_t one : which)
      ns.push_back(one < measured.size() ? measured[one] : std::numeric_limits<double>::quiet_NaN());
    times.ns.push_back(std::move(ns));
  }
  return times;
}

}  // namespace ordo::advisors
