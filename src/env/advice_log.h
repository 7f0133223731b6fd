// What an advisor was asked and what it said: to learn from, and to compile the same again.
//
// On disk a log is lines of JSON: the first has the spec, each other line is one question:
//   {"ordo_advice":1,"decision":"inline","version":1,"features":["callee_size"],"answers":["no","yes"]}
//   {"module":"a.c","features":[12],"usual":0,"answer":1}
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "env/advisor.h"
#include "support/error.h"

namespace ordo::env {

struct Advice {
  std::string module;
  std::vector<float> features;
  std::uint32_t usual = 0;   // what the compiler would have done
  std::uint32_t answer = 0;  // what it was told

  bool operator==(const Advice&) const = default;
};

struct AdviceLog {
  DecisionSpec spec;
  std::vector<Advice> advice;

  bool operator==(const AdviceLog&) const = default;
};

std::string writeAdvice(const AdviceLog& log);

// kCorrupt with the line that is none. `name` is for messages.
Result<AdviceLog> parseAdvice(std::string_view text, std::string_view name);

// Whatever `advisor` is asked and says, noted in `log`. Both must outlive it. What is no question of the spec
// is passed on and not noted; in place of an answer that is not allowed the usual one is given.
class LoggedAdvisor final : public Advisor {
 public:
  // Empties the log.
  LoggedAdvisor(Advisor& advisor, AdviceLog& log);

  const DecisionSpec& spec() const override { return advisor_.spec(); }
  void begin(std::string_view module) override;
  std::uint32_t advise(const Question& question) override;

 private:
  Advisor& advisor_;
  AdviceLog& log_;
  std::string module_;
};

// Says what the log says of the same module, question by question. From the first question on that is another
// than the one noted, or has no answer there, it says what the compiler would do: see faithful().
class RecordedAdvisor final : public Advisor {
 public:
  explicit RecordedAdvisor(AdviceLog log) : log_(std::move(log)) {}

  const DecisionSpec& spec() const override { return log_.spec; }
  void begin(std::string_view module) override;
  std::uint32_t advise(const Question& question) override;

  // Whether every question so far, of all modules, was the one that the log has there.
  bool faithful() const { return faithful_; }

 private:
  AdviceLog log_;
  std::string module_;
  std::size_t next_ = 0;    // of the log
  bool following_ = false;  // the module's notes, so far
  bool faithful_ = true;
};

}  // namespace ordo::env
