// Snapshots of sessions by the actions that led to them, so that a sequence is only applied from
// where it parts from an earlier one.
//
// A fork costs about as much as one to three passes, so a snapshot must earn it. The rule is that
// of ski rental: note every prefix that goes by, and once a snapshot would have saved as many
// passes as it costs, take it. That needs no hints: the children of a beam node, the tails behind
// a baseline and the variants of a winner all get their snapshot after a few sightings, and it is
// hardly more than twice as expensive as knowing the future would be.
//
// A heavy action (a composite pipeline) is worth more care, because one costs as much as a hundred
// passes. Its snapshot is taken at first sight, and before one is applied the caller names the prefix
// anew by the state that it led to (rekey): many different beginnings end in the same program.
//
// One lane owns one cache; not thread-safe.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "env/session.h"

namespace ordo::search {

// Hashes of all prefixes of `actions`, the empty one first and the whole sequence last.
std::vector<Hash128> prefixHashes(std::span<const env::ActionIndex> actions);

// Names all prefixes of `keys` that are longer than `length` anew: as continuations of `state`, which
// the first `length` of `actions` lead to.
void rekey(std::vector<Hash128>& keys, std::span<const env::ActionIndex> actions, std::size_t length,
           const Hash128& state);

// How heavy an action is, in passes: a composite pipeline is one action but many passes, separated
// by commas (and by parentheses where nesting changes, so this is a guess).
double passesIn(const env::Action& action);

// Whether it is one of the composites, which are worth a hash of the state before and a snapshot after.
bool isHeavy(const env::Action& action);

class PrefixCache {
 public:
  // Keeps at most `capacity` snapshots, dropping the least recently used.
  PrefixCache(std::size_t capacity, std::span<const env::Action> actions);

  struct Snapshot {
    std::size_t length = 0;           // actions it stands for
    env::Session* session = nullptr;  // fork it, do not change it; null: start from the program
  };

  // The snapshot of the longest prefix that has one and is longer than `longer_than`.
  Snapshot find(std::span<const Hash128> prefixes, std::size_t longer_than = 0);

  // Notes that `actions` goes by, of which the first `from` are behind it. If it should leave a
  // snapshot on its way: after how many actions.
  std::optional<std::size_t> sight(std::span<const env::ActionIndex> actions,
                                   std::span<const Hash128> prefixes, std::size_t from);

  // The index of the first heavy action after that at `from`, or actions.size().
  std::size_t nextHeavy(std::span<const env::ActionIndex> actions, std::size_t from) const;

  void insert(const Hash128& prefix, std::unique_ptr<env::Session> session);

  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    Hash128 prefix;
    std::unique_ptr<env::Session> session;
  };

  std::size_t capacity_;
  std::vector<double> weights_;  // passesIn() by action
  std::list<Entry> entries_;     // most recently used first
  std::unordered_map<Hash128, std::list<Entry>::iterator> index_;
  std::unordered_map<Hash128, unsigned> sightings_;
};

}  // namespace ordo::search
