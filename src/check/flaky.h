// Whether the word of a program's tests can be taken. A test that passes and fails on the same object says
// nothing of any object: a winner that it lets through after it refused others was lucky, no more.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "datasets/tests.h"
#include "support/error.h"

namespace ordo::check {

// What tests say of one object.
struct Testimony {
  std::string summary;   // for the recipe: what passed and failed, and what was not believed
  std::string failures;  // of tests that are believed, or ""
  bool believed = true;  // some test was; if not, the object is untested
};

// Of one program; asks its tests about one object after the other. One thread at a time.
class TestCourt {
 public:
  // Runs those tests of the program that have these numbers, and reports in this order.
  using Run = std::function<Result<datasets::TestReport>(const std::string& object,
                                                         const std::vector<std::size_t>& tests)>;
  // `tests` is how many the program has. `baseline` makes the object of clang's own program; it is asked for
  // once, and only if a test fails.
  TestCourt(std::size_t tests, Run run, std::function<Result<std::string>()> baseline)
      : tests_(tests), run_(std::move(run)), make_baseline_(std::move(baseline)) {}

  // Runs all tests on `object`. Those that fail, and those that failed on an object before it, are run again,
  // on it and on the baseline's: who contradicts itself is flaky from then on, and not believed.
  Result<Testimony> hear(const std::string& object);

  // A sentence about each flaky test.
  const std::vector<std::string>& flaky() const { return said_; }

 private:
  struct Tally {
    std::size_t passed = 0, failed = 0;
    bool contradicts() const { return passed > 0 && failed > 0; }
  };
  using Tallies = std::map<std::size_t, Tally>;  // by test

  Status runAgain(const std::string& object, const std::vector<std::size_t>& tests, std::size_t times,
                  Tallies& tallies);
  void denounce(const Tallies& tallies, std::string_view object);

  const std::size_t tests_;
  Run run_;
  std::function<Result<std::string>()> make_baseline_;
  std::string baseline_;  // its object, once it was made
  std::map<std::size_t, std::string> names_;
  std::set<std::size_t> doubted_;  // that failed on some object
  std::set<std::size_t> flaky_;
  std::vector<std::string> said_;
  Tallies of_baseline_;
};

}  // namespace ordo::check
