// Advisors that know nothing of a case: what the compiler does anyway, anything, and what somebody else has
// decided. For logs, for tests of compilers, and for searches.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "env/advisor.h"
#include "support/rng.h"

namespace ordo::env {

// Says what is usual.
class UsualAdvisor final : public Advisor {
 public:
  explicit UsualAdvisor(DecisionSpec spec) : spec_(std::move(spec)) {}
  const DecisionSpec& spec() const override { return spec_; }
  void begin(std::string_view) override {}
  std::uint32_t advise(const Question& question) override { return question.usual; }

 private:
  DecisionSpec spec_;
};

// Says any answer that is allowed: the same for the same seed and module.
class RandomAdvisor final : public Advisor {
 public:
  RandomAdvisor(DecisionSpec spec, std::uint64_t seed) : spec_(std::move(spec)), seed_(seed), rng_(seed) {}
  const DecisionSpec& spec() const override { return spec_; }
  void begin(std::string_view module) override;
  std::uint32_t advise(const Question& question) override;

 private:
  DecisionSpec spec_;
  std::uint64_t seed_;
  Rng rng_;
};

// Says `answers` one after the other, then what is usual; also in place of one that is not allowed. Begins
// with the first again at each begin().
class ListedAdvisor final : public Advisor {
 public:
  ListedAdvisor(DecisionSpec spec, std::vector<std::uint32_t> answers)
      : spec_(std::move(spec)), answers_(std::move(answers)) {}
  const DecisionSpec& spec() const override { return spec_; }
  void begin(std::string_view) override { next_ = 0; }
  std::uint32_t advise(const Question& question) override;

 private:
  DecisionSpec spec_;
  std::vector<std::uint32_t> answers_;
  std::size_t next_ = 0;
};

// Another one, lent to who wants one of its own. That has to outlive this.
class LentAdvisor final : public Advisor {
 public:
  explicit LentAdvisor(Advisor& advisor) : advisor_(advisor) {}
  const DecisionSpec& spec() const override { return advisor_.spec(); }
  void begin(std::string_view module) override { advisor_.begin(module); }
  std::uint32_t advise(const Question& question) override { return advisor_.advise(question); }

 private:
  Advisor& advisor_;
};

}  // namespace ordo::env
