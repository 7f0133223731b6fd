// Which sequences a searcher has proposed before.
#pragma once

#include <unordered_set>

#include "search/evaluation/prefix_cache.h"

namespace ordo::search {

class Seen {
 public:
  // False if it was there.
  bool insert(std::span<const env::ActionIndex> sequence) {
    return hashes_.insert(prefixHashes(sequence).back()).second;
  }

  bool contains(std::span<const env::ActionIndex> sequence) const {
    return hashes_.contains(prefixHashes(sequence).back());
  }

 private:
  std::unordered_set<Hash128> hashes_;
};

}  // namespace ordo::search
