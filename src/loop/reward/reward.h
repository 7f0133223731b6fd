// What a canary was worth: a pure function of the windows that were stored. The same windows and options give
// the same reward, bit for bit, whoever computes it and however often.
//
// Of each window, log(control's quantile / canary's): above 0 the canary is faster, and what hits both
// cancels. A verdict comes from intervals that hold at every look (sequence.h). A window with a gap is no
// evidence and no reward; the service level objective is no part of the reward but a constraint: what the
// canary violates beyond what control does in the same window spends the error budget.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loop/reward/sequence.h"
#include "loop/reward/window.h"
#include "support/hash.h"

namespace ordo::loop {

struct RewardOptions {
  double quantile = 0.95;               // what is rewarded
  double tail = 0.99;                   // what must not get worse
  double slo_s = 0.1;                   // a request should take no longer
  double least_effect = 0.01;           // a promotion is of more than this share, and so is a rejection
  double most_tail_loss = 0.05;         // how much longer the tail may be
  double most_excess = 0.002;           // share of requests that may violate the objective beyond control's
  double alpha = 0.01;                  // chance of a false verdict, both sides, over all looks
  std::uint64_t fewest_requests = 100;  // of an arm in a window
  std::size_t horizon = 400;            // windows, after which it is inconclusive
  double most_gaps = 0.5;               // share of windows; void beyond it
  bool answers = false;                 // they are compared, and have to be right for a promotion
  double most_wrong = 0.001;            // share of answers that may be wrong, unseen
};

enum class Verdict : std::uint8_t { kPending, kPromote, kReject, kInconclusive, kVoid };

// "pending", "promote", "reject", "inconclusive", "void"
std::string_view name(Verdict verdict);
std::optional<Verdict> verdictOf(std::string_view name);

struct Reward {
  Verdict verdict = Verdict::kPending;
  std::string why;    // one sentence with the numbers that decided
  bool harm = false;  // rejected for what failed, or was answered wrongly, and not for being slow
  std::optional<double> value, error;  // log-ratio and its standard error; nothing if nothing is known
  std::optional<Bounds> speed, tail;   // log-ratios; above 0 the canary is faster
  std::optional<Bounds> excess;        // share of requests
  std::optional<Bounds> left;          // share of clients that left, if any did
  std::uint64_t clients_left = 0;      // of both arms
  std::optional<Bounds> wrong;         // share of answers that it alone gives, beyond control's; if compared
  std::uint64_t compared = 0, canary_odd = 0, control_odd = 0;  // answers, with those asked again
  std::size_t windows = 0, used = 0;
  std::size_t batch = 0;   // windows of a batch
  double correlation = 0;  // of neighbouring batches
  std::uint64_t control_requests = 0, canary_requests = 0;
  double spent = 0;  // requests of the canary that violate the objective beyond control's
  std::optional<double> control_slo, canary_slo;  // log(objective / quantile), for the record
  Hash128 inputs;                                 // of windows and options
};

// Rewards are cut here: nothing a compiler does is worth more, and one wrong number must not lead a policy
// away.
inline constexpr double kMostReward = 0.6931471805599453;  // log 2

// Why `window` is no evidence, or "".
std::string problemOf(const Window& window, const RewardOptions& options);

// Requests of the canary that violated the objective in `window` beyond the share of control's, by time or by
// error; negative if they were fewer.
double excessOf(const Window& window, const RewardOptions& options);

// `final`: there will be no more windows, so that pending becomes inconclusive.
Reward computeReward(std::span<const Window> windows, const RewardOptions& options, bool final = false);

// kInvalidArgument, with the option, if they make no sense.
Status check(const RewardOptions& options);

// What is known of the canary's answers, in a line.
std::string answersOf(const Reward& reward);

// Several lines for people, and everything for machines.
std::string toText(const Reward& reward);
Json toJson(const Reward& reward);
Json toJson(const RewardOptions& options);

}  // namespace ordo::loop
