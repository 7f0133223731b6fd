// What a loop tells the world, by HTTP on this machine: for Prometheus, for Argo Rollouts' web metric, for
// Flagger's webhooks (docs/loop.md). Nothing that comes in changes anything: bodies are not even read.
#pragma once

#include <atomic>
#include <functional>

#include "loop/service/settings.h"

namespace ordo::loop {

struct EndpointOptions {
  int port = 9464;  // of 127.0.0.1; 0: any that is free
  std::function<void(int port)> on_ready = {};
};

// Serves until `stop`. The store is opened for each request, so that it may come and go.
Status serveEndpoint(const Settings& settings, const EndpointOptions& options, const std::atomic<bool>& stop);

}  // namespace ordo::loop
