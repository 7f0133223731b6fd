// An advisor (env/advisor.h) whose answers a small network gives: for each answer how much is saved by it,
// learned from what was really saved (docs/formats/advisor-weights.md).
//
// Where a decision has features for each answer, "NAME[n]" of answer n, one network may score one answer
// after the other by what is its own: which it is, the number of its logits says, one.
//
// It is asked only where it was right on its like: a case with a feature outside of what was seen in training
// gets the usual answer, and another one has to promise more than was found to be enough on programs that it
// had not seen (`caution`).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "env/advisor.h"
#include "policy/network.h"
#include "policy/safetensors.h"
#include "support/error.h"

namespace ordo::policy {

// What the file says beside the network.
struct AdvisorInfo {
  env::DecisionSpec spec;
  Architecture architecture = Architecture::kResidual;
  // For each usual answer: by how much another one's logit has to be above its own.
  std::vector<float> caution;
  // Of each feature in training; of a network that scores single answers, of what it takes of one.
  std::vector<float> low, high;
  std::string backend_version;  // of the compiler it was trained with: "22.1.8"
  std::string provenance;       // free text: who trained it, on what, when

  bool operator==(const AdvisorInfo&) const = default;
};

// Which features of a decision are those of single answers: the place of each "NAME[0]", with "NAME[1]", …
// next to it for all answers; and of the others.
struct AnswerColumns {
  std::vector<std::size_t> own, shared;
  std::size_t size() const { return own.size() + shared.size(); }
};
AnswerColumns columnsOf(const env::DecisionSpec& spec);

// What a network that scores single answers takes of `answer`: of each of its own features, then of the
// shared ones, as in encodeQuestion(); then 1 if it is the usual one, and 1 if it is the last.
std::vector<float> encodeAnswer(const AnswerColumns& columns, const env::Question& question,
                                std::uint32_t answer);

// Immutable and thread-safe.
class AdvisorWeights {
 public:
  // kNotFound or kUnavailable if that cannot be read; otherwise as parse().
  static Result<AdvisorWeights> load(const std::filesystem::path& path);

  // What writeAdvisor() wrote. `name` is for messages. kUnsupported for another format or architecture than
  // this build has, kCorrupt for what does not hold together.
  static Result<AdvisorWeights> parse(std::string_view bytes, std::string_view name);

  // Of the tensors of a network (tensorsOf()) that takes encodeQuestion(). Errors as parse().
  static Result<AdvisorWeights> create(AdvisorInfo info, const std::vector<Tensor>& tensors,
                                       std::string_view name);

  const AdvisorInfo& info() const { return info_; }

  // By how much the logit of each answer is above that of the usual one; 0 for what is not allowed where
  // single answers are scored. REQUIRES: a question of the spec.
  std::vector<float> savings(const env::Question& question, Network::Scratch& scratch) const;

  // The answer, with all caution.
  std::uint32_t answer(const env::Question& question, Network::Scratch& scratch) const;

 private:
  AdvisorWeights(AdvisorInfo info, Network network)
      : info_(std::move(info)), network_(std::move(network)), columns_(columnsOf(info_.spec)) {}

  bool scoresSingleAnswers() const { return network_.shape().actions != info_.spec.answers.size(); }
  bool isLike(const env::Question& question) const;

  AdvisorInfo info_;
  Network network_;
  AnswerColumns columns_;
};

// The file of an advisor. Does not check that it holds together: parse() does.
std::string writeAdvisor(const AdvisorInfo& info, std::vector<Tensor> tensors);

// What its network takes: of each feature v sign(v)·log1p(|v|)/8, then the usual answer, one-hot.
std::vector<float> encodeQuestion(const env::DecisionSpec& spec, std::span<const float> features,
                                  std::uint32_t usual);

class LearnedAdvisor final : public env::Advisor {
 public:
  explicit LearnedAdvisor(std::shared_ptr<const AdvisorWeights> weights) : weights_(std::move(weights)) {}

  const env::DecisionSpec& spec() const override { return weights_->info().spec; }
  void begin(std::string_view) override {}
  std::uint32_t advise(const env::Question& question) override {
    return weights_->answer(question, scratch_);
  }

 private:
  std::shared_ptr<const AdvisorWeights> weights_;
  Network::Scratch scratch_;
};

}  // namespace ordo::policy
