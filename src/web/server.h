// Serves the application and its views on http://127.0.0.1:PORT/ to this machine only. Every request has to
// mean this server (loopback/admission.h); every question to a view has to bring the token, which is in the
// part of the address that browsers keep to themselves (after '#').
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/error.h"
#include "web/site.h"
#include "web/view.h"

namespace ordo::web {

struct ServerOptions {
  std::string version;  // Ordo's
  int port = 0;         // 0: any that is free
  std::string token;
  std::vector<std::string> hosts = {};  // as of loopback::Admission
  double idle_s = 600;                  // without a question, after which views rest
};

// Serves until `stop` becomes true, and ends what views are at then. `on_ready` is told the address, token
// included. kUnavailable if the port cannot be had. REQUIRES: views of different kinds, a token.
Status serve(const Site& site, const std::vector<std::unique_ptr<View>>& views, const ServerOptions& options,
             const std::atomic<bool>& stop, const std::function<void(const std::string& url)>& on_ready);

}  // namespace ordo::web
