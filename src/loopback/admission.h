// Who may talk to a server on this machine. A web page that a user looks at can send requests to this
// machine, and a name that its owner points here (DNS rebinding) can read the answers: so names of hosts and
// origins that are not this machine's are refused, but those that its user allows, and a token is asked for
// that no page knows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::loopback {

// A token that nobody guesses: 32 hexadecimal digits from the system.
std::string newToken();

// kInvalidArgument for what is no name of a host, with or without a port ("build.example.com",
// "localhost:9000"): a scheme, a path, a pattern.
Status checkHosts(const std::vector<std::string>& names);

// Thread-safe.
class Admission {
 public:
  // `hosts` are names by which it is reached beside this machine's own: of a proxy, of a tunnel, of this
  // machine with the port from which its own is forwarded. Without a port any will do. REQUIRES: a token,
  // hosts as checkHosts() wants them.
  explicit Admission(std::string token, std::vector<std::string> hosts = {});

  void setPort(int port) { port_ = port; }

  // Whether the headers Host and Origin ("" if a request has none) are of a client that meant this server.
  bool isOurs(std::string_view host, std::string_view origin) const;

  // What to do if isOurs() says no, for whoever sent it.
  std::string remedy(std::string_view host, std::string_view origin) const;

  // Whether the header Authorization has the token. Takes the same time for every wrong one of a length.
  bool knows(std::string_view authorization) const;

 private:
  bool isHere(std::string_view authority) const;
  bool isAllowed(std::string_view authority) const;

  std::string token_;
  std::vector<std::string> hosts_;
  int port_ = 0;
};

}  // namespace ordo::loopback
