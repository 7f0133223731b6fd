// What a study compares. A method is a searcher of the catalog, or a program that speaks
// docs/formats/method.md (external.h); a study does not see the difference.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "search/searcher/searcher.h"
#include "study/study.h"

namespace ordo::study {

// What a method is to do, beside what the context of its search says.
struct Task {
  std::string program;         // uri
  std::string objective;       // the metric
  std::uint64_t seed = 1;      // of the method's chance
  std::uint64_t compiles = 0;  // evaluations of the whole run, those of its seeds included
};

// A method at work, once.
class Attempt {
 public:
  virtual ~Attempt() = default;

  // Searches until the context is done, or until there is nothing left to try. An error says how the method
  // itself broke, and is data about it; but kUnavailable is ours: the system refused.
  virtual Status run(search::SearchContext& context) = 0;

  // Processor time of other processes that think for it, so far, in seconds.
  virtual double cpuSeconds() const { return 0; }
  // That part of it which was over before the method could begin.
  virtual double startCpuSeconds() const { return 0; }
  // Once it has run: what a language model's dialogue was, of whose actions each is the context's; or
  // nothing.
  virtual std::optional<Talk> talk() const { return std::nullopt; }
};

struct Method {
  std::string name;  // studies record it: another name for what finds other things
  std::function<std::unique_ptr<Attempt>(const Task&)> make;  // thread-safe
};

Method searcherMethod(const search::SearcherInfo& searcher);

}  // namespace ordo::study
