#include "llvm/session/last_pass.h"

#include <sys/mman.h>

#include <array>
#include <csignal>

#include "llvm/actions/activity.h"
#include "support/error.h"

namespace ordo::session {
namespace {

void (*g_tell)(std::string_view) = nullptr;

void onDeath(int signal) {
  if (const std::string_view pass = actions::activity(); !pass.empty()) g_tell(pass);
  ::raise(signal);  // SA_RESETHAND: the usual end
}

}  // namespace

void tellPassAtDeath(void (*tell)(std::string_view pass)) {
  g_tell = tell;
  // Endless recursion leaves no room on the usual stack.
  constexpr std::size_t kStackBytes = 64 << 10;
  void* const memory =
      ::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ORDO_CHECK(memory != MAP_FAILED, "no memory for a stack of signals");
  const stack_t stack{memory, 0, kStackBytes};
  ::sigaltstack(&stack, nullptr);
  struct sigaction action{};
  action.sa_handler = onDeath;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_ONSTACK | SA_NODEFER);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP})
    ::sigaction(signal, &action, nullptr);
}

}  // namespace ordo::session
