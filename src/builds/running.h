// The real compiler: become it, or run it as a child with the plugin inside.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "builds/invocation.h"
#include "support/child.h"
#include "support/error.h"

namespace ordo::builds {

// Becomes the compiler. What a shell says where there is no program, if that fails; and a message, if the
// program that stands in PATH for the compiler runs Ordo's again and again.
int become(const Invocation& invocation);

// The compiler with the plugin inside, and our ends of the sockets between us and it, and its rival. It gets
// the signals that end us, and ends with us whatever ends us, so that nobody writes an object that nobody
// waits for. One at a time in a process.
class RunningCompiler {
 public:
  // kUnavailable if it does not start. `linked`: the plugin is for the linker.
  static Result<RunningCompiler> start(const Invocation& invocation, bool linked);

  int socket() const { return socket_.get(); }
  Descriptor takeRivalSocket() { return std::move(rival_); }
  // Waits for its end, and gives what a shell would say of it.
  int wait();

 private:
  RunningCompiler(pid_t pid, Descriptor socket, Descriptor rival)
      : pid_(pid), socket_(std::move(socket)), rival_(std::move(rival)) {}

  pid_t pid_;
  Descriptor socket_, rival_;
};

}  // namespace ordo::builds
