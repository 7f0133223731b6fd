// An advisor for tests: says yes to what is small, more readily the oftener it has said no.
#pragma once

#include "env/advisor.h"

namespace ordo::fakes {

class ToyAdvisor final : public env::Advisor {
 public:
  const env::DecisionSpec& spec() const override { return spec_; }
  void begin(std::string_view) override { refused_ = 0; }
  std::uint32_t advise(const env::Question& question) override {
    const std::uint32_t wanted = question.features[0] <= 10 + static_cast<float>(refused_) ? 1 : 0;
    refused_ += wanted == 0;
    return question.allowed[wanted] != 0 ? wanted : question.usual;
  }

 private:
  const env::DecisionSpec spec_{"toy", 1, {"size", "uses"}, {"no", "yes"}};
  unsigned refused_ = 0;
};

}  // namespace ordo::fakes
