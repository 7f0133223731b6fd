#include "plugin/rival.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/ErrorHandling.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>

#include "llvm/ir/module.h"
#include "plugin/carry_out.h"
#include "plugin/decision.h"
#include "plugin/sockets.h"
#include "support/own_limits.h"

namespace ordo::plugin {
namespace {

using recipe::Message;

// As of a worker (sandbox/limits.h).
constexpr std::uint64_t kProcessorSeconds = 60;
constexpr std::uint64_t kMoreBytes = std::uint64_t{2} << 30;

bool g_is_rival = false;

// Without the handlers of exit() and without a signal: those would clean up what is the compiler's.
[[noreturn]] void end(Message::Kind kind, std::string_view bytes) {
  (void)recipe::sendMessage(rivalSocket(), kind, bytes);
  ::_exit(EXIT_SUCCESS);
}

// From now on nothing that goes wrong here reaches a file or a stream of the compiler's: its handlers remove
// its unfinished object when it crashes, and this is still its process as far as they know.
void leaveCompiler() {
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(
      [](void*, const char* reason, bool) { end(Message::Kind::kFailed, reason); });
  std::atexit([] { ::_exit(EXIT_FAILURE); });
  ::close(listener());
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
  setSoftLimit(RLIMIT_AS, mappedBytes() + kMoreBytes);
  setSoftLimit(RLIMIT_CPU, kProcessorSeconds);
  setSoftLimit(RLIMIT_CORE, 0);
}

// What the compiler has to say it says itself, of its own code.
class Silent final : public llvm::DiagnosticHandler {
 public:
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error) end(Message::Kind::kFailed, "an error of the code generator");
    return true;
  }
};

}  // namespace

bool startRival(llvm::Module& module) {
  if (rivalSocket() < 0) return false;
  const pid_t pid = ::fork();
  if (pid != 0) {
    // If there is no copy, nobody has this end, which is what the drop-in compiler then sees.
    ::close(rivalSocket());
    return false;
  }
  g_is_rival = true;
  leaveCompiler();
  if (!recipe::sendMessage(rivalSocket(), Message::Kind::kHello, fmt::format("{}", ::getpid())))
    ::_exit(EXIT_FAILURE);
  module.getContext().setDiagnosticHandler(std::make_unique<Silent>());
  return true;
}

bool isRival() { return g_is_rival; }

void carryOutAsRival(llvm::Module& module, const recipe::Order& order) {
  const ir::Interface before(module);
  if (const Status done = carryOut(module, order, /*alone=*/true); !done)
    end(Message::Kind::kFailed, done.error().message);
  if (const std::string complaint = before.compare(module); !complaint.empty())
    end(Message::Kind::kFailed, complaint);
}

void finishRival(const Result<std::string>& object) {
  if (!object) end(Message::Kind::kFailed, object.error().message);
  end(Message::Kind::kObject, *object);
}

}  // namespace ordo::plugin
