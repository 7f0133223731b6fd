// Being asked to come to an end: by Ctrl-C, by a service manager or batch system (SIGTERM), by a terminal
// that goes away (SIGHUP).
#pragma once

#include <atomic>

namespace ordo {

// True once one of them came. Installs its handlers at the first call; SIGHUP stays ignored where it was, as
// under nohup. What comes within a second of the first is taken for the same request, because `timeout`
// signals a process twice and systemd adds a SIGHUP; after that another one ends the process at once with
// exit code 130.
const std::atomic<bool>& interrupted();

// For a prompt, which goes on afterwards.
void forgetInterrupt();

}  // namespace ordo
