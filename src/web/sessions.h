// Sessions of one program that wait where somebody left them, so that the next step from there costs that
// step and no replay. What they lead to is what a replay from the start leads to: a session is only ever gone
// on with, never forked, because a fork has forgotten what passes had worked out (env::kPipe).
#pragma once

#include <list>
#include <memory>
#include <span>

#include "agent/opened_program.h"
#include "env/session.h"
#include "search/evaluation/evaluation.h"
#include "support/error.h"

namespace ordo::web {

// One thread at a time.
class Sessions {
 public:
  // `program` outlives it.
  explicit Sessions(agent::OpenedProgram& program) : program_(program) {}

  // A session after `sequence`, out of those that wait: the one that is nearest before it, or a new one.
  // kUnsupported, with the reason, if an action of it fails.
  Result<std::unique_ptr<env::Session>> take(std::span<const env::ActionIndex> sequence);
  // Lets a session wait after `sequence`; the one that has waited longest may go for it.
  void leave(search::Sequence sequence, std::unique_ptr<env::Session> session);

  std::size_t size() const { return waiting_.size(); }
  // How many actions take() has applied since this was made: what was not gone on with had to be done again.
  std::size_t replayed() const { return replayed_; }

 private:
  struct Waiting {
    search::Sequence sequence;
    std::unique_ptr<env::Session> session;
  };

  agent::OpenedProgram& program_;
  std::list<Waiting> waiting_;  // the one left last in front
  std::size_t replayed_ = 0;
};

}  // namespace ordo::web
