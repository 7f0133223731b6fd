// Runs of a study on the toy backend: milliseconds each.
#pragma once

#include "search/catalog/catalog.h"
#include "study/runner.h"
#include "tests/fakes/toy_session.h"

namespace ordo::study {

class ToySite final : public Site {
 public:
  explicit ToySite(fakes::ToyOptions options = {}) : backend_(options) {}
  env::Backend& backend() override { return backend_; }
  FamilyUsage usage() const override { return {.cpu_s = 0, .peak_bytes = 4096}; }
  std::int64_t workersDied() const override { return 0; }

 private:
  fakes::ToyBackend backend_;
};

// The baseline is action 0; the rest can do better.
inline const std::vector<std::string> kToyActions = {"baseline=dec,dec,dec-if-even",
                                                     "noop",
                                                     "dec",
                                                     "dec-if-even",
                                                     "halve-if-multiple-of-4",
                                                     "enable",
                                                     "inc",
                                                     "crash",
                                                     "break"};

inline Subject toySubject(std::int64_t count, const std::string& uri = "toy/a") {
  Subject subject;
  subject.spec = fakes::toySpec(count, kToyActions);
  subject.program = {uri, "toy", hashBytes(subject.spec.program).hex(), {}, ""};
  for (const char* baseline : {"initial", "clang-Oz", "bare-Oz"})
    subject.program.references.push_back({baseline, "count", static_cast<double>(count)});
  return subject;
}

inline RunOptions toyOptions(Method method, std::uint64_t compiles = 100) {
  RunOptions options;
  options.method = std::move(method);
  options.objective = {.metric = "count", .screen = ""};
  options.compiles = compiles;
  options.max_length = 20;
  options.metrics = {"count", "cost"};
  return options;
}

inline RunOptions toyOptions(std::string_view searcher = "random", std::uint64_t compiles = 100) {
  return toyOptions(searcherMethod(*search::find(searcher)), compiles);
}

// Programs "toy/<count>", with " enabled" if they are; "toy/bad" is none, and "toy/broken" is our own
// failure.
class ToyHost final : public Host {
 public:
  Result<std::unique_ptr<Site>> openSite() override {
    ++sites;
    return std::make_unique<ToySite>();
  }
  Result<Subject> prepare(const std::string& uri) override {
    ++prepared;
    if (uri == "toy/bad") return fail(ErrorCode::kInvalidArgument, "no program");
    if (uri == "toy/broken") return fail(ErrorCode::kUnavailable, "the disk is gone");
    Subject subject = toySubject(std::stoll(uri.substr(4)) + shift, uri);
    if (uri.ends_with(" enabled")) subject.spec.program += " enabled";
    return subject;
  }

  std::atomic<int> sites = 0, prepared = 0;
  std::int64_t shift = 0;  // as if the programs had changed
};

inline Plan toyPlan(const std::vector<std::string>& uris, std::uint64_t seeds = 2) {
  Plan plan;
  for (const std::string& uri : uris) plan.programs.push_back({uri, "toy"});
  plan.methods = {searcherMethod(*search::find("random")), searcherMethod(*search::find("greedy"))};
  plan.objectives = {{.metric = "count", .screen = ""}};
  plan.metrics = {"count", "cost"};
  plan.seeds = seeds;
  plan.compiles = 50;
  plan.max_length = 20;
  return plan;
}

inline Settings toySettings() {
  return {"0.1", "toy 1", "counter", "toys", std::string(32, '0'), "baseline", "none", 50, 20};
}

}  // namespace ordo::study
