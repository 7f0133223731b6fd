#include "llvm/advisors/eviction_choice.h"

#include <fmt/format.h>
#include <llvm/Support/CommandLine.h>

#include <map>
#include <mutex>
#include <string>

#include "llvm/advisors/eviction_advisor.h"
#include "notation/decisions.h"
#include "policy/learned_advisor.h"

namespace ordo::advisors {
namespace {

using Weights = std::shared_ptr<const policy::AdvisorWeights>;

std::mutex g_choices_mutex;
std::filesystem::path g_folder;
std::map<std::string, Weights, std::less<>> g_known;  // each is read once

// Recipes come from outside: a name, not a path.
bool isName(llvm::StringRef word) {
  return !word.empty() && word.find_if_not([](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  }) == llvm::StringRef::npos;
}

Status know(llvm::StringRef name) {
  const std::lock_guard lock(g_choices_mutex);
  if (g_known.contains(name.str())) return {};
  if (!isName(name)) return fail(ErrorCode::kInvalidArgument, "it is not a name of weights");
  ORDO_TRY_ASSIGN(policy::AdvisorWeights weights,
                  policy::AdvisorWeights::load(g_folder / fmt::format("{}.safetensors", name.str())));
  const env::DecisionSpec& spec = weights.info().spec;
  if (spec != notation::evictDecision())
    return fail(ErrorCode::kUnsupported, "{} decides '{}' (version {})", name.str(), spec.name, spec.version);
  g_known[name.str()] = std::make_shared<const policy::AdvisorWeights>(std::move(weights));
  return {};
}

struct NameParser : llvm::cl::parser<std::string> {
  using llvm::cl::parser<std::string>::parser;
  // True is LLVM's word for "it cannot be".
  bool parse(llvm::cl::Option& option, llvm::StringRef, llvm::StringRef text, std::string& value) {
    if (const Status known = know(text); !known)
      return option.error(fmt::format("'{}': {}", text.str(), known.error().message));
    adviseByChoice();
    value = text.str();
    return false;
  }
};

llvm::cl::opt<std::string, false, NameParser> g_choice(
    "ordo-evict", llvm::cl::Hidden, llvm::cl::value_desc("weights"),
    llvm::cl::desc("Whose registers are freed for others is advised by these learned weights"));

}  // namespace

void offerEvictionChoice(std::filesystem::path folder) {
  const std::lock_guard lock(g_choices_mutex);
  g_folder = std::move(folder);
}

MakeAdvisor chosenEviction() {
  const std::lock_guard lock(g_choices_mutex);
  const auto chosen = g_known.find(g_choice.getValue());
  if (chosen == g_known.end()) return {};
  return [weights = chosen->second] { return std::make_unique<policy::LearnedAdvisor>(weights); };
}

}  // namespace ordo::advisors
