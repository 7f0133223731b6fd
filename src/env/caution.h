// What a session in a worker knows to be deadly: the crash ledger, asked about the actions of one session.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/crash_ledger.h"
#include "env/session.h"

namespace ordo::env {

// As what the death of a worker in a measurement is entered in the ledger.
std::string measuring(std::string_view metric);

// One thread at a time. What it is made of must outlive it.
class Caution {
 public:
  Caution(const CrashLedger& ledger, const SessionSpec& spec) : ledger_(ledger), spec_(spec) {}

  // The action of that index, kPipe too.
  const Action& meaning(ActionIndex action) const;

  // How many of the first `actions` are known to kill in no state: the next has to be looked up in its own.
  std::size_t harmless(std::span<const ActionIndex> actions) const;
  bool killsIn(const Hash128& state, ActionIndex action) const;

  // The same of a metric.
  bool mayKill(std::string_view metric) const { return ledger_.mentions(measuring(metric)); }
  bool killsIn(const Hash128& state, std::string_view metric) const {
    return ledger_.contains(state, measuring(metric));
  }

  // Whether anything that `request` does is known to kill in some state.
  bool neededFor(const StepRequest& request) const;

  // Whether any action of the session is; then, and only then, masks depend on the state.
  bool masksAny();
  // Takes out of `legal`, which is empty where everything is legal, what kills in `state`.
  void mask(const Hash128& state, std::vector<std::uint8_t>& legal);

 private:
  void look();

  const CrashLedger& ledger_;
  const SessionSpec& spec_;
  std::vector<ActionIndex> mentioned_;  // of the session's actions, as of `known_`
  std::size_t known_ = 0;               // CrashLedger::actions() then
};

}  // namespace ordo::env
