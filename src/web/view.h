// What the explorer shows of one subject: a program, a study, a trial, a dialogue. A view knows no HTTP; it
// offers endpoints, which a server (web/server.h) puts on paths and a test calls as they are.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"
#include "support/json.h"

namespace ordo::web {

// Tells whoever asked of an event. False when nobody listens any more: then the rest need not be done.
using Emit = std::function<bool(std::string_view event, const Json& data)>;

// One question that a view answers. Endpoints are called on any thread, several at a time.
struct Endpoint {
  std::string name;  // "states": below the view's own path
  // Exactly one is there. `body` is any JSON document; null where a request has none.
  std::function<Result<Json>(const Json& body)> answer = {};
  std::function<Status(const Json& body, const Emit& emit)> stream = {};
  // What is wrong with the body of a stream, before any of it is told.
  std::function<Status(const Json& body)> check = {};
  bool get = false;  // read with GET, and takes no body; else POST
};

class View {
 public:
  virtual ~View() = default;

  virtual std::string_view kind() const = 0;  // "program", which is its path as well
  virtual std::string title() const = 0;
  virtual std::vector<Endpoint> endpoints() = 0;

  // Ends what takes long, for good. Any thread.
  virtual void stop() {}
  // Nobody has asked for long: gives back what can be made again. Any thread.
  virtual void rest() {}
};

}  // namespace ordo::web
