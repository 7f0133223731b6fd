#include "web/sessions.h"

#include <algorithm>

namespace ordo::web {
namespace {

constexpr std::size_t kMost = 6;

bool beginsWith(std::span<const env::ActionIndex> sequence, const search::Sequence& start) {
  return start.size() <= sequence.size() && std::equal(start.begin(), start.end(), sequence.begin());
}

}  // namespace

Result<std::unique_ptr<env::Session>> Sessions::take(std::span<const env::ActionIndex> sequence) {
  auto nearest = waiting_.end();
  for (auto it = waiting_.begin(); it != waiting_.end(); ++it) {
    if (!beginsWith(sequence, it->sequence)) continue;
    if (nearest == waiting_.end() || it->sequence.size() > nearest->sequence.size()) nearest = it;
  }
  std::unique_ptr<env::Session> session;
  std::size_t done = 0;
  if (nearest != waiting_.end()) {
    session = std::move(nearest->session);
    done = nearest->sequence.size();
    waiting_.erase(nearest);
  } else {
    ORDO_TRY_ASSIGN(session, program_.session());
  }
  // One by one, as they were applied when somebody first came this way.
  for (const env::ActionIndex action : sequence.subspan(done)) {
    ++replayed_;
    ORDO_TRY_ASSIGN(const env::StepOutcome outcome, session->apply({&action, 1}));
    if (!outcome.ok())
      return fail(ErrorCode::kUnsupported, "{} fails here: {}{}{}", program_.actions()[action].name,
                  env::name(outcome.status), outcome.detail.empty() ? "" : ": ", outcome.detail);
  }
  return session;
}

void Sessions::leave(search::Sequence sequence, std::unique_ptr<env::Session> session) {
  std::erase_if(waiting_, [&](const Waiting& waiting) { return waiting.sequence == sequence; });
  waiting_.push_front({std::move(sequence), std::move(session)});
  if (waiting_.size() > kMost) waiting_.pop_back();
}

}  // namespace ordo::web
