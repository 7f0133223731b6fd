#include "search/evaluation/memory.h"

namespace ordo::search {
namespace {

// A table this long (about 150 MB) stops growing: what is new is then computed again when it returns.
constexpr std::size_t kMaxEntries = 1 << 20;

}  // namespace

bool Memory::recall(const Table& table, const Hash128& key, Effort effort, Evaluation& result) {
  const auto found = table.find(key);
  if (found == table.end()) return false;
  const Answer& answer = found->second;
  // What estimates have ruled out may look better once it is measured.
  const bool estimated = answer.verdict == Verdict::kScreened || answer.verdict == Verdict::kBeyond;
  if (estimated && effort != Effort::kScreened) return false;
  result.verdict = answer.verdict;
  result.status = answer.status;
  result.value = answer.value;
  result.screen = answer.screen;
  result.amounts = answer.amounts;
  result.state = answer.state;
  result.detail = answer.detail;
  result.cached = true;
  return true;
}

void Memory::store(Table& table, const Hash128& key, const Evaluation& result) {
  if (table.size() >= kMaxEntries && !table.contains(key)) return;
  table[key] = {result.verdict, result.status, result.value, result.screen,
                result.amounts, result.state,  result.detail};
}

bool Memory::recallSequence(std::span<const Hash128> prefixes, Effort effort, Evaluation& result) const {
  if (recall(sequences_, prefixes.back(), effort, result)) return true;
  if (fatal_.empty()) return false;
  for (const Hash128& prefix : prefixes) {
    if (recall(fatal_, prefix, effort, result)) return true;
  }
  return false;
}

bool Memory::recallState(Effort effort, Evaluation& result) const {
  return recall(states_, result.state, effort, result);
}

void Memory::remember(const Hash128& sequence, const Evaluation& result) {
  store(sequences_, sequence, result);
  if (result.state != Hash128{}) store(states_, result.state, result);
}

void Memory::rememberFatal(const Hash128& prefix, const Evaluation& result) { store(fatal_, prefix, result); }

bool Memory::contradicts(const Hash128& sequence, const Evaluation& fresh) const {
  const auto found = sequences_.find(sequence);
  if (found == sequences_.end()) return false;
  const Answer& known = found->second;
  return known.status != fresh.status || known.state != fresh.state ||
         (known.verdict == Verdict::kMeasured && fresh.measured() && known.value != fresh.value);
}

}  // namespace ordo::search
