#include "llvm/session/warm_up.h"

#include <chrono>

#include "llvm/session/llvm_session.h"
#include "tests/unit/llvm/session/programs.h"

namespace ordo::session {
namespace {

// It aborts if LLVM cannot compile a loop, so that it returns is most of what can be said.
TEST(WarmUpTest, LeavesNothingBehindThatASessionCouldSee) {
  const auto measured = [] {
    LlvmBackend backend;
    auto session = *backend.open(specFor(programBitcode(), {"default<Oz>"}));
    const env::ActionIndex oz = 0;
    EXPECT_TRUE(session->apply({&oz, 1})->ok());
    return std::pair(session->stateHash().value(), session->measure("text_bytes")->value);
  };
  const auto before = measured();
  warmUp();
  warmUp();
  EXPECT_EQ(measured(), before);
}

}  // namespace
}  // namespace ordo::session
