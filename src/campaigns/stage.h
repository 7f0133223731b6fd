// Where policies practise: many episodes at a time on training programs, each processor with a zygote of its
// own.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "policy/policy.h"
#include "policy/trajectory.h"
#include "study/runner.h"
#include "support/error.h"
#include "support/team.h"

namespace ordo::campaigns {

struct StageOptions {
  unsigned jobs = 1;                        // episodes at a time
  std::size_t max_actions = 24;             // of an episode
  std::size_t max_length = 60;              // of what the policy takes for the longest episode
  const std::atomic<bool>* stop = nullptr;  // may be null
};

// Episodes of one program.
struct Exercise {
  std::string uri;
  std::string objective;  // or several (env/preference.h)
  std::size_t episodes = 1;
  double temperature = 1;  // of each choice; 0 takes the likeliest
  std::uint64_t seed = 0;  // of all chance
  // What the policy is told: each is to be the only answer (policy::Situation). Then it goes on from the
  // first sequence of the coreset, as in a search, if the host knows any.
  bool only = false;
  // What somebody proposes, by the names of actions: the first episode begins with the first of these, and so
  // on, and then the policy takes over. An episode without one, or with an empty one, begins as `only` says.
  std::vector<std::vector<std::string>> openings = {};
};

// One thread at a time. Programs stay, made ready, from their first exercise on: about as much memory as
// their bitcode.
class Stage {
 public:
  // `host` must outlive it.
  Stage(study::Host& host, const StageOptions& options)
      : host_(host), options_(options), team_(options.jobs), sites_(options.jobs) {}

  // The groups of the exercises, in their order; what they are follows from policy and exercise. A program
  // that is to blame has no episodes, but a problem. kDeadlineExceeded once the stop flag is up; otherwise
  // the first error that no program is to blame for.
  Result<std::vector<policy::TrajectoryGroup>> play(const std::shared_ptr<const policy::Policy>& policy,
                                                    const std::vector<Exercise>& exercises);

  // Calls `work` once for each program, on as many threads as there are jobs, with a site of its own and the
  // program made ready, or why it is not to be had. The first error that `work` returns ends it.
  using Work =
      std::function<Status(std::size_t index, study::Site& site, Result<const study::Subject*> subject)>;
  Status forEach(const std::vector<std::string>& uris, const Work& work);

  // How many instructions each program has as given; nothing for one that is not to be had. Makes all ready.
  Result<std::vector<std::optional<double>>> instructions(const std::vector<std::string>& uris);

 private:
  // A program, made ready by whoever needs it first.
  struct Shelf {
    std::mutex mutex;
    std::optional<Result<study::Subject>> subject;
  };

  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }
  Result<const study::Subject*> subject(const std::string& uri);
  Status playGroup(study::Site& site, const study::Subject& subject,
                   const std::shared_ptr<const policy::Policy>& policy, const Exercise& exercise,
                   policy::TrajectoryGroup& group);

  study::Host& host_;
  const StageOptions options_;
  Team team_;
  std::vector<std::unique_ptr<study::Site>> sites_;  // by member of the team
  std::mutex mutex_;
  std::map<std::string, Shelf> shelves_;
};

}  // namespace ordo::campaigns
