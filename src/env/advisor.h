// An Advisor decides what a compiler asks while it runs: inline this call? evict which register? by which
// factor vectorize this loop? Whoever has such a hook in a compiler is written against this header, and so is
// whoever learns from what was asked. Implementations: env/advice_log.h (what was answered before, again; and
// the log around any other), tests/fakes/toy_advisor.h.
//
// A compiler asks in one order, and each answer changes what it asks next. So an advisor is deterministic:
// the same answers to the same questions since begin().
//
// Ownership: what a question refers to is the asker's and lasts for the call.
// Threads:   one thread at a time; a compiler that runs in many threads has an advisor in each.
// Failure:   an advisor that knows nothing better answers what the compiler would do by itself. It never
// fails:
//            a compiler in the middle of a function has nobody to report to. What is wrong with weights or a
//            log is an error where they are read, before anything is compiled.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordo::env {

// One kind of decision. Names are persistent API: logs and weights hold them.
struct DecisionSpec {
  std::string name;                   // "inline"
  int version = 1;                    // of the features
  std::vector<std::string> features;  // what is said of each case, in order
  std::vector<std::string> answers;   // what may be answered, by number: {"no", "yes"}; at least one

  bool operator==(const DecisionSpec&) const = default;
};

// One case.
struct Question {
  std::span<const float> features;        // one for each of the spec; finite
  std::span<const std::uint8_t> allowed;  // one for each answer: 1 if it may be given here
  std::uint32_t usual = 0;                // what the compiler would do by itself; allowed
};

class Advisor {
 public:
  virtual ~Advisor() = default;

  virtual const DecisionSpec& spec() const = 0;

  // A module begins: what was asked before does not count any more.
  virtual void begin(std::string_view module) = 0;

  // The number of an answer that is allowed. REQUIRES: a question as the spec says.
  virtual std::uint32_t advise(const Question& question) = 0;
};

// Whether `question` is one that `spec` says, for those who pass on what others ask.
bool fits(const DecisionSpec& spec, const Question& question);

}  // namespace ordo::env
