// All members of a team run Tuning::work(): take a module from the bandit under the mutex, search without it,
// and note the outcome under it again. The bandit gives no module to two of them, so a module belongs to
// whoever searches it. A search goes on from the best order that is known, with a seed that depends on the
// seconds spent so far, so that it is not the last one over again. Targets of all modules are asked for
// before the first search; a module that has none, or whose search fails, is retired.
#include "projects/tuning.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "builds/function_notes.h"
#include "builds/size_at_oz.h"
#include "builds/target.h"
#include "engine/objective.h"
#include "projects/bandit.h"
#include "recipe/order.h"
#include "spaces/manifest.h"
#include "support/clock.h"
#include "support/files.h"
#include "support/team.h"
#include "tune/quick_tune.h"

namespace ordo::projects {
namespace {

// A search that is begun anew has lost what the last one learned on the way, so there should be few, and most
// of the time in the last: half of an equal share at first, or the policy's answer alone where that is next
// to nothing, and then each as long as all before it.
constexpr double kFirst = 0.5;
constexpr double kShortest = 1;

class Tuning {
 public:
  Tuning(engine::Engine& engine, const spaces::Space& space, std::vector<Module>& modules,
         std::vector<builds::Target> targets, std::vector<std::optional<builds::Target>> at_oz,
         builds::Cache& cache, const TuningOptions& options)
      : engine_(engine),
        space_(space),
        modules_(modules),
        targets_(std::move(targets)),
        at_oz_(std::move(at_oz)),
        options_(options),
        first_(kFirst * options.seconds * options.jobs / static_cast<double>(modules.size())),
        cache_(cache),
        bandit_(sizesOf(modules)),
        end_(clock_.seconds() + options.seconds) {
    for (std::size_t i = 0; i < modules.size(); ++i) {
      if (!modules[i].trouble.empty() || modules[i].bytes == 0)  // data alone
        bandit_.retire(i);
      else if (modules[i].known.seconds > 0)
        bandit_.record(i, 0, modules[i].known.seconds);
    }
  }

  // Searches until time is up. Run by each member of the team.
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      const double left = end_ - clock_.seconds();
      if (left <= 0 || stopped() || error_) return;
      const std::optional<std::size_t> chosen = bandit_.choose();
      if (!chosen) return;
      const double spent = bandit_.seconds(*chosen);
      const builds::Known known = modules_[*chosen].known;
      lock.unlock();
      const double begin = clock_.seconds();
      const Result<tune::QuickAnswer> answer =
          search(*chosen, known, std::min(left, spent > 0 ? std::max(kShortest, spent) : first_));
      const double seconds = clock_.seconds() - begin;
      // What another letter gives is asked once, and is no part of the search.
      const double oz = spent > 0 ? 0 : sizeAtOz(*chosen);
      lock.lock();
      if (oz > 0) (void)builds::storeTextAtOz(cache_, modules_[*chosen].key, oz);
      note(*chosen, answer, seconds);
      if (options_.on_search) options_.on_search(end_ - clock_.seconds());
    }
  }

  Status status() const { return error_ ? Status(fail(Error(*error_))) : Status(); }

 private:
  static std::vector<double> sizesOf(const std::vector<Module>& modules) {
    std::vector<double> sizes;
    for (const Module& module : modules) sizes.push_back(std::max(module.bytes, 1.0));
    return sizes;
  }

  bool stopped() const { return options_.stop != nullptr && *options_.stop; }

  Result<tune::QuickAnswer> search(std::size_t index, const builds::Known& known, double seconds) {
    const Module& module = modules_[index];
    ORDO_TRY_ASSIGN(const std::string bitcode, readFile(module.bitcode));
    tune::QuickOptions options{
        module.task.objective, seconds, {engine::knowledgePath("shipped"), engine::policyPath("shipped")}};
    if (!known.order.empty()) {
      ORDO_TRY_ASSIGN(recipe::Order order, recipe::readOrder(known.order, module.source));
      options.known = std::move(order.actions);
    }
    options.limits = module.task.limits;
    options.seed = 1 + static_cast<std::uint64_t>(1000 * known.seconds);
    options.stop = options_.stop;
    builds::FunctionNotes notes(cache_, &mutex_);
    options.memory = &notes;
    return tune::quickTune(engine_, builds::inputOf(module.task, targets_[index], bitcode), space_, options);
  }

