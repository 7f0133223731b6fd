#include "llvm/session/last_pass.h"

#include <gtest/gtest.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <unistd.h>

#include <csignal>

#include "llvm/actions/activity.h"
#include "llvm/ir/module.h"

namespace ordo::session {
namespace {

struct Fatal {
  static llvm::StringRef name() { return "FatalPass"; }
  static bool isRequired() { return true; }
};

[[noreturn]] void dieIn(int signal) {
  tellPassAtDeath([](std::string_view pass) { (void)::write(STDERR_FILENO, pass.data(), pass.size()); });
  const Result<ir::OwnedModule> module = ir::parse("define void @f() {\n ret void\n}\n", "a");
  llvm::PassInstrumentationCallbacks callbacks;
  actions::noteActivity(callbacks);
  llvm::PassInstrumentation(&callbacks).runBeforePass(Fatal(), *(*module)->getFunction("f"));
  ::raise(signal);
  ::_exit(0);
}

TEST(LastPassDeathTest, AWorkerSaysWhichPassEndedItAndDiesAllTheSame) {
  for (const int signal : {SIGSEGV, SIGABRT})
    EXPECT_EXIT(dieIn(signal), testing::KilledBySignal(signal), "the pass FatalPass on function f");
}

}  // namespace
}  // namespace ordo::session
