// TransE (Bordes et al., "Translating Embeddings for Modeling Multi-relational Data", NIPS 2013): a vector
// for every entity and every relation such that head + relation is near tail for what is true and not
// for what is made up. IR2Vec (VenkataKeerthy et al., TACO 2020) learns its vocabulary so.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "embedding/triplets.h"
#include "support/rng.h"

namespace ordo::embedding {

struct TranseOptions {
  std::size_t dim = 64;
  std::size_t epochs = 400;
  // Of the distance, between what is true and what is not.
  float margin = 0.5f;
  // Of gradient descent, falling linearly to a tenth of it.
  float rate = 0.02f;
};

class Transe {
 public:
  // Random vectors, those of entities of length 1. REQUIRES: dim > 0.
  Transe(std::size_t entities, std::size_t relations, std::size_t dim, Rng& rng);

  std::span<const float> entity(std::size_t i) const { return {entities_.data() + i * dim_, dim_}; }
  std::size_t entities() const { return entities_.size() / dim_; }
  std::size_t dim() const { return dim_; }

  // The distance of head + relation from tail: small is plausible.
  float distance(const Triplet& triplet) const;

  // Learns from `triplets`, each once per epoch, against one made-up triplet that is none of them. After
  // every epoch `progress` is told how many are done and the mean loss of it; false stops. Deterministic.
  void fit(const std::vector<Triplet>& triplets, const TranseOptions& options, Rng& rng,
           const std::function<bool(std::size_t epochs, double loss)>& progress);

 private:
  void step(const Triplet& right, const Triplet& wrong, float rate);

  std::size_t dim_;
  std::vector<float> entities_;
  std::vector<float> relations_;
};

// How well a model completes facts that it was not taught: each question leaves out the tail or the
// head of one, and all entities are ranked as the answer but for other right ones ("filtered").
struct Ranking {
  std::size_t questions = 0;
  double mean_rank = 0;   // 1 is perfect
  double hits_at_10 = 0;  // share of questions whose answer is among the first ten
};

// `known` are all true triplets, sorted, with those of `questions`.
Ranking rank(const Transe& model, const std::vector<Triplet>& questions, const std::vector<Triplet>& known);

}  // namespace ordo::embedding
