// A service that does to its worker whatever the first byte of a request says. Every command but
// the plain echo completes two steps first.
#pragma once

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "sandbox/worker.h"
#include "support/files.h"

namespace ordo::sandbox {

// What 'K' takes before it goes.
inline constexpr std::size_t kLarge = std::size_t{128} << 20;

class TestService final : public Service {
 public:
  std::size_t serve(std::span<const std::byte> request, std::span<std::byte> reply,
                    const std::function<void()>& step) override {
    const char command = static_cast<char>(request[0]);
    if (command == 'e') return request.size();  // echo: request and reply are the same memory
    step();
    step();
    auto& header = *reinterpret_cast<ChannelHeader*>(reply.data() - Channel::kPayloadOffset);
    switch (command) {
      case 'S':  // sanitizers turn the signal into an exit, unless told otherwise
        ::signal(SIGSEGV, SIG_DFL);
        ::raise(SIGSEGV);
        break;
      case 'a':
        lastWords("a pass said goodbye");
        lastWords("and only the first word counts");
        std::abort();
      case 'x':
        ::_exit(3);
      case 'k':
        ::raise(SIGKILL);
        break;     // what `kill -9` from a shell looks like from here
      case 'K': {  // and what it looks like if the system wants our memory
        char* volatile block = new char[kLarge];
        std::memset(block, 1, kLarge);
        ::raise(SIGKILL);
        break;
      }
      case 'z':  // the zygote goes; the kernel takes us with it
        ::kill(::getppid(), SIGKILL);
        for (;;) ::pause();
      case 'h':
        for (volatile bool forever = true; forever;) continue;
        break;
      case 'p':
        for (;;) ::pause();
      case 'm':
        for (;;) {
          char* volatile block = new char[1 << 20];
          std::memset(block, 1, 1 << 20);
        }
      case 'w':
        for (int i = 0; i < 4; ++i) {
          std::this_thread::sleep_for(std::chrono::milliseconds(300));
          step();
        }
        break;
      case 'b':
        return Channel::kCapacity;  // more than fits
      case 'o':
        header.reply.store(12345);
        wake(header.reply);
        for (;;) ::pause();
      default:
        break;
    }
    return 1;
  }
};

// This very program serves as the worker program too: see main() in zygote_test.cpp.
inline std::vector<std::string> testProgram() { return {executablePath().string()}; }
// The same, but its workers die before they serve.
inline std::vector<std::string> brokenProgram() { return {executablePath().string(), "--broken"}; }

inline std::unique_ptr<Zygote> startZygote(const std::vector<std::string>& program = testProgram()) {
  auto zygote = Zygote::start(program);
  ORDO_CHECK(zygote.has_value(), "{}", zygote.error().message);
  return *std::move(zygote);
}

inline std::unique_ptr<Worker> spawn(Zygote& zygote, const Limits& limits = {}) {
  auto worker = zygote.spawn(limits);
  ORDO_CHECK(worker.has_value(), "{}", worker.error().message);
  return *std::move(worker);
}

inline CallResult send(Worker& worker, std::string_view request) {
  std::memcpy(worker.request().data(), request.data(), request.size());
  return worker.call(request.size());
}

inline std::string_view text(const CallResult& result) {
  return {reinterpret_cast<const char*>(result.reply.data()), result.reply.size()};
}

}  // namespace ordo::sandbox
