#include "runtime/loops.h"

#include <algorithm>
#include <bit>

#include "engine/reach.h"
#include "notation/action.h"

namespace ordo::runtime {
namespace {

constexpr unsigned kWidths = std::bit_width(kWidest), kInterleaves = std::bit_width(kMostInterleaved);
constexpr unsigned kWaysOfLoop = kWidths * kInterleaves + std::bit_width(kMostUnrolled);

}  // namespace

std::optional<OpenPipeline> openAtLoops(std::string_view text) {
  constexpr std::string_view kAlias = "default<";
  const std::size_t begin = text.find(kAlias), end = text.find('>', begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) return std::nullopt;
  const std::string_view level = text.substr(begin + kAlias.size(), end - begin - kAlias.size());
  const auto second = [&](std::string_view options) {
    return fmt::format("ordo-optimization<{}{}>,function(annotation-remarks){}", level, options,
                       text.substr(end + 1));
  };
  return OpenPipeline{
      fmt::format("{}annotation2metadata,forceattrs,ordo-simplification<{}>", text.substr(0, begin), level),
      second(""), second(";no-slp")};
}

Result<std::optional<LoopActions>> LoopActions::add(engine::Engine& engine, const engine::Input& input,
                                                    env::SessionSpec& spec, env::ActionIndex baseline,
                                                    search::Sequence prefix,
                                                    std::optional<env::ActionIndex> second) {
  const env::Action& whole = spec.actions[baseline];
  const std::optional<OpenPipeline> parts = openAtLoops(whole.text);
  if (!parts) return std::nullopt;
  const env::Action before{whole.name + "-before-loops", notation::kPipeline, parts->before};
  const env::Action after{whole.name + "-from-loops", notation::kPipeline, parts->after};
  std::vector<env::Action> way;
  for (const env::ActionIndex action : prefix) way.push_back(spec.actions[action]);
  way.push_back(before);
  const Result<std::unique_ptr<env::Session>> session = engine::walk(engine, input, spec.program, way);
  // A program that this half fails on has the baseline still.
  if (!session && session.error().code == ErrorCode::kInternal) return std::nullopt;
  if (!session) return fail(session.error());
  ORDO_TRY_ASSIGN(const env::Observation observed, (*session)->observe("loops"));
  ORDO_CHECK(observed.shape.size() == 2, "loops are a matrix");
  const std::size_t count = observed.shape[0], columns = observed.shape[1];
  if (count == 0) return std::nullopt;

  LoopActions actions;
  actions.prefix_ = std::move(prefix);
  const std::span<const std::int64_t> rows = observed.int64s();
  for (std::size_t loop = 0; loop < count; ++loop) actions.loops_.push_back(loop);
  std::ranges::sort(actions.loops_, [&](std::size_t a, std::size_t b) {
    return std::pair(rows[b * columns], a) < std::pair(rows[a * columns], b);
  });
  actions.before_ = find(spec, before);
  actions.after_ = second ? *second : find(spec, after);
  actions.first_ = static_cast<env::ActionIndex>(spec.actions.size());
  for (std::size_t loop = 0; loop < count; ++loop) {
    const auto offer = [&](const std::string& text) {
      spec.actions.push_back({text, notation::kPipeline, text});
    };
    for (unsigned width = 1; width <= kWidest; width *= 2) {
      for (unsigned interleave = 1; interleave <= kMostInterleaved; interleave *= 2)
        offer(fmt::format("ordo-loop<{};width={};interleave={}>", loop, width, interleave));
    }
    for (unsigned times = 1; times <= kMostUnrolled; times *= 2)
      offer(fmt::format("ordo-loop<{};unroll={}>", loop, times));
  }
  return actions;
}

Decision LoopActions::decision(std::size_t loop, unsigned width, unsigned interleave) const {
  const auto place = static_cast<std::size_t>(std::countr_zero(width)) * kInterleaves +
                     static_cast<std::size_t>(std::countr_zero(interleave));
  return {loop, first_ + static_cast<env::ActionIndex>(loop * kWaysOfLoop + place)};
}

Decision LoopActions::unrolled(std::size_t loop, unsigned count) const {
  const auto place = static_cast<std::size_t>(std::countr_zero(count)) + kWidths * kInterleaves;
  return {loop, first_ + static_cast<env::ActionIndex>(loop * kWaysOfLoop + place)};
}

std::vector<Decision> LoopActions::probes(std::size_t loop) const {
  return {decision(loop, 1, 1), decision(loop, 4, 2), unrolled(loop, 4)};
}

std::vector<Decision> LoopActions::ways(std::size_t loop) const {
  std::vector<Decision> all;
  const env::ActionIndex first = decision(loop, 1, 1).action;
  for (env::ActionIndex i = 0; i < kWaysOfLoop; ++i) all.push_back({loop, first + i});
  return all;
}

search::Sequence LoopActions::with(const std::vector<Decision>& decisions) const {
  search::Sequence sequence = prefix_;
  sequence.push_back(before_);
  for (const Decision& decision : standing(decisions)) sequence.push_back(decision.action);
  sequence.push_back(after_);
  return sequence;
}

}  // namespace ordo::runtime
