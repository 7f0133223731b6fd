#include "embedding/transe.h"

#include <algorithm>
#include <cmath>

#include "support/error.h"

namespace ordo::embedding {
namespace {

void normalise(std::span<float> vector) {
  float square = 0;
  for (const float x : vector) square += x * x;
  const float factor = square > 0 ? 1 / std::sqrt(square) : 0;
  for (float& x : vector) x *= factor;
}

bool contains(const std::vector<Triplet>& sorted, const Triplet& triplet) {
  return std::binary_search(sorted.begin(), sorted.end(), triplet);
}

// `triplet` with another head or tail. It is one of `known` only if the entities are all tried in vain,
// which takes a relation that holds between everything.
Triplet makeUp(Triplet triplet, std::size_t entities, const std::vector<Triplet>& known, Rng& rng) {
  std::uint32_t Triplet::* const side = rng.chance(0.5) ? &Triplet::head : &Triplet::tail;
  for (std::size_t tries = 0; tries < entities; ++tries) {
    triplet.*side = static_cast<std::uint32_t>(rng.below(entities));
    if (!contains(known, triplet)) break;
  }
  return triplet;
}

}  // namespace

Transe::Transe(std::size_t entities, std::size_t relations, std::size_t dim, Rng& rng)
    : dim_(dim), entities_(entities * dim), relations_(relations * dim) {
  const double bound = 6 / std::sqrt(static_cast<double>(dim));  // as in the paper
  for (float& x : entities_) x = static_cast<float>((2 * rng.uniform() - 1) * bound);
  for (float& x : relations_) x = static_cast<float>((2 * rng.uniform() - 1) * bound);
  for (std::size_t i = 0; i < entities; ++i) normalise({entities_.data() + i * dim, dim});
  for (std::size_t i = 0; i < relations; ++i) normalise({relations_.data() + i * dim, dim});
}

float Transe::distance(const Triplet& triplet) const {
  const float* head = entities_.data() + triplet.head * dim_;
  const float* tail = entities_.data() + triplet.tail * dim_;
  const float* relation = relations_.data() + triplet.relation * dim_;
  float square = 0;
  for (std::size_t i = 0; i < dim_; ++i) {
    const float difference = head[i] + relation[i] - tail[i];
    square += difference * difference;
  }
  return std::sqrt(square);
}

void Transe::fit(const std::vector<Triplet>& triplets, const TranseOptions& options, Rng& rng,
                 const std::function<bool(std::size_t, double)>& progress) {
  std::vector<Triplet> known = triplets;
  std::sort(known.begin(), known.end());
  std::vector<Triplet> order = known;
  for (std::size_t epoch = 0; epoch < options.epochs; ++epoch) {
    const float done = static_cast<float>(epoch) / static_cast<float>(options.epochs);
    const float rate = options.rate * (1 - 0.9f * done);
    rng.shuffle(std::span(order));
    double loss = 0;
    for (const Triplet& right : order) {
      const Triplet wrong = makeUp(right, entities(), known, rng);
      const float violation = options.margin + distance(right) - distance(wrong);
      if (violation <= 0) continue;
      loss += violation;
      step(right, wrong, rate);
    }
    if (!progress(epoch + 1, order.empty() ? 0 : loss / static_cast<double>(order.size()))) return;
  }
}

// Moves `right` together and `wrong` apart along the gradients of their distances.
void Transe::step(const Triplet& right, const Triplet& wrong, float rate) {
  const auto pull = [this](const Triplet& triplet, float amount) {
    const float length = distance(triplet);
    if (length == 0) return;
    float* head = entities_.data() + triplet.head * dim_;
    float* tail = entities_.data() + triplet.tail * dim_;
    float* relation = relations_.data() + triplet.relation * dim_;
    const float factor = amount / length;
    for (std::size_t i = 0; i < dim_; ++i) {
      const float change = factor * (head[i] + relation[i] - tail[i]);
      head[i] -= change;
      relation[i] -= change;
      tail[i] += change;
    }
    // Else distances could be made large by making vectors long.
    normalise({head, dim_});
    normalise({tail, dim_});
  };
  pull(right, rate);
  pull(wrong, -rate);
}

Ranking rank(const Transe& model, const std::vector<Triplet>& questions, const std::vector<Triplet>& known) {
  Ranking ranking;
  for (const Triplet& right : questions) {
    ORDO_CHECK(contains(known, right), "a question that is not known to be true");
    const float truth = model.distance(right);
    for (std::uint32_t Triplet::* const side : {&Triplet::head, &Triplet::tail}) {
      std::size_t place = 1;
      for (std::uint32_t entity = 0; entity < model.entities(); ++entity) {
        Triplet other = right;
        other.*side = entity;
        if (model.distance(other) < truth && !contains(known, other)) ++place;
      }
      ++ranking.questions;
      ranking.mean_rank += static_cast<double>(place);
      ranking.hits_at_10 += place <= 10;
    }
  }
  if (ranking.questions > 0) {
    ranking.mean_rank /= static_cast<double>(ranking.questions);
    ranking.hits_at_10 /= static_cast<double>(ranking.questions);
  }
  return ranking;
}

}  // namespace ordo::embedding
