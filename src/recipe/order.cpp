#include "recipe/order.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "recipe/action_text.h"
#include "support/json.h"

namespace ordo::recipe {
namespace {

using Kind = Message::Kind;

// No module or object is larger, nor words about one; what says so is not one of ours. Nothing if there is no
// such kind.
std::optional<std::uint64_t> mostBytes(char kind) {
  switch (static_cast<Kind>(kind)) {
    case Kind::kModule:
    case Kind::kObject:
      return std::uint64_t{1} << 32;
    case Kind::kHello:
    case Kind::kProgram:
    case Kind::kFailed:
    case Kind::kOutside:
    case Kind::kActions:
    case Kind::kRival:
    case Kind::kRefuse:
      return std::uint64_t{1} << 24;
    case Kind::kSaid:
    case Kind::kShow:
    case Kind::kLeave:
      return 0;
  }
  return std::nullopt;
}

// Of a message that is still to come, memory is had for at most as much again as has arrived, or for this.
constexpr std::size_t kPiece = std::size_t{1} << 20;

struct Head {
  char kind = 0;
  std::uint64_t size = 0;
};

Status sendAll(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(ErrorCode::kUnavailable, "cannot send: {}", std::strerror(errno));
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

// How many bytes came before the end.
Result<std::size_t> receiveAll(int socket, std::span<char> into) {
  std::size_t done = 0;
  while (done < into.size()) {
    const ssize_t count = ::recv(socket, into.data() + done, into.size() - done, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return fail(ErrorCode::kUnavailable, "nothing came in time");
    if (count < 0 && errno != ECONNRESET)
      return fail(ErrorCode::kUnavailable, "cannot receive: {}", std::strerror(errno));
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

}  // namespace

Status sendMessage(int socket, Message::Kind kind, std::string_view bytes) {
  Head head;
  head.kind = static_cast<char>(kind);
  head.size = bytes.size();
  ORDO_TRY(sendAll(socket, {reinterpret_cast<const char*>(&head), sizeof head}));
  return sendAll(socket, bytes);
}

Result<std::optional<Message>> receiveMessage(int socket) {
  Head head;
  ORDO_TRY_ASSIGN(const std::size_t count, receiveAll(socket, {reinterpret_cast<char*>(&head), sizeof head}));
  if (count == 0) return std::nullopt;
  const std::optional<std::uint64_t> most = mostBytes(head.kind);
  if (count < sizeof head || !most || head.size > *most)
    return fail(ErrorCode::kCorrupt, "a message that is none");
  Message message{static_cast<Kind>(head.kind)};
  std::string& bytes = message.bytes;
  while (bytes.size() < head.size) {
    const std::size_t before = bytes.size();
    bytes.resize(std::min<std::uint64_t>(head.size, std::max(2 * before, kPiece)));
    const std::span<char> piece = std::span(bytes).subspan(before);
    ORDO_TRY_ASSIGN(const std::size_t arrived, receiveAll(socket, piece));
    if (arrived < piece.size()) return fail(ErrorCode::kCorrupt, "a message that breaks off");
  }
  return message;
}

std::string writeQuestion(const Question& question) {
  // Neither a path nor a word has a zero in it.
  std::string text = fmt::format("{} {} {} {} {}\n{}", question.hash, question.functions, question.linkonce,
                                 question.tables, question.compiler.size(), question.source);
  for (const auto* words : {&question.compiler, &question.command})
    for (const std::string& word : *words) text.append(1, '\0').append(word);
  return text;
}

Result<Question> readQuestion(std::string_view text) {
  const std::size_t line = text.find('\n');
  const std::size_t hash = text.find(' '), functions = text.find(' ', hash + 1);
  const std::size_t linkonce = text.find(' ', functions + 1), tables = text.find(' ', linkonce + 1);
  const auto number = [&](std::size_t begin, std::size_t end, std::uint64_t& value) {
    const auto [rest, error] = std::from_chars(text.data() + begin, text.data() + end, value);
    return error == std::errc() && rest == text.data() + end;
  };
  Question question;
  std::uint64_t files = 0;
  if (line == std::string_view::npos || functions >= line || linkonce >= line || tables >= line ||
      hash == 0 || !number(hash + 1, functions, question.functions) ||
      !number(functions + 1, linkonce, question.linkonce) || !number(linkonce + 1, tables, question.tables) ||
      !number(tables + 1, line, files))
    return fail(ErrorCode::kCorrupt, "a question that is none");
  question.hash = text.substr(0, hash);
  std::size_t end = std::min(text.find('\0', line), text.size());
  question.source = text.substr(line + 1, end - line - 1);
  while (end < text.size()) {
    const std::size_t begin = end + 1;
    end = std::min(text.find('\0', begin), text.size());
    (question.compiler.size() < files ? question.compiler : question.command)
        .emplace_back(text.substr(begin, end - begin));
  }
  if (question.compiler.size() < files) return fail(ErrorCode::kCorrupt, "a question that breaks off");
  return question;
}

std::string writeOrder(const Order& order) {
  Json json = {{"actions", toJson(order.actions)}};
  addSettings(json, order.settings);
  return writeJson(json);
}

Result<Order> readOrder(std::string_view text, std::string_view name) {
  ORDO_TRY_ASSIGN(const Json json, parseJson(text, name));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, std::string(name)));
  Order order;
  ORDO_TRY_ASSIGN(order.actions, actionsFrom(object, "actions"));
  ORDO_TRY_ASSIGN(order.settings, settingsFrom(object, {"actions"}));
  return order;
}

}  // namespace ordo::recipe
