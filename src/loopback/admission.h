// Who may talk to a server on this machine. A web page that a user looks at can send requests to this
// machine, and a name that its owner points here (DNS rebinding) can read the answers: so names of hosts and
// origins that are not this machine's are refused, and a token is asked for that no page knows.
#pragma once

#include <string>
#include <string_view>

namespace ordo::loopback {

// A token that nobody guesses: 32 hexadecimal digits from the system.
std::string newToken();

// Thread-safe once the port is set.
class Admission {
 public:
  // REQUIRES: a token.
  explicit Admission(std::string token);

  void setPort(int port) { port_ = port; }

  // Whether the headers Host and Origin ("" if a request has none) are of a client that meant this server.
  bool isOurs(std::string_view host, std::string_view origin) const;

  // Whether the header Authorization has the token. Takes the same time for every wrong one of a length.
  bool knows(std::string_view authorization) const;

 private:
  bool isHere(std::string_view host) const;

  std::string token_;
  int port_ = 0;
};

}  // namespace ordo::loopback
