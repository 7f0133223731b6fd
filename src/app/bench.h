// Programs around one baseline, built and ready to run: what a race and trials are about.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "app/engine.h"
#include "app/input.h"
#include "env/session.h"
#include "search/evaluation.h"
#include "support/error.h"
#include "support/files.h"
#include "support/rng.h"
#include "timing/rig.h"
#include "timing/selection.h"

namespace ordo::app {

class Bench final : public timing::Field {
 public:
  // `seed` is of the layouts of rebuild(). What is borrowed must outlive it; `spec` may get more actions.
  Bench(Engine& engine, const Input& input, const env::SessionSpec& spec, env::ActionIndex baseline,
        std::vector<timing::Input> inputs, timing::RigOptions rig_options, std::uint64_t seed, TempDir dir);

  // Builds and runs the baseline. First of all.
  Status prepare();

  // Builds a candidate, whose number is size() before. False if it has the code of the baseline or of another
  // that is here, or cannot be built after all.
  Result<bool> add(const search::Sequence& sequence);

  // Leaves only these candidates, in this order; their numbers change.
  void keep(std::span<const std::size_t> candidates);

  const search::Sequence& sequence(std::size_t candidate) const { return entries_[candidate].sequence; }
  // Of its IR, as it was built last.
  const Hash128& hash(std::size_t candidate) const { return entries_[candidate].build.hash; }

  std::size_t size() const override { return entries_.size(); }
  timing::Runner& runner() override { return *rig_; }
  Status enter(std::size_t candidate) override { return rig_->enter(entries_[candidate].build.executable); }
  Result<timing::Runner*> rebuild(std::size_t candidate) override;

 private:
  struct Build {
    std::filesystem::path executable;
    Hash128 hash;    // of its IR
    Hash128 loaded;  // of what is loaded of the executable
  };
  struct Entry {
    search::Sequence sequence;
    Build build;
  };

  Result<Build> build(const search::Sequence& sequence, std::string_view name, std::size_t shift);

  Engine& engine_;
  const Input& input_;
  const env::SessionSpec& spec_;
  const search::Sequence baseline_;
  const std::vector<timing::Input> inputs_;
  timing::RigOptions rig_options_;
  Rng rng_;  // of layouts
  TempDir dir_;
  std::unique_ptr<timing::Rig> rig_, rebuilt_;
  Hash128 baseline_loaded_;
  std::size_t built_ = 0;  // candidates, for their names
  std::vector<Entry> entries_;
};

}  // namespace ordo::app
