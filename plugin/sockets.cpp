#include "plugin/sockets.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "recipe/order.h"

namespace ordo::plugin {
namespace {

int numberIn(const char* variable) {
  const char* value = std::getenv(variable);
  const std::string_view text = value == nullptr ? "" : value;
  int number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

int listener() {
  static const int socket = numberIn(recipe::kSocketVariable);
  return socket;
}

namespace {

int& rivalNumber() {
  static int socket = numberIn(recipe::kRivalVariable);
  return socket;
}

}  // namespace

int rivalSocket() { return rivalNumber(); }

void setRivalSocket(int socket) { rivalNumber() = socket; }

}  // namespace ordo::plugin
