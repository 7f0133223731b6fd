// All that a loop knows, in an SQLite file or in PostgreSQL (docs/formats/loop-store.md). Whatever ends the
// process, a step is there whole or not at all, and what is recorded is all there is: a controller that
// begins reads its world from here and from the balancer.
//
// Every change of a controller says which lease it holds, and is refused if that is not the store's any more:
// of two controllers at most one can act.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "loop/reward/reward.h"
#include "loop/safety/governor.h"
#include "loop/store/experiment.h"
#include "loop/store/option.h"
#include "loop/store/sql.h"

namespace ordo::loop {

struct Transition {
  std::string experiment;
  std::int64_t number = 0;
  State from = State::kProposed, to = State::kProposed;
  std::string cause;
  double at_s = 0;
};

struct StoredReward {
  std::string experiment = {}, candidate = {}, baseline = {}, toolchain = {};
  double probability = 1;
  Outcome outcome = Outcome::kVoid;
  std::optional<double> value = {}, error = {};  // nothing: nothing is known
  bool censored = false;                         // a penalty for harm, not a measurement
  std::optional<double> staged = {};
  Verdict verdict = Verdict::kVoid;
  std::string why = {};
  double computed_s = 0;
  bool forgiven = false;  // since: what it came to, but for a measurement, is held against it no more
};

// What people ask of a controller, by the command line.
enum class Wish : std::uint8_t { kRun, kPause, kAbort };

// One connection, one thread at a time; any number of processes.
class Store {
 public:
  // Of a file, or an address of PostgreSQL (sql.h); makes it if `create`. kNotFound, kCorrupt if it is no
  // store, kUnsupported if it is of a newer Ordo; errors as of openSql().
  static Result<Store> open(const std::string& where, bool create = false);

  // Takes the lease, or keeps it, until now_s + seconds. kUnavailable if another holds one that has not run
  // out.
  Status lease(const std::string& holder, double now_s, double seconds);
  // Gives it back.
  Status release(const std::string& holder);
  // When the lease runs out, 0 if nobody has one.
  Result<double> leasedUntil() const;
  // Whether somebody else has one that has not run out.
  Result<bool> leasedToAnother(const std::string& holder, double now_s) const;

  // The one that is not closed.
  Result<std::optional<Experiment>> current() const;
  Result<Experiment> experiment(const std::string& id) const;
  Result<std::vector<Experiment>> experiments() const;  // oldest first

  // `holder` must have the lease (kUnavailable otherwise) for all that follow.
  // With all that could have been chosen for it. kUnavailable if another is open.
  Status add(const std::string& holder, const Experiment& experiment, const std::vector<Option>& among = {});
  // Records `experiment` with its new state, and the transition, if the stored state is still `from`; else
  // kInternal.
  Status advance(const std::string& holder, State from, const Experiment& experiment, double now_s);
  // A window that is there already, by its beginning, is left as it is.
  Status addWindow(const std::string& holder, const std::string& experiment, const Window& window);
  // The first reward of an experiment stays: kInvalidArgument if it is no number that a reward can be.
  Status addReward(const std::string& holder, const std::string& experiment, const Reward& reward,
                   bool censored, double now_s);
  Status spend(const std::string& holder, const Spending& spending);
  // What production is, and the mode of the governor.
  Status setProduction(const std::string& holder, const std::string& candidate, const std::string& artifact);
  Status setMode(const std::string& holder, Mode mode);

  Result<std::vector<Window>> windows(const std::string& experiment) const;
  Result<std::vector<Transition>> transitions(const std::string& experiment) const;
  Result<std::vector<StoredReward>> rewards() const;  // oldest first
  // By name; none for an experiment of an older Ordo.
  Result<std::vector<Option>> options(const std::string& experiment) const;
  Result<std::vector<Spending>> spending(double since_s) const;
  Result<std::string> production() const;          // a candidate, "" at first
  Result<std::string> productionArtifact() const;  // "" at first
  Result<Mode> mode() const;

  Result<Wish> wish() const;
  // A pause stays where it is asked for an abort: it withdraws the canary as well.
  Status setWish(Wish wish);
  // What came of this candidate until now is held against it no more.
  Status forgive(const std::string& candidate, double now_s);
  // It was done as wished: forgets that, unless people have wished for something else since.
  Status grant(Wish wish);

 private:
  explicit Store(std::unique_ptr<Sql> sql) : sql_(std::move(sql)) {}
  Status set(const char* key, std::string_view value);
  Result<std::string> get(const char* key) const;
  template <typename Change>
  Status held(const std::string& holder, Change change);

  std::unique_ptr<Sql> sql_;
  bool has_options_ = true;  // not in a store of an older Ordo that is only looked at
};

}  // namespace ordo::loop
