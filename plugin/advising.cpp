// A race of advice turns the drop-in compiler's around (plugin/rival.h): the compiler makes what it always
// makes, the copy is the one that is advised, and there is nobody but us to compare.
#include "plugin/advising.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "env/advice_log.h"
#include "env/advisor_words.h"
#include "env/plain_advisors.h"
#include "llvm/advisors/eviction_advisor.h"
#include "llvm/advisors/eviction_choice.h"
#include "llvm/advisors/inline_advisor.h"
#include "llvm/advisors/vector_advisor.h"
#include "llvm/ir/target.h"
#include "notation/decisions.h"
#include "plugin/decision.h"
#include "plugin/one_object.h"
#include "plugin/rival.h"
#include "plugin/sockets.h"
#include "policy/learned_advisor.h"
#include "recipe/order.h"
#include "support/child.h"
#include "support/files.h"
#include "support/usage.h"

namespace ordo::plugin {
namespace {

namespace fs = std::filesystem;

struct Settings {
  advisors::MakeAdvisor inlining, vectorizing, evicting;
  bool evicting_is_learned = false;
  bool race = false;
  fs::path log;
};
Settings g_settings;
bool g_is_advised_copy = false;
bool g_is_advised_emission = false;

// A copy of this process (plugin/rival.h) whose object is for this one.
struct Copy {
  int pid = -1;  // 0 in the copy itself
  Descriptor answers = {};
};
std::optional<Copy> g_advised;  // of a race that is on

// Everything that an advisor is asked, written down when it is not needed any more.
class Noted final : public env::Advisor {
 public:
  Noted(std::unique_ptr<env::Advisor> advisor, fs::path folder)
      : advisor_(std::move(advisor)), folder_(std::move(folder)) {}
  ~Noted() override {
    static std::atomic<int> number = 0;  // a link makes code in many threads
    const fs::path file =
        folder_ / fmt::format("{}.{}.{}.jsonl", fs::path(module_).filename().string(), ::getpid(), ++number);
    if (const Status written = writeFile(file, env::writeAdvice(log_)); !written)
      llvm::errs() << "ordo: " << written.error().message << '\n';
  }
  const env::DecisionSpec& spec() const override { return advisor_->spec(); }
  void begin(std::string_view module) override {
    module_ = module;
    logged_.begin(module);
  }
  std::uint32_t advise(const env::Question& question) override { return logged_.advise(question); }

