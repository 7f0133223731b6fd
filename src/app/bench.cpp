#include "app/bench.h"

#include <algorithm>

#include "app/reach.h"
#include "app/stock.h"
#include "timing/image.h"

namespace ordo::app {
namespace fs = std::filesystem;

Bench::Bench(Engine& engine, const Input& input, const env::SessionSpec& spec, env::ActionIndex baseline,
             std::vector<timing::Input> inputs, timing::RigOptions rig_options, std::uint64_t seed,
             TempDir dir)
    : engine_(engine),
      input_(input),
      spec_(spec),
      baseline_{baseline},
      inputs_(std::move(inputs)),
      rig_options_(std::move(rig_options)),
      rng_(seed),
      dir_(std::move(dir)) {}

Status Bench::prepare() {
  ORDO_TRY_ASSIGN(const Build built, build(baseline_, "baseline", 0));
  baseline_loaded_ = built.loaded;
  ORDO_TRY_ASSIGN(rig_, timing::Rig::create(built.executable, built.executable, inputs_, rig_options_));
  rig_options_.processor = rig_->processor();
  return {};
}

Result<bool> Bench::add(const search::Sequence& sequence) {
  Result<Build> built = build(sequence, fmt::format("candidate{}", built_++), 0);
  if (!built) {
    const ErrorCode code = built.error().code;
    const bool is_its_own = code == ErrorCode::kInternal || code == ErrorCode::kInvalidArgument;
    return is_its_own ? Result<bool>(false) : fail(std::move(built).error());
  }
  const auto same = [&](const Entry& entry) { return entry.build.loaded == built->loaded; };
  const bool is_new = built->loaded != baseline_loaded_ && std::ranges::none_of(entries_, same);
  if (is_new) entries_.push_back({sequence, *std::move(built)});
  return is_new;
}

void Bench::keep(std::span<const std::size_t> candidates) {
  std::vector<Entry> kept;
  for (const std::size_t candidate : candidates) kept.push_back(entries_[candidate]);
  entries_ = std::move(kept);
}

Result<timing::Runner*> Bench::rebuild(std::size_t candidate) {
  // Code starts at multiples of 16 bytes in any case, and what matters lies within a page.
  const std::size_t shift = 16 * rng_.between(1, 255);
  ORDO_TRY_ASSIGN(const Build baseline, build(baseline_, "baseline-anew", shift));
  ORDO_TRY_ASSIGN(const Build built, build(entries_[candidate].sequence, "candidate-anew", shift));
  // Should a pass depend on addresses, what won was luck; this is what the result would be.
  entries_[candidate].build.hash = built.hash;
  ORDO_TRY_ASSIGN(rebuilt_,
                  timing::Rig::create(baseline.executable, baseline.executable, inputs_, rig_options_));
  ORDO_TRY(rebuilt_->enter(built.executable));
  return rebuilt_.get();
}

Result<Bench::Build> Bench::build(const search::Sequence& sequence, std::string_view name,
                                  std::size_t shift) {
  std::vector<env::Action> actions;
  for (const env::ActionIndex action : sequence) actions.push_back(spec_.actions[action]);
  ORDO_TRY_ASSIGN(const State state, reach(engine_, input_, spec_.program, actions));
  ORDO_TRY_ASSIGN(const std::string object, frontend::emitObject(state.bitcode, input_.baseline.level,
                                                                 emissionSource(input_.source, actions)));
  const fs::path out = dir_.path() / name;
  ORDO_TRY(frontend::linkExecutable(object, input_.source, input_.program.ldflags, out, shift));
  ORDO_TRY_ASSIGN(const std::string bytes, readFile(out));
  return Build{out, state.hash, timing::loadedHash(bytes)};
}

}  // namespace ordo::app
