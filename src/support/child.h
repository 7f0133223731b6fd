// Another program, just started, with pipes to its standard streams: what process.h and dialogue.h have
// in common; and what all have who start processes.
//
// Who starts one without startChild() does what that cannot: sandbox/zygote.cpp starts what outlives a thread
// and knows a socket, sandbox/zygote_main.cpp forks copies of a warm compiler, sandbox/keeper.cpp one that
// cleans up after us, sandbox/confined.cpp confines between fork and exec and lets go once counters are
// attached, builds/running.cpp hands sockets and signals on to a compiler that has our streams,
// bin/ordo_differ.cpp forks what may die of what it compares, and plugin/rival.cpp a compiler with the module
// that it has read.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/error.h"

struct rusage;

namespace ordo {

// `words` as exec takes them, while they live.
std::vector<char*> pointers(const std::vector<std::string>& words);

// Starts `argv` (looked up in PATH) with all that is ours: streams, environment, group. Its number;
// kInvalidArgument if it cannot be run.
Result<int> startBeside(const std::vector<std::string>& argv);

// Waits for the end of a child of ours, whatever signals come meanwhile: its status, as of waitpid(), and
// what it used. Nothing if it is none, or was waited for already.
std::optional<int> awaitEnd(int pid, rusage* usage = nullptr);

// An open descriptor, closed with it.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { close(); }

  int get() const { return fd_; }
  bool isOpen() const { return fd_ >= 0; }
  void close();

 private:
  int fd_ = -1;
};

// A process, the leader of a group of its own. Whoever has it waits for its end.
struct Child {
  int pid = -1;
  Descriptor in;  // of its standard input: ours to write to, without waiting
  Descriptor out, err;
};

// Starts `argv` (looked up in PATH) in `dir` or here, with `environment` ("NAME=value" each) or ours. It
// dies with the calling thread. kNotFound if there is no such program, kUnavailable if the system refuses.
Result<Child> startChild(const std::vector<std::string>& argv,
                         const std::optional<std::filesystem::path>& dir = {},
                         const std::optional<std::vector<std::string>>& environment = {});

// Reads what is there into `into`, and closes `from` at its end.
void drain(Descriptor& from, std::string& into);

// Writes the beginning of `bytes`, as much as the reader takes now, and removes it from them. All of them
// go if nobody reads any more. Without SIGPIPE.
void feed(const Descriptor& to, std::string_view& bytes);

}  // namespace ordo
