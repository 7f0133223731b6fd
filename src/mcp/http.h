// MCP over HTTP ("streamable HTTP"): one address that takes POST, on this machine only. A web page that a
// user looks at can send requests to this machine, so a token is asked for, and names of hosts and origins
// that are not this machine's are refused, but those that its user allows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mcp/server.h"
#include "support/error.h"

namespace ordo::mcp {

struct HttpOptions {
  int port = 0;                         // 0: any that is free
  std::string token;                    // that clients have to show: "Authorization: Bearer TOKEN"
  std::vector<std::string> hosts = {};  // as of loopback::Admission
};

// Serves http://127.0.0.1:PORT/mcp until `stop` becomes true. `on_ready` is told the address. kUnavailable if
// the port cannot be had. REQUIRES: a token.
Status serveHttp(Server& server, const HttpOptions& options, const std::atomic<bool>& stop,
                 const std::function<void(const std::string& url)>& on_ready);

}  // namespace ordo::mcp
