// Serves HTTP on 127.0.0.1 until somebody says stop.
#pragma once

#include <atomic>
#include <functional>

#include "loopback/server.h"
#include "support/error.h"

namespace ordo::loopback {

struct ListenOptions {
  int port = 0;  // 0: any that is free
  // Told the port before the first request. May be empty.
  std::function<void(int port)> on_ready = {};
  // About ten times a second, on a thread of its own. May be empty.
  std::function<void()> on_tick = {};
  // When `stop` is true, before requests under way are waited for: ends those that take long. May be empty.
  std::function<void()> on_stop = {};
};

// Returns when `stop` has become true and all requests have ended. kUnavailable if the port cannot be had.
Status listen(Server& http, const std::atomic<bool>& stop, const ListenOptions& options);

}  // namespace ordo::loopback
