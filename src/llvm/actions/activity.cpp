#include "llvm/actions/activity.h"

#include <llvm/Analysis/LazyCallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/PassInstrumentation.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace ordo::actions {
namespace {

// Read by who handles a signal, so it is written in place and always ends.
thread_local std::array<char, 240> g_activity{};

class Words {
 public:
  ~Words() { *end_ = 0; }
  void add(std::string_view text) {
    const auto room = static_cast<std::size_t>(g_activity.end() - 1 - end_);
    end_ = std::copy_n(text.begin(), std::min(text.size(), room), end_);
  }

 private:
  std::array<char, 240>::iterator end_ = g_activity.begin();
};

// Passes that only run others.
bool isFrame(llvm::StringRef pass) {
  return pass.contains("PassManager") || pass.contains("PassAdaptor") || pass.contains("Wrapper") ||
         pass.contains("RepeatedPass");
}

}  // namespace

void noteActivity(llvm::PassInstrumentationCallbacks& callbacks) {
  callbacks.registerBeforeNonSkippedPassCallback([&callbacks](llvm::StringRef pass, const llvm::Any& unit) {
    if (isFrame(pass)) return;
    Words words;
    words.add("the pass ");
    const llvm::StringRef name = callbacks.getPassNameForClassName(pass);
    words.add(name.empty() ? pass : name);
    if (const auto* function = llvm::any_cast<const llvm::Function*>(&unit)) {
      words.add(" on function ");
      words.add((*function)->getName());
    } else if (const auto* loop = llvm::any_cast<const llvm::Loop*>(&unit)) {
      words.add(" on a loop of function ");
      words.add((*loop)->getHeader()->getParent()->getName());
    } else if (const auto* calls = llvm::any_cast<const llvm::LazyCallGraph::SCC*>(&unit)) {
      words.add(" on function ");
      words.add((*calls)->begin()->getFunction().getName());
    }
  });
  callbacks.registerAfterPassCallback(
      [](llvm::StringRef, const llvm::Any&, const llvm::PreservedAnalyses&) { g_activity[0] = 0; });
  callbacks.registerAfterPassInvalidatedCallback(
      [](llvm::StringRef, const llvm::PreservedAnalyses&) { g_activity[0] = 0; });
}

const char* activity() { return g_activity.data(); }

}  // namespace ordo::actions
