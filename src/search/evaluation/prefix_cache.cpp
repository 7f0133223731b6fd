#include "search/evaluation/prefix_cache.h"

#include <algorithm>
#include <array>
#include <bit>

namespace ordo::search {
namespace {

// What a fork costs, in passes.
constexpr double kForkWeight = 3;

// From here on an action is heavy: hashing a state costs as much as several passes.
constexpr double kHeavyWeight = 20;

// One prefix in this many comes by again, if nothing is known about it.
constexpr double kReturnRate = 1.0 / 20;

// Past this many prefixes all sightings are forgotten: old ones say little about what comes next.
constexpr std::size_t kMaxSightings = 1 << 16;

// Sets the hashes of all prefixes longer than `length` from that of this length.
void chain(std::vector<Hash128>& hashes, std::span<const env::ActionIndex> actions, std::size_t length) {
  for (std::size_t i = length; i < actions.size(); ++i) {
    const std::array<std::uint64_t, 3> link{hashes[i].high, hashes[i].low, actions[i]};
    const auto bytes = std::bit_cast<std::array<char, sizeof(link)>>(link);
    hashes[i + 1] = hashBytes({bytes.data(), bytes.size()});
  }
}

}  // namespace

std::vector<Hash128> prefixHashes(std::span<const env::ActionIndex> actions) {
  std::vector<Hash128> hashes(actions.size() + 1);
  chain(hashes, actions, 0);
  return hashes;
}

void rekey(std::vector<Hash128>& keys, std::span<const env::ActionIndex> actions, std::size_t length,
           const Hash128& state) {
  keys[length] = state;
  chain(keys, actions, length);
}

double passesIn(const env::Action& action) {
  return 1 + static_cast<double>(std::count(action.text.begin(), action.text.end(), ','));
}

bool isHeavy(const env::Action& action) { return passesIn(action) >= kHeavyWeight; }

PrefixCache::PrefixCache(std::size_t capacity, std::span<const env::Action> actions) : capacity_(capacity) {
  for (const env::Action& action : actions) weights_.push_back(passesIn(action));
}

PrefixCache::Snapshot PrefixCache::find(std::span<const Hash128> prefixes, std::size_t longer_than) {
  for (std::size_t length = prefixes.size() - 1; length > longer_than; --length) {
    const auto found = index_.find(prefixes[length]);
    if (found == index_.end()) continue;
    entries_.splice(entries_.begin(), entries_, found->second);
    return {length, entries_.front().session.get()};
  }
  return {};
}

std::optional<std::size_t> PrefixCache::sight(std::span<const env::ActionIndex> actions,
                                              std::span<const Hash128> prefixes, std::size_t from) {
  if (capacity_ == 0) return std::nullopt;
  if (sightings_.size() + actions.size() > kMaxSightings) sightings_.clear();
  std::optional<std::size_t> place;
  double weight = 0;
  for (std::size_t length = from + 1; length <= actions.size(); ++length) {
    weight += weights_[actions[length - 1]];
    const unsigned earlier = sightings_[prefixes[length]]++;
    const double likely = weights_[actions[length - 1]] >= kHeavyWeight ? earlier + kReturnRate : earlier;
    if (likely * weight >= kForkWeight) place = length;
  }
  return place;
}

std::size_t PrefixCache::nextHeavy(std::span<const env::ActionIndex> actions, std::size_t from) const {
  for (std::size_t i = from + 1; i < actions.size(); ++i) {
    if (weights_[actions[i]] >= kHeavyWeight) return i;
  }
  return actions.size();
}

void PrefixCache::insert(const Hash128& prefix, std::unique_ptr<env::Session> session) {
  if (index_.contains(prefix)) return;
  if (entries_.size() == capacity_) {
    index_.erase(entries_.back().prefix);
    entries_.pop_back();
  }
  entries_.push_front({prefix, std::move(session)});
  index_[prefix] = entries_.begin();
}

}  // namespace ordo::search
