// A language model at work on one program: it is told what there is to do, calls tools, is told what came of
// them, and submits. Whatever it does, the conversation ends: after so many replies, seconds, errors or empty
// replies in a row; and if it has not submitted by then, the best sequence that was measured is submitted for
// it. So there is always a result, never worse than the baseline.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/host.h"
#include "agent/model.h"
#include "support/error.h"
#include "support/json.h"

namespace ordo::agent {

struct ConversationOptions {
  int replies = 40;         // at most
  int calls_per_reply = 8;  // the rest of a reply's are refused
  int idle_replies = 3;     // without a call, in a row
  int failed_calls = 8;     // in a row
  double seconds = 600;     // of wall clock, thinking included
  Sampling sampling = {};
  std::vector<std::string> without = {};  // tools that it does not get
  Json first = {};  // a call that is made before it speaks, as if it had: {"name", "arguments"}; null: none
  // May change what the model is told of a tool's result, "left" and "cost" included; may be empty.
  std::function<void(std::string_view tool, Json& result)> retell = {};
  const std::atomic<bool>* stop = nullptr;
};

enum class End : std::uint8_t { kSubmitted, kReplies, kIdle, kErrors, kTime, kModel, kStopped };
// "the model submitted", "the model failed", …
std::string_view name(End end);

struct Conversation {
  Json messages = Json::array();  // all of it, as it was held
  End end = End::kSubmitted;
  std::string why;       // of kModel: what the model's failure was
  bool refused = false;  // of kModel: it only said why it does not answer
  Json result;           // of submit_sequence, the model's own or ours
  int replies = 0, calls = 0, failed_calls = 0;
  double seconds = 0;  // of it, thinking
  double prompt_tokens = 0, completion_tokens = 0, flops = 0, model_cpu_s = 0;
};

// What happens, as it does: a reply of the model's, a call, and what came of it.
struct Event {
  enum class Kind { kReply, kCall, kResult, kNote };
  Kind kind = Kind::kNote;
  std::string_view tool;  // of a call and its result
  const Json& content;    // the message, the arguments, the result; or a text
};

// Holds it, on the program that `host` has open under `handle`. The only errors are ours: nothing could be
// submitted.
Result<Conversation> converse(Host& host, const std::string& handle, Model& model,
                              const ConversationOptions& options,
                              const std::function<void(const Event&)>& on_event);

// The tools it is offered: all but open_program and those of `without`, as function definitions.
Json offeredTools(const std::vector<std::string>& without = {});

// What it is told first: a message of the system, and one of the user about the program.
Json firstMessages(const OpenedProgram& program);

}  // namespace ordo::agent
