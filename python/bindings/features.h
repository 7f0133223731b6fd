// What a learned policy sees of the episodes of one vector, for trainers other than ours: encoded here, so
// that a network sees the same bits wherever it was trained.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "env/episode.h"
#include "policy/encoder.h"

namespace ordo::python {

// One thread at a time.
class Features {
 public:
  // For a policy with these actions, stop not counted. `only` and `max_length` are what it is told of each
  // episode (policy::Situation). kInvalidArgument if it knows none of the episodes' actions, or if they do
  // not observe what policies do; errors of policy::preferenceOf().
  static Result<Features> create(std::shared_ptr<const env::EpisodeSpec> episodes,
                                 const std::vector<std::string>& actions, std::string objective,
                                 std::uint32_t max_length, bool only);

  const policy::Encoder& encoder() const { return encoder_; }
  // For each action of the policy but stop: the episodes', or -1 where they lack it.
  std::vector<std::int64_t> actions() const;

  // Encodes the state of the `number`-th episode of the vector, whose first state has to be encoded first.
  // Errors are the encoder's. REQUIRES: room for encoder().width() numbers.
  Status encode(const env::Episode& episode, std::int32_t number, std::span<float> row);

 private:
  using Start = std::array<std::vector<std::byte>, policy::kInputs.size()>;

  Features(std::shared_ptr<const env::EpisodeSpec> episodes, std::size_t actions)
      : episodes_(std::move(episodes)), encoder_(actions) {}

  std::shared_ptr<const env::EpisodeSpec> episodes_;
  policy::Encoder encoder_;
  std::string objective_;
  std::uint32_t max_length_ = 0;
  bool only_ = false;
  policy::Preference preference_{};
  std::array<std::size_t, policy::kInputs.size()> sensors_{};
  std::vector<std::uint32_t> known_;  // for each action of the episodes: the policy's, or kOtherAction
  std::map<std::int32_t, Start> starts_;
};

}  // namespace ordo::python
