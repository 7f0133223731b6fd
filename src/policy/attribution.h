// Which parts of what a policy saw spoke for an action, and which against it.
//
// By occlusion (Zeiler & Fergus, ECCV 2014, https://arxiv.org/abs/1311.2901): put one part of the features to
// a neutral value, ask again, and see what that does to the answer. What is compared are the log-odds of the
// action against all others, the weight of evidence of Robnik-Sikonja & Kononenko (IEEE TKDE 20(5), 2008):
// log-odds do not saturate where the policy is sure, and e to their power is a factor that says something,
// "three times as likely".
//
// Neutral is a difference from a reference, as in DeepLIFT (Shrikumar et al., ICML 2017,
// https://arxiv.org/abs/1704.02685): not a program without anything, which no policy has seen and in which a
// lack of something could never be evidence, but the encoding of a neutral situation. It has the counts that
// are usual (kCounts), no change since the start, no history, an embedding of zeros, an objective that is
// none, a baseline and value that are unknown, and all steps ahead.
//
// What it cannot say: parts are moved one by one, so what several of them say together is credited to each
// or, where one would do without the other, to none; counts depend on each other, so the states that are
// asked about need not be those of any program; and it says what moved this network, not what makes the pass
// work.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/policy.h"

namespace ordo::policy {

// An element of autophase.
struct Count {
  std::string_view name;   // "NumLoadInst"
  std::string_view words;  // "loads": what it counts, which is not always what it is called
  std::int64_t usual = 0;
};

// In the order of the observation. Usual is the median over the 9,291 states in data/experience/debian.jsonl
// before it was made slim: those on the way of the best sequences for 382 training modules.
extern const std::array<Count, 56> kCounts;

// A part of the features that is neutral, or not, as one.
struct Aspect {
  std::string group;  // "autophase", "ir2vec", "history", … : of the feature schema, up to its dot
  std::optional<std::size_t> element = {};  // of kCounts, for autophase; of the policy's actions, for history
  std::vector<std::size_t> columns = {};    // of the features, ascending

  bool operator==(const Aspect&) const = default;
};

// Immutable and thread-safe.
class Attribution {
 public:
  explicit Attribution(std::shared_ptr<const Policy> policy);

  // In the order of the features. Every column is of exactly one. An autophase count is there with its
  // change; counts of the same thing are one, and so are an action's places in the history. A group that is
  // not known here is one aspect.
  const std::vector<Aspect>& aspects() const { return aspects_; }

  // The neutral features.
  std::span<const float> reference() const { return reference_; }

  // For each aspect: the log-odds of `choice` among the legal actions minus what they would be with this
  // aspect at its reference. Above 0 it spoke for the choice, below 0 against it; exactly 0 where it is at
  // its reference, or all if nothing else is legal. A forward pass for each aspect that is not. REQUIRES: as
  // many features as the encoder writes, a byte for each logit, a legal choice.
  std::vector<double> weights(std::span<const float> features, std::span<const std::uint8_t> legal,
                              std::size_t choice) const;

 private:
  std::shared_ptr<const Policy> policy_;
  std::vector<Aspect> aspects_;
  std::vector<float> reference_;
};

}  // namespace ordo::policy
