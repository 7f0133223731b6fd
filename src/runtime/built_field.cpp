#include "runtime/built_field.h"

#include "engine/reach.h"
#include "timing/image.h"

namespace ordo::runtime {
namespace {

Result<Hash128> codeOf(const std::filesystem::path& executable) {
  ORDO_TRY_ASSIGN(const std::string bytes, readFile(executable));
  return timing::loadedHash(bytes);
}

// Whether a build that failed so is the fault of what was to be built.
bool isItsOwn(ErrorCode code) { return code == ErrorCode::kInternal || code == ErrorCode::kInvalidArgument; }

}  // namespace

Status BuiltField::prepare() {
  ORDO_TRY_ASSIGN(const Build built, build(baseline_, "baseline", 0));
  ORDO_TRY_ASSIGN(baseline_code_, codeOf(built.executable));
  ORDO_TRY_ASSIGN(rig_, timing::Rig::create(built.executable, built.executable, inputs_, rig_options_));
  rig_options_.processor = rig_->processor();
  return {};
}

Result<Added> BuiltField::add(const search::Sequence& sequence) {
  Result<Build> built = build(sequence, fmt::format("candidate{}", built_++), 0);
  if (!built) {
    return isItsOwn(built.error().code) ? Result<Added>(Added{}) : fail(std::move(built).error());
  }
  ORDO_TRY_ASSIGN(const Hash128 code, codeOf(built->executable));
  if (code == baseline_code_) return Added{Added::Code::kBaselines, 0};
  const auto [known, is_new] = codes_.try_emplace(code, entries_.size());
  if (is_new) entries_.push_back({sequence, code, *std::move(built)});
  return Added{is_new ? Added::Code::kNew : Added::Code::kKnown, known->second};
}

Result<std::optional<std::string>> BuiltField::written(std::string_view bitcode,
                                                       const std::vector<std::string>& ldflags,
                                                       const std::string& name) {
  const Result<std::filesystem::path> executable = link(bitcode, {}, ldflags, "watched", 0);
  if (!executable) {
    if (isItsOwn(executable.error().code)) return std::nullopt;
    return fail(executable.error());
  }
  const std::filesystem::path copy = dir_.path() / "written";
  ORDO_TRY_ASSIGN(const bool there, rig_->copyWritten(*executable, name, copy));
  if (!there) return std::nullopt;
  ORDO_TRY_ASSIGN(std::string bytes, readFile(copy));
  return bytes;
}

void BuiltField::keep(std::span<const std::size_t> candidates) {
  std::vector<Entry> kept;
  for (const std::size_t candidate : candidates) kept.push_back(entries_[candidate]);
  entries_ = std::move(kept);
  codes_.clear();
  for (std::size_t i = 0; i < entries_.size(); ++i) codes_[entries_[i].code] = i;
}

Result<timing::Runner*> BuiltField::rebuild(std::size_t candidate) {
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

Result<std::string> BuiltField::problemOf(std::size_t candidate) {
  const Entry& entry = entries_[candidate];
  const auto proof =
      input_.toolchain->prove(engine_, input_, spec_.program, named(entry.sequence), entry.build.hash);
  return proof ? std::string() : proof.error().message;
}

std::vector<env::Action> BuiltField::named(const search::Sequence& sequence) const {
  std::vector<env::Action> actions;
  for (const env::ActionIndex action : sequence) actions.push_back(spec_.actions[action]);
  return actions;
}

Result<BuiltField::Build> BuiltField::build(const search::Sequence& sequence, std::string_view name,
                                            std::size_t shift) {
  const std::vector<env::Action> actions = named(sequence);
  ORDO_TRY_ASSIGN(const engine::State state, engine::reach(engine_, input_, spec_.program, actions));
  ORDO_TRY_ASSIGN(std::filesystem::path executable, link(state.bitcode, actions, {}, name, shift));
  return Build{std::move(executable), state.hash};
}

Result<std::filesystem::path> BuiltField::link(std::string_view bitcode,
                                               const std::vector<env::Action>& actions,
                                               const std::vector<std::string>& ldflags, std::string_view name,
                                               std::size_t shift) const {
  ORDO_TRY_ASSIGN(const std::string object, input_.toolchain->emit(input_, bitcode, actions));
  const std::filesystem::path out = dir_.path() / name;
  ORDO_TRY(input_.toolchain->link(input_, object, out, ldflags, shift));
  return out;
}

}  // namespace ordo::runtime
