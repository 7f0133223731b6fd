// Facts about programs that embeddings are learned from: "a load has a pointer as argument 0". They
// come as llvm-ir2vec writes them, and every distinct fact counts once, however often programs state it.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"
#include "support/rng.h"

namespace ordo::embedding {

struct Triplet {
  std::uint32_t head = 0;      // entity
  std::uint32_t relation = 0;  // 0 has type, 1 is followed by, 2 + i has argument i
  std::uint32_t tail = 0;      // entity

  auto operator<=>(const Triplet&) const = default;
};

// The names of entities by number, from `llvm-ir2vec entities`: their count, then NAME TAB NUMBER lines.
// kCorrupt if it is anything else.
Result<std::vector<std::string>> parseEntities(std::string_view text);

// Collects distinct triplets.
class TripletSet {
 public:
  explicit TripletSet(std::size_t entities) : entities_(entities) {}

  // Adds the output of `llvm-ir2vec triplets`: MAX_RELATION=N, then HEAD TAB TAIL TAB RELATION lines.
  // kCorrupt if it is anything else or names an entity that there is not; `name` is for messages.
  Status add(std::string_view text, std::string_view name);

  // Sorted, each once.
  const std::vector<Triplet>& triplets() const { return triplets_; }
  std::size_t entities() const { return entities_; }
  std::size_t relations() const { return relations_; }
  // With repetitions.
  std::uint64_t read() const { return read_; }

 private:
  std::size_t entities_;
  std::size_t relations_ = 0;
  std::uint64_t read_ = 0;
  std::vector<Triplet> triplets_;
};

struct Split {
  std::vector<Triplet> train;
  std::vector<Triplet> held_out;
};

// Holds out round(share * triplets) of them, at random. REQUIRES: share in [0, 1].
Split split(const std::vector<Triplet>& triplets, double share, Rng& rng);

}  // namespace ordo::embedding
