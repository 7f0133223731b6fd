// What a measurement asks of the world: to run one of three programs and say what that took. The real one is
// rig.h; tests have one of random numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/error.h"

namespace ordo::timing {

// Who runs. The twin is a copy of the baseline: what is seen between these two is what the machine makes up.
enum class Arm : std::uint8_t { kBaseline, kCandidate, kTwin };
inline constexpr std::size_t kArms = 3;

// What is compared. Processor time is user and system time together: the kernel knows the sum to the
// nanosecond, and divides it by samples.
enum class Quantity : std::uint8_t { kCpu, kUser, kWall, kCycles, kInstructions };

// "cpu", "user", "wall", "cycles", "instructions"
std::string_view name(Quantity quantity);
// kInvalidArgument that suggests the nearest name.
Result<Quantity> parseQuantity(std::string_view name);

// One run of a program on all its inputs.
struct Reading {
  double cpu_s = 0, user_s = 0, wall_s = 0;
  std::optional<double> cycles, instructions;  // in user mode; absent where the machine does not count
  double switches = 0;                         // times the processor was taken from it
  std::string failure;                         // what it did wrong, or ""

  // Nothing if it was not counted.
  std::optional<double> of(Quantity quantity) const;
};

// One thread at a time.
class Runner {
 public:
  virtual ~Runner() = default;
  // An error is ours; a program that fails is a reading.
  virtual Result<Reading> run(Arm arm) = 0;
  // Which share of the processor's time went to others, or was stolen by a host, since the last call: 0 to 1.
  virtual double othersShare() = 0;
  // Why there are no cycles and instructions, or "".
  virtual std::string countersProblem() const = 0;
};

}  // namespace ordo::timing
