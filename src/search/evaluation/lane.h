// A lane replays sequences on one root session, from the nearest snapshot where there is one. One
// thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "search/evaluation/evaluation.h"
#include "search/evaluation/prefix_cache.h"

namespace ordo::search {

// Where a replay ended.
struct Replay {
  env::Session* session = nullptr;  // at the end of the sequence if ok(); valid until the next replay
  env::StepStatus status = env::StepStatus::kOk;
  std::string detail;
  std::size_t reached = 0;  // actions behind it; if not ok(), the next one is the culprit
  std::size_t passes = 0;   // actions applied for it, fewer than `reached` if a snapshot helped
  bool from_snapshot = false;
  bool took_snapshot = false;
  bool known = false;         // stopped early, because what the sequence leads to is known
  bool late = false;          // stopped early, because there is no time for the rest
  std::vector<Hash128> keys;  // the prefixes, those behind a heavy action named by its state

  bool ok() const { return status == env::StepStatus::kOk; }
};

class Lane {
 public:
  // Keeps at most `snapshots` of them. `large`: each action takes its time, so that it pays to ask between
  // two of them whether it is late.
  Lane(std::unique_ptr<env::Session> root, std::size_t snapshots, bool large = false)
      : root_(std::move(root)), large_(large), cache_(snapshots, root_->spec().actions) {}

  const env::SessionSpec& spec() const { return root_->spec(); }

  // Whether the answer to a sequence with these keys is known; then the replay need not go on.
  using Known = std::function<bool(std::span<const Hash128> keys)>;

  // Whether time is up, asked between actions of large programs.
  using Late = std::function<bool()>;

  // Replays `actions`, whose prefixes hash to `prefixes`. A fresh replay starts from the program as
  // given, touches no snapshot and does not stop early. `known` and `late` may be empty.
  Result<Replay> replay(std::span<const env::ActionIndex> actions, std::vector<Hash128> prefixes, bool fresh,
                        const Known& known = {}, const Late& late = {});

 private:
  Status advance(Replay& replay, std::span<const env::ActionIndex> actions, std::size_t length);
  Result<bool> toSnapshot(Replay& replay);
  Status segment(Replay& replay, std::span<const env::ActionIndex> actions, std::size_t end);

  std::unique_ptr<env::Session> root_;
  bool large_;
  std::unique_ptr<env::Session> branch_;  // a fork of the last snapshot used
  PrefixCache cache_;
  Late late_;  // of the replay under way
};

}  // namespace ordo::search
