// One HTTP request with a limit to all of it: how long it takes, whatever the other end does with its bytes,
// and how much of an answer is taken.
#pragma once

#include <map>
#include <string>

#include "support/error.h"

namespace ordo::loop {

struct FetchRequest {
  std::string host;
  int port = 80;
  std::string method = "GET";
  std::string path;  // as it is sent
  std::multimap<std::string, std::string> headers = {};
  std::string body = {};
  double timeout_s = 2;  // of the whole, but for looking a name up
  std::size_t most_bytes = std::size_t{16} << 20;
};

struct Fetched {
  int status = 0;
  std::string body;
  bool cut = false;  // there was more
};

// kUnavailable, with the address, if nobody is there, or no whole answer comes in time. Follows nothing and
// keeps no connection.
Result<Fetched> fetch(const FetchRequest& request);

}  // namespace ordo::loop
