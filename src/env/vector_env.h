// Many episodes at once, stepped by one thread while their sessions work in processes of their own.
//
// step() is send() and recv() for all environments. With a batch smaller than the number of environments
// recv() returns the first that are ready, which pays because the times of compiler passes differ a
// hundredfold (EnvPool's asynchronous mode). Results are written into arrays that the caller owns.
//
// Episodes of one environment depend on the seed, on its number and on the actions it gets, never on how
// many others there are or on who is ready first.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "env/episode.h"
#include "support/rng.h"

namespace ordo::env {

// Where programs come from. One thread at a time.
class ProgramSource {
 public:
  virtual ~ProgramSource() = default;
  // A program with the values that the environment's reward and sensors need.
  virtual Result<std::shared_ptr<const EpisodeProgram>> load(const std::string& uri) = 0;
};

// What happens after the last step of an episode (Gymnasium's AutoresetMode).
enum class Autoreset : std::uint8_t {
  kNextStep,  // the next step ignores its action, earns nothing and returns the first observation
  kSameStep,  // the last step already returns the first observation of the next episode
  kDisabled,  // the caller resets
};

enum class ProgramOrder : std::uint8_t { kRandom, kCycle };

struct VectorSpec {
  std::uint32_t environments = 1;
  std::uint32_t batch = 0;  // how many recv() returns; 0: all
  std::uint64_t seed = 0;
  Autoreset autoreset = Autoreset::kNextStep;
  std::vector<std::string> programs = {};
  // Random: each episode draws one. Cycle: environment i begins with program i and goes on in steps of
  // `environments`.
  ProgramOrder order = ProgramOrder::kRandom;
};

// Arrays of one batch, row by row; the caller's. A null pointer is not filled.
struct Batch {
  std::vector<std::byte*> observations;        // one array per sensor: rows of Sensor::bytes()
  std::vector<std::byte*> final_observations;  // the same, of episodes that ended; only with kSameStep
  std::uint8_t* masks = nullptr;               // rows of EpisodeSpec::choices()
  std::int32_t* environments = nullptr;        // whose row it is
  double* rewards = nullptr;
  std::uint8_t* terminated = nullptr;
  std::uint8_t* truncated = nullptr;
  // Of the step, also where the row's observation is that of the next episode already:
  std::uint8_t* status = nullptr;  // StepStatus
  std::uint8_t* ending = nullptr;  // Ending
  std::uint8_t* changed = nullptr;
  std::int64_t* steps = nullptr;     // of the episode so far
  double* metric = nullptr;          // EpisodeStep::metric
  double* seconds = nullptr;         // EpisodeStep::seconds
  double* returns = nullptr;         // sum of the episode's rewards so far
  std::int64_t* programs = nullptr;  // index into VectorSpec::programs
};

// A program that was left out, because it cannot be compiled here or has no such reward.
struct SkippedProgram {
  std::string uri;
  std::string reason;
};

class VectorEnv {
 public:
  // `source` outlives it. kInvalidArgument if there are no programs, or if a sensor has no fixed size.
  static Result<std::unique_ptr<VectorEnv>> create(std::shared_ptr<const EpisodeSpec> episodes,
                                                   VectorSpec spec, ProgramSource* source);

  const EpisodeSpec& episodes() const { return *episodes_; }
  const VectorSpec& spec() const { return spec_; }

  // Begins a new episode in each environment of `which`, or in all if it is empty. With a seed the
  // choice of programs starts anew: environment i draws from stream i of it, and no environment remembers
  // from earlier episodes what does nothing where.
  Status reset(std::span<const std::uint32_t> which = {}, std::optional<std::uint64_t> seed = {});

  // Begins a step in each of `environments` (in all, in order, if empty). REQUIRES: one action for each;
  // none of them is under way. kInvalidArgument for an action that does not exist.
  Status send(std::span<const std::int64_t> actions, std::span<const std::int32_t> environments = {});

  // Waits for spec().batch environments, or for as many as are under way if those are fewer, and writes
  // their rows; in the order of their numbers if all were waited for. Returns how many there are. `idle` is
  // called several times a second while nothing is ready, and ends the wait if it returns false (for
  // Ctrl-C); the result is 0 then.
  Result<std::uint32_t> recv(const Batch& batch, const std::function<bool()>& idle = {});

  std::uint32_t underWay() const;
  Episode& episode(std::uint32_t environment) { return *slots_[environment].episode; }
  const std::vector<SkippedProgram>& skipped() const { return skipped_; }

 private:
  struct Slot {
    std::unique_ptr<Episode> episode;
    Rng rng{0};
    std::uint64_t drawn = 0;    // programs so far
    std::int64_t program = -1;  // index of the current one
    bool busy = false;          // begun, not finished
    bool finished = false;      // finished, not delivered: in finished_
    bool fresh = false;         // the step is a reset
    EpisodeStep step;           // what to deliver
    double total = 0;           // what to deliver with it
    std::int64_t steps = 0;
    std::uint64_t sent = 0;  // the send() that named it last
    bool has_final = false;  // kSameStep: the step ended an episode
    std::vector<std::vector<std::byte>> final_observations;
  };

  VectorEnv(std::shared_ptr<const EpisodeSpec> episodes, VectorSpec spec, ProgramSource* source);

  void reseed(std::uint64_t seed);
  Status beginReset(Slot& slot);
  Status finish(Slot& slot);
  Status finishReady();
  void write(std::uint32_t environment, std::uint32_t row, const Batch& batch);

  std::shared_ptr<const EpisodeSpec> episodes_;
  VectorSpec spec_;
  ProgramSource* source_;
  std::vector<Slot> slots_;
  std::uint64_t sends_ = 0;
  std::vector<std::uint32_t> finished_;  // environments, first come first served
  std::vector<SkippedProgram> skipped_;
};

}  // namespace ordo::env
