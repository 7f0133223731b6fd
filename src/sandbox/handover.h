// What a coordinator and the process that starts its workers say to each other over their socket: messages of
// a fixed size, with a descriptor each where there is something to share.
#pragma once

#include <signal.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace ordo::sandbox {

// What a coordinator sends first, with the bell.
struct Greeting {
  std::uint32_t version = 1;
};

// The answer to a request for a worker (its Limits, with its channel), with its process descriptor.
struct SpawnReply {
  std::int32_t pid;  // or -errno
};

// What a terminal, a service manager or a batch system sends to everybody in a process group or service. They
// are meant for the coordinator, which still needs its workers to bring the best so far home.
inline constexpr std::array<int, 3> kGroupSignals{SIGINT, SIGTERM, SIGHUP};
void ignoreGroupSignals();

// Sends `bytes` and, if fd >= 0, that descriptor. Without SIGPIPE; false if nobody listens any more.
bool sendWithFd(int socket, const void* bytes, std::size_t size, int fd);

// Receives one message; `fd`, then the caller's to close, is -1 if it carried none. False at the end of the
// conversation.
bool receiveWithFd(int socket, void* bytes, std::size_t size, int& fd);

}  // namespace ordo::sandbox
