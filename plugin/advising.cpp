// A race of advice turns the drop-in compiler's around (plugin/rival.h): the compiler makes what it always
// makes, the copy is the one that is advised, and there is nobody but us to compare.
#include "plugin/advising.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <memory>
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
#include "plugin/rival.h"
#include "plugin/sockets.h"
#include "policy/learned_advisor.h"
#include "recipe/order.h"
#include "support/files.h"

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
int g_awaited = -1;  // the copy's answer comes here
bool g_is_advised_copy = false;
bool g_is_advised_emission = false;

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

// Whether advice is followed in this process: not in the compiler where a copy is the advised one, or nobody
// could tell whether something has grown.
bool isAdvisedHere() {
  return g_is_advised_emission || (g_awaited < 0 && (!isListenedTo() || g_is_advised_copy));
}

// The advisors of the module that is next.
std::unique_ptr<env::Advisor> inliningNow() { return isAdvisedHere() ? made(g_settings.inlining) : nullptr; }
std::unique_ptr<env::Advisor> evictingNow() { return isAdvisedHere() ? made(g_settings.evicting) : nullptr; }

// What the copy made; nothing if it failed.
std::optional<std::string> objectOfCopy() {
  for (;;) {
    Result<std::optional<recipe::Message>> message = recipe::receiveMessage(g_awaited);
    if (!message || !*message || (*message)->kind == recipe::Message::Kind::kFailed) return std::nullopt;
    if ((*message)->kind == recipe::Message::Kind::kObject) return std::move((*message)->bytes);
  }
}

std::optional<std::uint64_t> codeOf(const Result<std::string>& object) {
  if (!object) return std::nullopt;
  const Result<ir::ObjectSizes> sizes = ir::objectSizes(*object);
  return sizes ? std::optional(sizes->code) : std::nullopt;
}

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
  int ends[2];
  if (!g_settings.race || (!g_settings.inlining && !g_settings.evicting) || g_awaited >= 0 ||
      ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return;
  setRivalSocket(ends[1]);
  if (startRival(module)) {
    g_is_advised_copy = true;
    ::close(ends[0]);
  } else {
    g_awaited = ends[0];
  }
}

bool areRegistersAdvised() { return g_settings.evicting && isListenedTo() && !advisors::chosenEviction(); }

Result<std::string> emitAdvised(llvm::Module& module, llvm::TargetMachine& machine) {
  if (!areRegistersAdvised()) return ir::emit(module, machine, ir::EmitKind::kObject);
  // The module stays as it is, for the compiler if this fails.
  g_is_advised_emission = true;
  Result<std::string> advised = ir::emit(*llvm::CloneModule(module), machine, ir::EmitKind::kObject);
  g_is_advised_emission = false;
  ORDO_TRY_ASSIGN(std::string usual, ir::emit(*llvm::CloneModule(module), machine, ir::EmitKind::kObject));
  const std::optional<std::uint64_t> less = codeOf(advised), more = codeOf(usual);
  return less && more && *less < *more ? std::move(advised) : std::move(usual);
}

bool writeAdvised(llvm::Module& module, llvm::TargetMachine& machine, llvm::raw_pwrite_stream& out) {
  if (g_awaited < 0) return false;
  const auto copy = llvm::CloneModule(module);
  const std::optional<std::uint64_t> usual = codeOf(ir::emit(*copy, machine, ir::EmitKind::kObject));
  const std::optional<std::string> object = objectOfCopy();
  if (!object || !usual) return false;
  const std::optional<std::uint64_t> advised = codeOf(*object);
  if (!advised || *advised >= *usual) return false;
  out << *object;
  return true;
}

}  // namespace ordo::plugin
