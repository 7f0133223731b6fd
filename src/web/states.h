// What is known of the states of one program: each is gone to once, and looked at once.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "agent/opened_program.h"
#include "env/preference.h"
#include "env/session.h"
#include "search/evaluation/evaluation.h"
#include "support/error.h"
#include "support/json.h"
#include "tune/critic.h"
#include "web/sessions.h"

namespace ordo::web {

// A state, or why there is none.
struct State {
  env::StepStatus status = env::StepStatus::kOk;  // of the action that led to it
  std::string detail;                             // of a failure
  Hash128 hash;
  double value = 0;              // of the objective
  double instructions = 0;       // of the IR
  std::vector<double> features;  // autophase
  struct Choice {
    std::string name;
    double probability = 0;
  };
  std::vector<Choice> preferred;  // by the policy, likeliest first; empty without one

  bool ok() const { return status == env::StepStatus::kOk; }
};

// One thread at a time.
class States {
 public:
  // `program` outlives it.
  explicit States(agent::OpenedProgram& program);

  // The states before and after each action, from the program as given: one more than actions, or fewer,
  // of which the last is not ok(). An error is a failure of ours.
  Result<std::vector<const State*>> along(const search::Sequence& sequence);

  // What the policy makes of an action (its name, or "stop") after a sequence, and why. kUnsupported without
  // a policy that knows it.
  Result<tune::Opinion> opinion(const search::Sequence& sequence, const std::string& action);
  // Why there is no policy; "" if there is one.
  const std::string& noPolicy() const { return no_policy_; }

  // The whole program as text. What ir() goes through on its way is measured too, once, so that along() has
  // no need to come this way again.
  Result<std::string> ir(const search::Sequence& sequence);
  Result<std::string> assembly(const search::Sequence& sequence);

  Sessions& sessions() { return sessions_; }

 private:
  using Texts = std::map<search::Sequence, std::string>;
  static const std::string& keep(Texts& texts, const search::Sequence& sequence, std::string text);
  Result<const State*> look(std::span<const env::ActionIndex> sequence);
  env::StepRequest request() const;
  bool consider(std::span<const env::ActionIndex> sequence, const env::StepReport& report);

  agent::OpenedProgram& program_;
  const env::Preference preference_;
  Sessions sessions_;
  tune::Critic* critic_ = nullptr;
  std::string no_policy_;
  std::map<search::Sequence, State> known_;
  Texts ir_, assembly_;
};

}  // namespace ordo::web