  // 0: no question, or not known.
  double sizeAtOz(std::size_t index) {
    if (!at_oz_[index]) return 0;
    const Result<std::string> bitcode = readFile(modules_[index].bitcode);
    if (!bitcode) return 0;
    return builds::textAtOz(engine_, modules_[index].task, *at_oz_[index], *bitcode).value_or(0);
  }

  void note(std::size_t index, const Result<tune::QuickAnswer>& answer, double seconds) {
    Module& module = modules_[index];
    if (!answer) {
      module.trouble = answer.error().message;
      bandit_.retire(index);
      return;
    }
    builds::Known& known = module.known;
    const bool first = !module.reached();
    known.baseline = answer->baseline;
    if (!answer->amounts.empty()) known.code = answer->amounts.front();
    const double before = first ? answer->baseline : known.tuned;
    if (first || answer->tuned < known.tuned) {
      known.tuned = answer->tuned;
      known.order.clear();
      if (answer->actions) {
        const auto codegen = builds::inputOf(module.task, targets_[index], {}).settings();
        known.order = recipe::writeOrder({*answer->actions, codegen});
      }
    }
    known.seconds += seconds;
    bandit_.record(index, before - known.tuned, seconds);
    if (Status stored = cache_.store(module.key, known); !stored && !error_)
      error_ = std::move(stored).error();
  }

  engine::Engine& engine_;
  const spaces::Space& space_;
  std::vector<Module>& modules_;  // those that are not being searched are guarded by mutex_
  const std::vector<builds::Target> targets_;
  const std::vector<std::optional<builds::Target>> at_oz_;  // of those of -Os
  const SteadyClock clock_;
  const TuningOptions& options_;
  const double first_;  // seconds of a first search

  std::mutex mutex_;  // guards what follows
  builds::Cache& cache_;
  Bandit bandit_;
  std::optional<Error> error_;
  const double end_;
};

}  // namespace

Status tuneModules(std::vector<Module>& modules, builds::Cache& cache, const TuningOptions& options) {
  if (modules.empty()) return {};
  std::vector<builds::Target> targets(modules.size());
  std::vector<std::optional<builds::Target>> at_oz(modules.size());
  for (std::size_t i = 0; i < modules.size(); ++i) {
    Module& module = modules[i];
    ORDO_TRY_ASSIGN(std::optional<builds::Known> known, cache.find(module.key));
    if (known) module.known = *std::move(known);
    Result<builds::Target> target = builds::targetOf(&cache, module.task, module.compiler);
    if (target)
      targets[i] = *std::move(target);
    else
      module.trouble = target.error().message;
    if (!builds::hasSizeAtOz(module.task)) continue;
    // That it cannot be told is no reason not to tune.
    if (Result<builds::Target> oz = builds::targetAtOz(cache, module.task, module.compiler))
      at_oz[i] = *std::move(oz);
  }
  // There is work for every processor: nobody spins.
  engine::EngineOptions engine_options;
  engine_options.limits.spin = false;
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start(engine_options));
  const std::string& objective = modules.front().task.objective;
  ORDO_TRY(engine::checkObjective(engine->info(), objective));
  ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine->info()));
  ORDO_TRY_ASSIGN(const spaces::Space space,
                  spaces::loadSpace(dataDir(), builds::spaceOf(modules.front().task), manifest));
  Tuning tuning(*engine, space, modules, std::move(targets), std::move(at_oz), cache, options);
  Team(options.jobs).run([&](unsigned) { tuning.work(); });
  return tuning.status();
}

}  // namespace ordo::projects
