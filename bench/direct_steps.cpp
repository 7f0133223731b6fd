// What LLVM itself costs for what an environment does, without worker, wire or Python: the other half of
// bench/environment.py, which calls it.
//
//   direct_steps PROGRAM REPETITIONS < actions    one action a line, as "name<TAB>text"
//
// Prints one JSON object with medians in microseconds: "steps" (one per action, of an apply in its place in
// the sequence), "fork", "emit" (code generation alone), "text_bytes" (the metric, emitted whole),
// "known_text_bytes" (where most functions are as in the state before, the first time
// that this state is seen; null if that never happened) with "known_states", their number, and each
// observation under "observe".
#include <fmt/format.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/input.h"
#include "llvm/actions/pipeline.h"
#include "llvm/features/feature.h"
#include "llvm/ir/fingerprint.h"
#include "llvm/ir/module.h"
#include "llvm/ir/target.h"
#include "llvm/session/llvm_session.h"
#include "notation/action.h"

namespace {

using namespace ordo;

template <typename Function>
double timed(const Function& function) {
  const auto start = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <typename T>
T must(Result<T> result) {
  ORDO_CHECK(result.has_value(), "{}", result.error().message);
  return *std::move(result);
}

void check(const Status& status) { ORDO_CHECK(status.has_value(), "{}", status.error().message); }

std::set<Hash128> functionsOf(env::Session& session) {
  const std::string bitcode(must(session.observe("bitcode")).text());
  std::set<Hash128> functions;
  for (const auto& function : ir::fingerprint(*must(ir::parse(bitcode, "state"))).functions)
    functions.insert(function.hash);
  return functions;
}

// Microseconds of text_bytes after each action that left most functions as they were.
std::vector<double> knownTexts(env::Session& session) {
  std::vector<double> times;
  std::set<Hash128> states;
  std::set<Hash128> before;
  check(session.reset());
  for (env::ActionIndex action = 0; action < session.spec().actions.size(); ++action) {
    must(session.apply({&action, 1}));
    if (!states.insert(must(session.stateHash())).second) continue;
    std::set<Hash128> now = functionsOf(session);
    const auto kept = std::count_if(now.begin(), now.end(),
                                    [&](const Hash128& function) { return before.contains(function); });
    const double time = timed([&] { must(session.estimate("text_bytes")); });
    if (2 * kept > static_cast<std::ptrdiff_t>(now.size())) times.push_back(time);
    before = std::move(now);
  }
  return times;
}

}  // namespace

int main(int argc, char** argv) {
  ORDO_CHECK(argc == 3, "usage: direct_steps PROGRAM REPETITIONS < actions");
  const int repetitions = std::stoi(argv[2]);
  const engine::Input input = must(engine::prepareInput(argv[1], engine::Baseline{}, {}));
  env::SessionSpec spec{argv[1], input.compiled.bytes, {}, input.settings()};
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t tab = line.find('\t');
    ORDO_CHECK(tab != std::string::npos, "no tab in '{}'", line);
    const std::string text = line.substr(tab + 1);
    const bool attribute = text[0] == '+' || text[0] == '-';
    spec.actions.push_back(
        {line.substr(0, tab), attribute ? notation::kAttribute : notation::kPipeline, text});
  }

  session::LlvmBackend backend;
  const std::unique_ptr<env::Session> session = must(backend.open(spec));
  std::vector<std::vector<double>> steps(spec.actions.size());
  std::vector<double> forks, texts, emissions;
  for (int i = 0; i < repetitions; ++i) {
    check(session->reset());
    must(session->observe("autophase"));  // parses the program
    for (env::ActionIndex action = 0; action < spec.actions.size(); ++action)
      steps[action].push_back(timed([&] { must(session->apply({&action, 1})); }));
    std::unique_ptr<env::Session> copy;
    forks.push_back(timed([&] {
      copy = must(session->fork());
      must(copy->measure("ir_instructions"));  // a fork that was never used has not been paid for yet
    }));
  }
  nlohmann::json out;
  for (const std::vector<double>& times : steps) out["steps"].push_back(median(times));
  out["fork"] = median(forks);

  check(session->reset());
  out["instructions"] = must(session->estimate("ir_instructions")).value;
  for (const features::FeatureInfo* feature : features::catalog()) {
    const std::string name(feature->name);
    if (!session->observe(name)) continue;
    std::vector<double> times;
    for (int i = 0; i < 10 * repetitions; ++i) times.push_back(timed([&] { must(session->observe(name)); }));
    out["observe"][name] = median(times);
  }
  // Emission, as LLVM alone does it and as the metric does, turn by turn.
  for (int i = 0; i < repetitions; ++i) {
    const ir::OwnedModule module = must(ir::parse(input.compiled.bytes, argv[1]));
    const auto machine = must(ir::makeTargetMachine(*module, {}));
    emissions.push_back(timed([&] { must(ir::emit(*module, *machine, ir::EmitKind::kObject)); }));
    check(session->reset());
    must(session->estimate("ir_instructions"));
    texts.push_back(timed([&] { must(session->measure("text_bytes")); }));
  }
  const std::vector<double> known = knownTexts(*session);
  out["known_states"] = known.size();
  if (!known.empty()) out["known_text_bytes"] = median(known);
  out["emit"] = median(emissions);
  out["text_bytes"] = median(texts);
  std::cout << out.dump() << "\n";
}
