#include "check/flaky.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

namespace ordo::check {
namespace {

// A test that fails half of the time contradicts itself in three runs with a probability of 3/4, and with
// that of 15/16 on one of two objects.
constexpr std::size_t kRepeats = 2, kBaselineRuns = 3;

}  // namespace

Status TestCourt::runAgain(const std::string& object, const std::vector<std::size_t>& tests,
                           std::size_t times, Tallies& tallies) {
  for (std::size_t time = 0; time < times && !tests.empty(); ++time) {
    ORDO_TRY_ASSIGN(const datasets::TestReport report, run_(object, tests));
    for (std::size_t i = 0; i < tests.size(); ++i)
      ++(report.results[i].passed ? tallies[tests[i]].passed : tallies[tests[i]].failed);
  }
  return {};
}

void TestCourt::denounce(const Tallies& tallies, std::string_view object) {
  for (const auto& [test, tally] : tallies) {
    if (!tally.contradicts() || !flaky_.insert(test).second) continue;
    said_.push_back(
        fmt::format("the test {} is flaky: on {}, the same each time, it passed {} and failed {} of {} "
                    "times; its word is "
                    "not taken",
                    names_[test], object, tally.passed, tally.failed, tally.passed + tally.failed));
  }
}

Result<Testimony> TestCourt::hear(const std::string& object) {
  std::vector<std::size_t> all(tests_);
  std::iota(all.begin(), all.end(), std::size_t{0});
  ORDO_TRY_ASSIGN(const datasets::TestReport report, run_(object, all));
  std::vector<std::size_t> suspects, failing;
  Tallies tallies;
  for (std::size_t test = 0; test < tests_; ++test) {
    const datasets::TestResult& result = report.results[test];
    names_[test] = result.name;
    if (flaky_.contains(test)) continue;
    if (!result.passed) failing.push_back(test);
    if (result.passed && !doubted_.contains(test)) continue;
    suspects.push_back(test);
    ++(result.passed ? tallies[test].passed : tallies[test].failed);
  }
  ORDO_TRY(runAgain(object, suspects, kRepeats, tallies));
  denounce(tallies, "one object");

  std::erase_if(failing, [&](std::size_t test) { return flaky_.contains(test); });
  if (!failing.empty()) {
    doubted_.insert(failing.begin(), failing.end());
    if (baseline_.empty()) {
      ORDO_TRY_ASSIGN(baseline_, make_baseline_());
    }
    ORDO_TRY(runAgain(baseline_, failing, kBaselineRuns, of_baseline_));
    denounce(of_baseline_, "the baseline's object");
  }

  datasets::TestReport believed;
  std::vector<std::string> others;
  for (std::size_t test = 0; test < tests_; ++test) {
    if (flaky_.contains(test))
      others.push_back(report.results[test].name);
    else
      believed.results.push_back(report.results[test]);
  }
  Testimony testimony;
  testimony.believed = !believed.results.empty();
  if (testimony.believed) testimony.summary = believed.summary();
  if (!believed.passed()) testimony.failures = testimony.summary;
  if (!others.empty()) {
    testimony.summary +=
        fmt::format("{}flaky, so not believed: {}", testimony.believed ? "; " : "", fmt::join(others, ", "));
  }
  return testimony;
}

}  // namespace ordo::check
