#include "runtime/calls.h"

#include <algorithm>
#include <span>

#include "engine/reach.h"
#include "notation/action.h"

namespace ordo::runtime {
namespace {

constexpr const char* kWays[] = {"noinline", "alwaysinline"};

// The rows of the observation `calls` that promise most, best first.
std::vector<std::size_t> hottest(const env::Observation& observed) {
  ORDO_CHECK(observed.shape.size() == 2, "calls are a matrix");
  const std::size_t columns = observed.shape[1];
  const std::span<const std::int64_t> rows = observed.int64s();
  const auto count = [&](std::size_t call) { return rows[call * columns]; };
  const auto depth = [&](std::size_t call) { return rows[call * columns + 1]; };
  std::vector<std::size_t> calls;
  for (std::size_t call = 0; call < observed.shape[0]; ++call)
    if (count(call) != 0) calls.push_back(call);
  std::ranges::sort(calls, [&](std::size_t a, std::size_t b) {
    return std::tuple(count(b), depth(b), a) < std::tuple(count(a), depth(a), b);
  });
  calls.resize(std::min(calls.size(), kMostCalls));
  return calls;
}

}  // namespace

Result<std::optional<CallActions>> CallActions::add(engine::Engine& engine, const engine::Input& input,
                                                    env::SessionSpec& spec, env::ActionIndex baseline,
                                                    search::Sequence prefix) {
  std::vector<env::Action> way;
  for (const env::ActionIndex action : prefix) way.push_back(spec.actions[action]);
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session,
                  engine::walk(engine, input, spec.program, way));
  ORDO_TRY_ASSIGN(const env::Observation observed, session->observe("calls"));
  CallActions actions;
  actions.calls_ = hottest(observed);
  if (actions.calls_.empty()) return std::nullopt;
  actions.prefix_ = std::move(prefix);
  actions.baseline_ = baseline;
  actions.first_ = static_cast<env::ActionIndex>(spec.actions.size());
  for (const std::size_t call : actions.calls_) {
    for (const char* what : kWays) {
      const std::string text = fmt::format("ordo-call<{};{}>", call, what);
      spec.actions.push_back({text, notation::kPipeline, text});
    }
  }
  return actions;
}

std::vector<Decision> CallActions::ways(std::size_t call) const {
  const auto place = static_cast<env::ActionIndex>(std::ranges::find(calls_, call) - calls_.begin());
  ORDO_CHECK(place < calls_.size(), "call {} is none of those that can be decided", call);
  std::vector<Decision> all;
  for (env::ActionIndex i = 0; i < std::size(kWays); ++i)
    all.push_back({call, first_ + place * static_cast<env::ActionIndex>(std::size(kWays)) + i});
  return all;
}

search::Sequence CallActions::with(const std::vector<Decision>& decisions) const {
  search::Sequence sequence = prefix_;
  for (const Decision& decision : standing(decisions)) sequence.push_back(decision.action);
  sequence.push_back(baseline_);
  return sequence;
}

}  // namespace ordo::runtime
