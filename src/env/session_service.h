// The worker's side of isolated sessions: serves any Backend over a sandbox channel.
#pragma once

#include <memory>

#include "env/session.h"
#include "sandbox/worker.h"

namespace ordo::env {

// The requests are those of env/wire.h. A request that makes no sense is answered with an error.
std::unique_ptr<sandbox::Service> makeSessionService(std::unique_ptr<Backend> backend);

}  // namespace ordo::env