 private:
  std::unique_ptr<env::Advisor> advisor_;
  fs::path folder_;
  std::string module_;
  env::AdviceLog log_;
  env::LoggedAdvisor logged_{*advisor_, log_};
};

// data/advisors: this file lies in <prefix>/lib.
fs::path shippedFolder() {
  if (const char* data = std::getenv("ORDO_DATA"); data != nullptr) return fs::path(data) / "advisors";
  Dl_info info{};
  if (::dladdr(reinterpret_cast<void*>(&shippedFolder), &info) == 0) return {};
  std::error_code ignored;
  return fs::canonical(info.dli_fname, ignored).parent_path().parent_path() / "share/ordo/advisors";
}

// What is asked for, and who answers that.
std::array<std::pair<const env::DecisionSpec*, advisors::MakeAdvisor*>, 3> decisions() {
  return {{{&notation::inlineDecision(), &g_settings.inlining},
           {&notation::vectorFactorsDecision(), &g_settings.vectorizing},
           {&notation::evictDecision(), &g_settings.evicting}}};
}

Status addLearned(std::string_view word) {
  const bool is_path = word.ends_with(".safetensors");
  const fs::path file = is_path ? fs::path(word) : shippedFolder() / fmt::format("{}.safetensors", word);
  std::error_code ignored;
  if (!is_path && !fs::exists(file, ignored)) {
    std::string known;
    for (const fs::directory_entry& entry : fs::directory_iterator(shippedFolder(), ignored))
      if (entry.path().extension() == ".safetensors") known += ", " + entry.path().stem().string();
    return fail(ErrorCode::kNotFound,
                "ORDO_ADVISORS: there is no '{}'; there are usual, random, race, log=FOLDER{}", word, known);
  }
  ORDO_TRY_ASSIGN(policy::AdvisorWeights weights, policy::AdvisorWeights::load(file));
  const auto shared = std::make_shared<const policy::AdvisorWeights>(std::move(weights));
  const env::DecisionSpec& spec = shared->info().spec;
  for (const auto& [decision, advisor] : decisions()) {
    if (spec != *decision) continue;
    *advisor = [shared] { return std::make_unique<policy::LearnedAdvisor>(shared); };
    if (advisor == &g_settings.evicting) g_settings.evicting_is_learned = true;
    return {};
  }
  std::string asked;
  for (const auto& [decision, advisor] : decisions())
    asked +=
        fmt::format("{}'{}' (version {})", asked.empty() ? "" : " and ", decision->name, decision->version);
  return fail(ErrorCode::kUnsupported,
              "{}: it decides '{}' (version {}), and what this plugin asks for is {}", file.string(),
              spec.name, spec.version, asked);
}

Status addWord(std::string_view word) {
  if (word == "usual" || word.starts_with("random")) g_settings.evicting_is_learned = false;
  if (word == "race") {
    g_settings.race = true;
  } else if (word == "usual") {
    for (const auto& [decision, advisor] : decisions())
      *advisor = [spec = decision] { return std::make_unique<env::UsualAdvisor>(*spec); };
  } else if (word == "random" || word.starts_with("random:")) {
    std::uint64_t seed = 0;
    const std::string_view digits = word.substr(std::min(word.size(), std::string_view("random:").size()));
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
    if (word != "random" && (error != std::errc() || end != digits.data() + digits.size()))
      return fail(ErrorCode::kInvalidArgument, "ORDO_ADVISORS: the seed of '{}' is no number", word);
    for (const auto& [decision, advisor] : decisions())
      *advisor = [spec = decision, seed] { return std::make_unique<env::RandomAdvisor>(*spec, seed); };
  } else if (word.starts_with("log=")) {
    g_settings.log = word.substr(4);
  } else {
    return addLearned(word);
  }
  return {};
}

std::unique_ptr<env::Advisor> made(const advisors::MakeAdvisor& make) {
  std::unique_ptr<env::Advisor> advisor = make();
  if (g_settings.log.empty()) return advisor;
  return std::make_unique<Noted>(std::move(advisor), g_settings.log);
}

// Whether advice is followed in this process: where there is to be a race only in its copy, or nobody could
// tell whether something has grown.
bool isAdvisedHere() { return g_is_advised_emission || g_is_advised_copy || !g_settings.race; }

// The advisors of the module that is next.
std::unique_ptr<env::Advisor> inliningNow() { return isAdvisedHere() ? made(g_settings.inlining) : nullptr; }
std::unique_ptr<env::Advisor> evictingNow() { return isAdvisedHere() ? made(g_settings.evicting) : nullptr; }

// Ends the copy if it does nothing for a while, which is not for want of a processor: it is stopped, or waits
// for what does not come. So nobody waits for it for ever, and a slow machine makes what a fast one makes.
// What it does is limited by its processor time (plugin/rival.cpp).
class Overseer {
 public:
  explicit Overseer(int pid) : thread_([this, pid](const std::stop_token& stop) { look(pid, stop); }) {}

 private:
  static constexpr std::chrono::seconds kPause{1};
  static constexpr int kIdleLooks = 5;

  void look(int pid, const std::stop_token& stop) {
    double before_s = -1;
    for (int idle = 0; idle < kIdleLooks;) {
      std::unique_lock lock(mutex_);
      if (over_.wait_for(lock, stop, kPause, [&] { return stop.stop_requested(); })) return;
      const double now_s = treeCpuSeconds(pid);
      idle = isAtWork(pid) || now_s != before_s ? 0 : idle + 1;
      before_s = now_s;
    }
    ::kill(pid, SIGKILL);
  }

