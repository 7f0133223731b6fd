#include "loopback/listener.h"

#include <httplib.h>

#include <chrono>
#include <thread>

namespace ordo::loopback {
namespace {

constexpr auto kLook = std::chrono::milliseconds(100);

}  // namespace

Status listen(Server& http, const std::atomic<bool>& stop, const ListenOptions& options) {
  // Not the library's own, by which another program could have the same port and half of the requests.
  http.set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  int port = options.port;
  if (port == 0)
    port = http.bind_to_any_port("127.0.0.1");
  else if (!http.bind_to_port("127.0.0.1", port))
    port = -1;
  if (port <= 0) return fail(ErrorCode::kUnavailable, "the port {} of 127.0.0.1 cannot be had", options.port);
  http.letManyWait();
  if (options.on_ready) options.on_ready(port);
  std::atomic<bool> ended{false};
  std::thread watch([&] {
    while (!stop && !ended) {
      std::this_thread::sleep_for(kLook);
      if (options.on_tick) options.on_tick();
    }
    if (options.on_stop) options.on_stop();
    http.stop();
  });
  const bool served = http.listen_after_bind();
  ended = true;
  watch.join();
  if (!served && !stop) return fail(ErrorCode::kUnavailable, "the server on port {} ended", port);
  return {};
}

}  // namespace ordo::loopback
