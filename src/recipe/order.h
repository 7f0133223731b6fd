// What the drop-in compiler and the plugin inside its clang say to each other, over a socket that clang
// inherits:
//
//   plugin    kHello                      loaded; whatever goes wrong before is ours
//             kProgram (Question)         the module that is about to be optimised
//   compiler  kShow                       not known: show it
//   plugin    kModule (bitcode)
//   compiler  kLeave, kActions or kObject what to do with it, or kRefuse: there shall be no object; or kRival
//             (actions)                   leave it, and beside that apply these in a copy of the process
//   plugin    kSaid                       the compiler has reported something while it made code
//             kFailed (reason)            the order could not be carried out; the process ends
//             kOutside (reason)           in place of kProgram: its code depends on more than the module
//
// A closed socket means kLeave: clang goes on as if nobody had asked. The copy has a socket of its own:
//
//   rival     kHello (its process number)
//             kObject, or kFailed (reason)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "support/error.h"

namespace ordo::recipe {

// The environment variables with the numbers of the sockets: the plugin's, and the one of its rival.
inline constexpr const char* kSocketVariable = "ORDO_PLUGIN_SOCKET";
inline constexpr const char* kRivalVariable = "ORDO_RIVAL_SOCKET";

struct Message {
  enum class Kind : char {
    kHello = 'h',
    kProgram = 'p',
    kModule = 'm',
    kSaid = 's',
    kFailed = 'f',
    kShow = 'w',
    kLeave = 'l',
    kActions = 'a',
    kObject = 'o',
    kRefuse = 'r',
    kRival = 'v',
    kOutside = 'x'
  };
  Kind kind = Kind::kLeave;
  std::string bytes = {};
};

// kUnavailable if the other end is gone. Never raises SIGPIPE.
Status sendMessage(int socket, Message::Kind kind, std::string_view bytes = {});

// The next message; nothing if the other end has closed. kCorrupt for what is no message, kUnavailable with
// the system's reason, also if the socket has a time limit (SO_RCVTIMEO) and nothing came within.
Result<std::optional<Message>> receiveMessage(int socket);

// What kProgram says of a module.
struct Question {
  std::string hash;
  std::string source;           // its name
  std::uint64_t functions = 0;  // with a body
  std::uint64_t linkonce = 0;   // of these, such as each of their users has as well
  std::uint64_t tables = 0;     // of these, such as have an entry in the unwind tables
  // What the compiler is and was told, whoever started it: its program and libraries, and the words of its
  // command, its own name first. None in a link.
  std::vector<std::string> compiler = {};
  std::vector<std::string> command = {};
};

std::string writeQuestion(const Question& question);
// kCorrupt for what is none.
Result<Question> readQuestion(std::string_view text);

// Actions to apply in place of a pipeline, with what they were measured with: how passes see the target
// depends on it.
struct Order {
  std::vector<env::Action> actions;
  std::string settings = {};  // of code (env::SessionSpec)

  // Whether it is none, so that the compiler's own pipeline runs. No actions, but settings, are an order: to
  // make code of the program as it is.
  bool none() const { return actions.empty() && settings.empty(); }
};

std::string writeOrder(const Order& order);
// kCorrupt names the field at fault.
Result<Order> readOrder(std::string_view text, std::string_view name);

}  // namespace ordo::recipe
