#include "frontend/crash_report.h"

#include <gtest/gtest.h>

namespace ordo::frontend {
namespace {

TEST(CrashReportTest, TheReasonAndTheInnermostActivityAreKept) {
  EXPECT_EQ(crashIn("a.ll: warning: odd\n"
                    "LLVM ERROR: Cannot select: t9\n"
                    "PLEASE submit a bug report to https://x and include the crash backtrace.\n"
                    "Stack dump:\n"
                    "0.\tProgram arguments: opt-22 a.ll\n"
                    "1.\tRunning pass 'Function Pass Manager' on module 'a.ll'.\n"
                    "2.\tRunning pass 'X86 DAG->DAG Instruction Selection' on function '@f'\n"
                    " #0 0x00007f llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (libLLVM.so+0x4e)\n"
                    "clang-22: error: clang frontend command failed with exit code 70\n"),
            "Cannot select: t9 (Running pass 'X86 DAG->DAG Instruction Selection' on function '@f')");
  EXPECT_EQ(crashIn("fatal error: error in backend: no\nPLEASE submit a bug report to x\n"),
            "error in backend: no");
}

TEST(CrashReportTest, ACrashNeedsNoReason) {
  EXPECT_EQ(crashIn("PLEASE submit a bug report to x\nStack dump:\n0.\tProgram arguments: opt-22 a.ll\n"),
            "");
  EXPECT_EQ(crashIn("Stack dump:\n0.\tProgram arguments: opt-22\n1.\tCode generation\n"), "Code generation");
}

TEST(CrashReportTest, AnErrorIsNoCrash) {
  EXPECT_EQ(crashIn("opt-22: a.ll:5:22: error: or constexprs are no longer supported\n"), std::nullopt);
  EXPECT_EQ(crashIn(""), std::nullopt);
}

}  // namespace
}  // namespace ordo::frontend
