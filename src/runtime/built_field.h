// Programs around one baseline, made by the input's toolchain and ready to run: the field of a race in the
// real world.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/input.h"
#include "env/session.h"
#include "runtime/immediate.h"
#include "search/evaluation/evaluation.h"
#include "support/error.h"
#include "support/files.h"
#include "support/rng.h"
#include "timing/field_experiment.h"
#include "timing/race.h"
#include "timing/rig.h"

namespace ordo::runtime {

// What it is made of must outlive it.
class BuiltField final : public timing::Field {
 public:
  // `seed` is of layouts; `spec` may get more actions.
  BuiltField(engine::Engine& engine, const engine::Input& input, const env::SessionSpec& spec,
             env::ActionIndex baseline, std::vector<timing::Input> inputs, timing::RigOptions rig_options,
             std::uint64_t seed, TempDir dir)
      : engine_(engine),
        input_(input),
        spec_(spec),
        baseline_{baseline},
        inputs_(std::move(inputs)),
        rig_options_(std::move(rig_options)),
        rng_(seed),
        dir_(std::move(dir)) {}

  // Builds and runs the baseline; before all else. Errors as of timing::Rig::create().
  Status prepare();

  // Builds another candidate, unless what is loaded of it is loaded of one that is there.
  Result<Added> add(const search::Sequence& sequence);

  // What the program writes to the file `name` when it runs on the first input, made of this `bitcode` and
  // linked with these flags too; nothing if it writes none, or does something else than the baseline. Before
  // the first candidate.
  Result<std::optional<std::string>> written(std::string_view bitcode,
                                             const std::vector<std::string>& ldflags,
                                             const std::string& name);

  // Leaves only these candidates, in this order; their numbers change.
  void keep(std::span<const std::size_t> candidates);

  const search::Sequence& sequence(std::size_t candidate) const { return entries_[candidate].sequence; }
  // Of its IR, as it was built last.
  const Hash128& hash(std::size_t candidate) const { return entries_[candidate].build.hash; }

  std::size_t size() const override { return entries_.size(); }
  timing::Runner& runner() override { return *rig_; }
  Status enter(std::size_t candidate) override { return rig_->enter(entries_[candidate].build.executable); }
  Result<timing::Runner*> rebuild(std::size_t candidate) override;
  // That stock tools make another program: passes that keep analyses from one to the next may do so.
  Result<std::string> problemOf(std::size_t candidate) override;

 private:
  struct Build {
    std::filesystem::path executable;
    Hash128 hash;  // of its IR
  };
  struct Entry {
    search::Sequence sequence;
    Hash128 code;  // what is loaded of it
    Build build;
  };

  std::vector<env::Action> named(const search::Sequence& sequence) const;
  Result<Build> build(const search::Sequence& sequence, std::string_view name, std::size_t shift);
  // With the choices of the code generator among `actions`.
  Result<std::filesystem::path> link(std::string_view bitcode, const std::vector<env::Action>& actions,
                                     const std::vector<std::string>& ldflags, std::string_view name,
                                     std::size_t shift) const;

  engine::Engine& engine_;
  const engine::Input& input_;
  const env::SessionSpec& spec_;
  const search::Sequence baseline_;
  const std::vector<timing::Input> inputs_;
  timing::RigOptions rig_options_;
  Rng rng_;
  TempDir dir_;
  std::unique_ptr<timing::Rig> rig_, rebuilt_;
  Hash128 baseline_code_;
  std::map<Hash128, std::size_t> codes_;  // of the candidates
  std::size_t built_ = 0;                 // for their names
  std::vector<Entry> entries_;
};

}  // namespace ordo::runtime
