#include "search/prefix_cache.h"

#include <algorithm>
#include <array>
#include <bit>

namespace ordo::search {
namespace {

// What a fork costs, in passes.
constexpr double kForkWeight = 3;

// Past this many prefixes all sightings are forgotten: old ones say little about what comes next.
constexpr std::size_t kMaxSightings = 1 << 16;

}  // namespace

std::vector<Hash128> prefixHashes(std::span<const env::ActionIndex> actions) {
  std::vector<Hash128> hashes;
  hashes.reserve(actions.size() + 1);
  hashes.push_back({});
  for (const env::ActionIndex action : actions) {
    const std::array<std::uint64_t, 3> link{hashes.back().high, hashes.back().low, action};
    const auto bytes = std::bit_cast<std::array<char, sizeof(link)>>(link);
    hashes.push_back(hashBytes({bytes.data(), bytes.size()}));
  }
  return hashes;
}

double passesIn(const env::Action& action) {
  return 1 + static_cast<double>(std::count(action.text.begin(), action.text.end(), ','));
}

PrefixCache::PrefixCache(std::size_t capacity, std::span<const env::Action> actions) : capacity_(capacity) {
  for (const env::Action& action : actions) weights_.push_back(passesIn(action));
}

PrefixCache::Snapshot PrefixCache::find(std::span<const Hash128> prefixes) {
  for (std::size_t length = prefixes.size() - 1; length > 0; --length) {
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
    if (earlier * weight >= kForkWeight) place = length;
  }
  return place;
}

void PrefixCache::insert(const Hash128& prefix, std::unique_ptr<env::Session> session) {
  if (entries_.size() == capacity_) {
    index_.erase(entries_.back().prefix);
    entries_.pop_back();
  }
  entries_.push_front({prefix, std::move(session)});
  index_[prefix] = entries_.begin();
}

}  // namespace ordo::search
