// A look at the text before it is parsed keeps the parser from what would cost it: nesting that overflows the
// stack of whoever walks through it, and objects with so many members that finding one takes long, since
// ours keep their order.
#include "mcp/message.h"

namespace ordo::mcp {
namespace {

constexpr int kDepth = 32;
constexpr int kMembers = 2000;

// Whether it is fit for the parser; says why not.
std::string_view problemOf(std::string_view text) {
  int depth = 0, members = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if ((c == '{' || c == '[') && ++depth > kDepth) return "it is nested too deeply";
    if (c == '}' || c == ']') --depth;
    if (c == ':' && ++members > kMembers) return "it has too many members";
  }
  return "";
}

tl::unexpected<BadMessage> bad(int code, std::string message, Json id = nullptr) {
  return tl::unexpected(BadMessage{{code, std::move(message)}, std::move(id)});
}

std::string write(Json message) {
  Json whole{{"jsonrpc", "2.0"}};
  whole.update(message);
  return writeJson(whole);
}

}  // namespace

Json Message::meta(std::string_view key) const {
  const auto meta = params.find("_meta");
  if (meta == params.end() || !meta->is_object()) return nullptr;
  const auto value = meta->find(std::string(key));
  return value == meta->end() ? Json(nullptr) : *value;
}

tl::expected<Message, BadMessage> readMessage(std::string_view text) {
  if (text.size() > kMaxMessage) return bad(kParseError, "the message is larger than 1 MiB");
  if (const std::string_view problem = problemOf(text); !problem.empty())
    return bad(kParseError, fmt::format("the message is not read: {}", problem));
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return bad(kParseError, "the message is no JSON");
  if (!json.is_object())
    return bad(kInvalidRequest, "a message is one object: several in a list are not taken");
  Message message;
  const auto id = json.find("id");
  const bool has_id = id != json.end();
  if (has_id) {
    if (!id->is_string() && !id->is_number_integer())
      return bad(kInvalidRequest, "its id is no text or number");
    message.id = *id;
  }
  const auto version = json.find("jsonrpc");
  if (version == json.end() || *version != "2.0")
    return bad(kInvalidRequest, "it is not JSON-RPC 2.0", message.id);
  const auto method = json.find("method");
  if (method == json.end()) {
    if (!has_id || json.contains("result") == json.contains("error"))
      return bad(kInvalidRequest, "it has no method, and is no response", message.id);
    message.kind = Message::Kind::kResponse;
    message.result = json.value("result", Json(nullptr));
    return message;
  }
  if (!method->is_string()) return bad(kInvalidRequest, "its method is no text", message.id);
  message.kind = has_id ? Message::Kind::kRequest : Message::Kind::kNotification;
  message.method = method->get<std::string>();
  if (const auto params = json.find("params"); params != json.end()) {
    if (!params->is_object()) return bad(kInvalidParams, "its params are no object", message.id);
    message.params = *params;
  }
  return message;
}

std::string writeResult(const Json& id, const Json& result) {
  return write({{"id", id}, {"result", result}});
}

std::string writeFault(const Json& id, const Fault& fault) {
  Json error{{"code", fault.code}, {"message", fault.message}};
  if (!fault.data.is_null()) error["data"] = fault.data;
  return write({{"id", id}, {"error", std::move(error)}});
}

std::string writeRequest(const Json& id, std::string_view method, const Json& params) {
  return write({{"id", id}, {"method", method}, {"params", params}});
}

std::string writeNotification(std::string_view method, const Json& params) {
  return write({{"method", method}, {"params", params}});
}

}  // namespace ordo::mcp
