// JSON-RPC 2.0 messages as the Model Context Protocol uses them
// (https://modelcontextprotocol.io/specification): one at a time, with objects for parameters. What comes in
// is not trusted: it may be anything, of any size and depth.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "support/json.h"

namespace ordo::mcp {

// Codes of errors: JSON-RPC's, and MCP's own.
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
inline constexpr int kResourceNotFound = -32002;
inline constexpr int kHeaderMismatch = -32020;
inline constexpr int kUnsupportedVersion = -32022;

// Larger ones are refused.
inline constexpr std::size_t kMaxMessage = std::size_t{1} << 20;

struct Message {
  enum class Kind { kRequest, kNotification, kResponse };
  Kind kind = Kind::kRequest;
  Json id;             // of a request or response: a text or a number
  std::string method;  // of a request or notification
  Json params = Json::object();
  Json result;  // of a response; null if it is an error

  // params._meta[key], or null.
  Json meta(std::string_view key) const;
};

// What a JSON-RPC error says.
struct Fault {
  int code = kInternalError;
  std::string message;
  Json data = nullptr;  // null: none
};

struct BadMessage {
  Fault fault;
  Json id;  // of what it answers; null where that cannot be told
};

// kParseError for what is no JSON, too deep, or has too many members; kInvalidRequest for JSON that is no
// message, a list of several included.
tl::expected<Message, BadMessage> readMessage(std::string_view text);

// Each is one line, without its end.
std::string writeResult(const Json& id, const Json& result);
std::string writeFault(const Json& id, const Fault& fault);
std::string writeRequest(const Json& id, std::string_view method, const Json& params);
std::string writeNotification(std::string_view method, const Json& params);

}  // namespace ordo::mcp