  std::mutex mutex_;
  std::condition_variable_any over_;
  std::jthread thread_;  // the last: it uses the others
};

// Nothing where there can be none. REQUIRES: no other thread.
std::optional<Copy> startCopy(llvm::Module& module) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return std::nullopt;
  Descriptor answers(ends[0]);
  const int parent = ::getpid(), before = rivalSocket();
  setRivalSocket(ends[1]);
  const std::optional<int> pid = startRival(module);
  if (pid == 0) {
    // Nobody else hears what it makes.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(EXIT_FAILURE);
    return Copy{.pid = 0};
  }
  setRivalSocket(before);
  if (!pid) return std::nullopt;
  return Copy{*pid, std::move(answers)};
}

// One that makes code of the module as it is. A clone of the module would not do: users of its values are in
// another order, and so is code. What the code generator has to say clang says itself, of its own code.
std::optional<Copy> startEmission(llvm::Module& module, llvm::TargetMachine& machine, bool is_advised) {
  std::optional<Copy> copy = startCopy(module);
  if (!copy || copy->pid != 0) return copy;
  g_is_advised_emission = is_advised;
  finishRival(ir::emit(module, machine, ir::EmitKind::kObject, ir::Refused::kWarnings));
}

// What a copy made; nothing if it failed. It has ended then.
std::optional<std::string> objectOf(const std::optional<Copy>& copy) {
  if (!copy) return std::nullopt;
  std::optional<std::string> object;
  {
    const Overseer overseer(copy->pid);
    for (;;) {
      Result<std::optional<recipe::Message>> message = recipe::receiveMessage(copy->answers.get());
      if (!message || !*message || (*message)->kind == recipe::Message::Kind::kFailed) break;
      if ((*message)->kind != recipe::Message::Kind::kObject) continue;
      object = std::move((*message)->bytes);
      break;
    }
  }
  ::kill(copy->pid, SIGKILL);
  awaitEnd(copy->pid);
  return object;
}

// Whether both are there, and the first has less code.
bool isSmaller(const std::optional<std::string>& one, const std::optional<std::string>& other) {
  if (!one || !other) return false;
  const Result<ir::ObjectSizes> less = ir::objectSizes(*one), more = ir::objectSizes(*other);
  return less && more && less->code < more->code;
}

bool areRegistersAdvised() { return g_settings.evicting && isListenedTo() && !advisors::chosenEviction(); }

}  // namespace

Status readAdvisors() {
  advisors::offerEvictionChoice(shippedFolder());
  const char* const text = std::getenv(env::kAdvisorsVariable);
  ORDO_TRY_ASSIGN(const std::vector<std::string> words, env::advisorWords(text == nullptr ? "" : text));
  for (const std::string& word : words) ORDO_TRY(addWord(word));
  // The drop-in compiler promises that nothing grows.
  g_settings.race |= isListenedTo();
  if (g_settings.evicting)
    advisors::adviseEviction(evictingNow, {.as_learned = g_settings.evicting_is_learned, .asked_in = {}});
  return {};
}

void addAdvisors(llvm::ModuleAnalysisManager& analyses) {
  if (g_settings.inlining) advisors::adviseInlining(analyses, inliningNow);
}

void addLoopAdvisors(llvm::PassBuilder& builder) {
  // Both of a race: it is about the size of what is inlined.
  if (g_settings.vectorizing)
    advisors::adviseVectorizing(builder, [] { return made(g_settings.vectorizing); });
}

void startAdvisedRace(llvm::Module& module) {
  if (!g_settings.race || (!g_settings.inlining && !g_settings.evicting) || g_advised ||
      !arePassesSilent(module))
    return;
  g_advised = startCopy(module);
  g_is_advised_copy = g_advised && g_advised->pid == 0;
}

Result<std::string> emitOfCopy(llvm::Module& module, llvm::TargetMachine& machine) {
  if (g_is_advised_copy) return ir::emit(module, machine, ir::EmitKind::kObject, ir::Refused::kWarnings);
  std::optional<std::string> advised;
  if (areRegistersAdvised()) advised = objectOf(startEmission(module, machine, /*is_advised=*/true));
  ORDO_TRY_ASSIGN(std::string usual, ir::emit(module, machine, ir::EmitKind::kObject));
  return isSmaller(advised, usual) ? *std::move(advised) : std::move(usual);
}

bool writeAdvised(llvm::Module& module, llvm::TargetMachine& machine, bool has_recipe,
                  llvm::raw_pwrite_stream& out) {
  std::optional<Copy> advised = std::exchange(g_advised, std::nullopt);
  if (has_recipe && areRegistersAdvised()) advised = startEmission(module, machine, /*is_advised=*/true);
  if (!advised) return false;
  const std::optional<Copy> usual = startEmission(module, machine, /*is_advised=*/false);
  const std::optional<std::string> object = objectOf(advised);
  if (!isSmaller(object, objectOf(usual))) return false;
  out << *object;
  return true;
}

}  // namespace ordo::plugin
