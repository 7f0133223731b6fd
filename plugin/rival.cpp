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
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "llvm/ir/module.h"
#include "plugin/carry_out.h"
#include "plugin/decision.h"
#include "plugin/sockets.h"
#include "support/child.h"
#include "support/own_limits.h"

namespace ordo::plugin {
namespace {

using recipe::Message;

// As of a worker (sandbox/limits.h).
constexpr std::uint64_t kProcessorSeconds = 60;
constexpr std::uint64_t kMoreBytes = std::uint64_t{2} << 30;

bool g_is_rival = false;
Descriptor g_gate;                // of the copy: something comes once it may go on
std::vector<Descriptor> g_gates;  // of the compiler: the other ends

// Without the handlers of exit() and without a signal: those would clean up what is the compiler's.
[[noreturn]] void end(Message::Kind kind, std::string_view bytes) {
  (void)recipe::sendMessage(rivalSocket(), kind, bytes);
  ::_exit(EXIT_SUCCESS);
}

// What is open in the compiler is the compiler's: nothing that is still on its way to a file, nor a remark
// that a pass makes, gets there a second time. A number that is closed would be the next file's.
bool loseFiles() {
  std::error_code error;
  std::vector<int> open;
  for (std::filesystem::directory_iterator at("/proc/self/fd", error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename();
    int number = -1;
    std::from_chars(name.data(), name.data() + name.size(), number);
    if (number != rivalSocket() && number != g_gate.get()) open.push_back(number);
  }
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (error || nothing < 0) return false;
  for (const int number : open)
    if (number != nothing && ::dup2(nothing, number) < 0) return false;
  return true;
}

// From now on nothing that goes wrong here reaches a file or a stream of the compiler's: its handlers remove
// its unfinished object when it crashes, and this is still its process as far as they know.
void leaveCompiler() {
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(
      [](void*, const char* reason, bool) { end(Message::Kind::kFailed, reason); });
  std::atexit([] { ::_exit(EXIT_FAILURE); });
  if (!loseFiles()) ::_exit(EXIT_FAILURE);
  setSoftLimit(RLIMIT_AS, mappedBytes() + kMoreBytes);
  setSoftLimit(RLIMIT_CPU, kProcessorSeconds);
  setSoftLimit(RLIMIT_CORE, 0);
}

// What the compiler has to say it says itself, of its own code. Where it has more to say of this code, nobody
// wants this code.
class Silent final : public llvm::DiagnosticHandler {
 public:
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error || info.getSeverity() == llvm::DS_Warning)
      end(Message::Kind::kFailed, "the code generator reports something about it");
    return true;
  }
};

}  // namespace

std::optional<int> startRival(llvm::Module& module) {
  if (rivalSocket() < 0) return std::nullopt;
  int ends[2];
  const bool is_gate = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
  const pid_t pid = is_gate ? ::fork() : -1;
  if (is_gate) {
    g_gate = Descriptor(ends[0]);
    g_gates.emplace_back(ends[1]);
  }
  if (pid != 0) {
    // If there is no copy, nobody has this end, which is what the drop-in compiler then sees.
    ::close(rivalSocket());
    g_gate.close();
    return pid > 0 ? std::optional(pid) : std::nullopt;
  }
  g_is_rival = true;
  g_gates.clear();
  leaveCompiler();
  if (!recipe::sendMessage(rivalSocket(), Message::Kind::kHello, fmt::format("{}", ::getpid())))
    ::_exit(EXIT_FAILURE);
  module.getContext().setDiagnosticHandler(std::make_unique<Silent>());
  return 0;
}

bool isRival() { return g_is_rival; }

void carryOutAsRival(llvm::Module& module, const recipe::Order& order) {
  const ir::Interface before(module);
  if (const Status done = carryOut(module, order, /*alone=*/true); !done)
    end(Message::Kind::kFailed, done.error().message);
  if (const std::string complaint = before.compare(module); !complaint.empty())
    end(Message::Kind::kFailed, complaint);
}

void waitAtGate() {
  if (!g_is_rival) return;
  char byte = 0;
  ssize_t count = 0;
  do {
    count = ::recv(g_gate.get(), &byte, 1, 0);
  } while (count < 0 && errno == EINTR);
  if (count != 1) end(Message::Kind::kFailed, "clang makes no object, or more than that");
}

void openGates(bool to_object) {
  // Who is gone does not go on.
  for (const Descriptor& gate : std::exchange(g_gates, {}))
    if (to_object) (void)::send(gate.get(), "", 1, MSG_NOSIGNAL);
}

void finishRival(const Result<std::string>& object) {
  if (!object) end(Message::Kind::kFailed, object.error().message);
  end(Message::Kind::kObject, *object);
}

}  // namespace ordo::plugin
