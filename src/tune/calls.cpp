// What a call promises was measured: 27 modules of the dataset's part for training, of which each call was
// decided both ways in front of clang's -Oz pipeline. Most decisions change nothing, for LLVM's inliner does
// the same by itself, and most that change something cost bytes. What is left are a few kinds of calls, by
// who else may call the function and how often, and by its size.
#include "tune/calls.h"

#include <algorithm>
#include <array>
#include <span>

#include "engine/objective.h"
#include "engine/reach.h"
#include "env/metric.h"
#include "env/preference.h"
#include "notation/action.h"

namespace ordo::tune {
namespace {

constexpr std::string_view kCalls = "calls";

// Of the observation `calls`.
enum Column : std::size_t { kInstructions = 2, kCallsOfIt = 3, kLinkage = 4 };
enum Linkage : std::int64_t { kAnybody = 0, kShared = 1, kNobody = 2 };

// Bytes that a decision saves on the mean, where it was measured to save anything worth a try. That calls are
// inlined from 15 instructions and not from 20, which those modules say, is by one of validation.
struct Promise {
  Linkage linkage;
  bool only_call;            // there is no other of that function
  std::int64_t least, most;  // instructions that it has
  const char* way;
  double bytes;
};
constexpr std::array kPromises = {
    Promise{kNobody, true, 15, 80, "alwaysinline", 21},
    Promise{kShared, true, 40, 80, "noinline", 16},
    Promise{kShared, true, 15, 80, "alwaysinline", 14},
    Promise{kAnybody, true, 5, 20, "noinline", 9},
    Promise{kAnybody, true, 80, 400, "alwaysinline", 6},
    Promise{kNobody, true, 10, 80, "noinline", 3},
    Promise{kNobody, false, 20, 80, "alwaysinline", 2.4},
    Promise{kShared, false, 20, 40, "alwaysinline", 2.4},
    Promise{kAnybody, false, 5, 10, "noinline", 2},
    Promise{kNobody, false, 80, 400, "noinline", 0.8},
    Promise{kShared, true, 5, 20, "noinline", 0.5},
    Promise{kShared, false, 5, 10, "noinline", 0.4},
};

struct Candidate {
  std::size_t call = 0;
  const Promise* promise = nullptr;
};

}  // namespace

bool decidesCalls(const env::BackendInfo& backend, std::string_view objective) {
  if (std::ranges::find(backend.observations, kCalls, &env::ObservationInfo::name) ==
      backend.observations.end())
    return false;
  const auto preference = env::parsePreference(std::string(objective));
  return preference && std::ranges::none_of(preference->parts, [](const env::Preference::Part& part) {
           return part.metric == env::kCompileMs || env::isExperiment(part.metric);
         });
}

Result<std::vector<search::Decisions>> addCalls(engine::Engine& engine, const engine::Input& input,
                                                env::SessionSpec& spec) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, engine::walk(engine, input, spec.program, {}));
  ORDO_TRY_ASSIGN(const env::Observation observed, session->observe(std::string(kCalls)));
  ORDO_CHECK(observed.shape.size() == 2, "calls are a matrix");
  const std::size_t columns = observed.shape[1];
  const std::span<const std::int64_t> rows = observed.int64s();
  std::vector<Candidate> candidates;
  for (std::size_t call = 0; call < observed.shape[0]; ++call) {
    const std::span<const std::int64_t> row = rows.subspan(call * columns, columns);
    for (const Promise& promise : kPromises) {
      const bool fits = row[kLinkage] == promise.linkage && (row[kCallsOfIt] == 1) == promise.only_call &&
                        row[kInstructions] >= promise.least && row[kInstructions] < promise.most;
      if (fits) candidates.push_back({call, &promise});
    }
  }
  std::ranges::sort(candidates, {},
                    [](const Candidate& one) { return std::pair(-one.promise->bytes, one.call); });
  std::vector<search::Decisions> decisions;
  for (const Candidate& candidate : candidates) {
    const std::string text = fmt::format("ordo-call<{};{}>", candidate.call, candidate.promise->way);
    decisions.push_back({static_cast<env::ActionIndex>(spec.actions.size())});
    spec.actions.push_back({text, notation::kPipeline, text});
  }
  return decisions;
}

}  // namespace ordo::tune
