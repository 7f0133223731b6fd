// A search from a state, told while it goes on.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>

#include "agent/opened_program.h"
#include "support/error.h"
#include "support/json.h"
#include "web/view.h"

namespace ordo::web {

// The sequence that a field of `body` names. Errors as of agent::OpenedProgram::read().
Result<search::Sequence> readActions(const agent::OpenedProgram& program, const JsonObject& body,
                                     std::string_view field);

// One search at a time; thread-safe.
class SearchRun {
 public:
  // What run() would refuse of `body`. kInvalidArgument, kCorrupt.
  static Status check(const agent::OpenedProgram& of, const JsonObject& body);

  // Searches for what is better than `of` is after "actions", as "searcher", "compiles" and "seed" say, on an
  // opened program of its own, which uses the engine of `of`. Emits "begin", "answers" some ten times a
  // second with [compiles, seconds, value or null, length] of each, "best" whenever there is a better one,
  // and "done". Whoever stops listening ends it, and so does `stop`. kUnavailable while another goes on.
  Status run(const agent::OpenedProgram& of, const JsonObject& body, const std::atomic<bool>& stop,
             const Emit& emit);

 private:
  Result<agent::OpenedProgram*> opened(const agent::OpenedProgram& of);

  std::mutex running_;
  std::atomic<bool> ends_{false};
  std::unique_ptr<agent::OpenedProgram> program_;
};

}  // namespace ordo::web
