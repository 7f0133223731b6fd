// Project::tune() is the order of the steps, each a function below it. works() builds and checks with what
// one cache holds. If the project fails with tuned modules, goBack() looks for the one to blame by such
// builds, each with a cache of its own, where that is not expected to take too long, and else makes all
// plain. What is refused is stored as plain in the real cache, so that later builds leave it alone. The lock
// file is written before the first tuned build, removed while tuned modules are known to fail, and written
// anew by report().
#include "projects/project.h"

#include <algorithm>
#include <bit>
#include <map>

#include "builds/cache.h"
#include "builds/invocation.h"
#include "builds/link.h"
#include "builds/locking.h"
#include "builds/object.h"
#include "env/metric.h"
#include "projects/binaries.h"
#include "projects/blame.h"
#include "recipe/lock.h"
#include "support/clock.h"
#include "support/files.h"

namespace ordo::projects {
namespace fs = std::filesystem;
namespace {

using Lines = std::vector<builds::LogLine>;

// To find the module to blame may take as long as the search, or a minute.
constexpr double kPatience = 60;
// Of the time for searching, for free flags: a build each.
constexpr double kFreeShare = 0.5;

class Project {
 public:
  Project(const ProjectOptions& options, const TempDir& scratch)
      : options_(options),
        scratch_(scratch.path()),
        build_(options.commands, options.settings, scratch_, options.stop) {}

  Result<Tuned> tune() {
    // What is there to tune, and what is it worth without Ordo?
    ORDO_TRY(capture());
    ORDO_TRY(checkPlain());
    if (options_.free_flags) ORDO_TRY(chooseFlags());
    if (options_.linked) ORDO_TRY(captureLinks());
    ORDO_TRY(describe());
    // Search, and keep what was found before anything can go wrong.
    ORDO_TRY(search());
    ORDO_TRY(lock(recorded_));
    tuned_.interrupted = stopped();
    if (options_.commands.build.empty() || tuned_.interrupted) return std::move(tuned_);
    // Build with it. What does not stand the project's own tests goes.
    ORDO_TRY_ASSIGN(const bool well, works(options_.settings.folder));
    if (!well) {
      tuned_.failed = trouble_;
      std::error_code ignored;
      fs::remove(options_.lock, ignored);  // until there is something to pin
      ORDO_TRY(goBack());
    }
    if (options_.linked) ORDO_TRY(dropLarger());
    tuned_.checked = !options_.commands.check.empty();
    return report();
  }

 private:
  bool stopped() const { return options_.stop != nullptr && *options_.stop; }
  // Open as briefly as can be: linkedIn() reads whatever lies in the project, and were it this file, SQLite's
  // locks would be gone (https://sqlite.org/howtocorrupt.html, 2.2).
  Result<builds::Cache> openCache() const {
    return builds::Cache::open(options_.settings.folder, options_.settings.cache_bytes);
  }
  void phase(std::string_view text) const {
    if (options_.on_phase) options_.on_phase(text);
  }

  Status capture() {
    phase("building, to capture what is compiled");
    const Stamps stamps = stampsIn(fs::current_path());
    const double begin_s = clock_.seconds();
    if (options_.compile_commands.empty()) {
      ORDO_TRY_ASSIGN(recorded_, build_.record());
    } else {
      ORDO_TRY_ASSIGN(const std::string text, readFile(options_.compile_commands));
      ORDO_TRY_ASSIGN(const std::vector<CompileCommand> commands,
                      parseCompileCommands(text, options_.compile_commands.string()));
      ORDO_TRY_ASSIGN(recorded_, build_.record(commands, options_.jobs));
    }
    round_s_ = clock_.seconds() - begin_s;
    before_ = linkedIn(fs::current_path(), stamps);
    return {};
  }

  // The best flags that cost nothing, unless the project's own tests fail with them.
  Status chooseFlags() {
    phase("building with flags that cost nothing");
    const double begin_s = clock_.seconds();
    FreeSearchOptions search;
    if (!options_.settings.objective.empty()) search.metric = options_.settings.objective;
    search.for_search = true;
    search.lto = options_.linked;
    search.seconds = kFreeShare * options_.seconds;
    search.on_trial = options_.on_trial;
    ORDO_TRY_ASSIGN(FreeResult found, tryFreeFlags(build_, search));
    const FreeTrial& best = found.trials[found.best];
    free_ = found.trials.front().binaries;
    if (!best.choices.empty()) {
      ORDO_TRY(build_.plain(best.choices));
      if (!options_.commands.check.empty()) {
        phase("checking what these flags make");
        ORDO_TRY_ASSIGN(tuned_.free_trouble, build_.check());
      }
    }
    if (!best.choices.empty() && tuned_.free_trouble.empty()) {
      tuned_.free_flags = best.choices;
      free_ = best.binaries;
      build_.use(best.choices);
    }
    // With other flags the same files are other tasks.
    if (!options_.linked && !tuned_.free_flags.empty()) {
      ORDO_TRY_ASSIGN(recorded_, build_.record());
    }
    free_s_ = clock_.seconds() - begin_s;
    return {};
  }

  Status captureLinks() {
    ORDO_TRY(rememberFiles());
    phase("building with -flto, to capture what is linked");
    ORDO_TRY_ASSIGN(recorded_, build_.recordLinks());
    return {};
  }

  // What earlier searches found for the files that a link is made of.
  Status rememberFiles() {
    ORDO_TRY_ASSIGN(builds::Cache cache, openCache());
    std::map<std::string, bool> seen;
    for (const builds::LogLine& line : recorded_) {
      if (std::exchange(seen[line.key], true)) continue;
      ORDO_TRY_ASSIGN(const std::optional<builds::Known> known, cache.find(line.key));
      if (known) tuned_.saved_by_files += known->baseline - known->tuned;
    }
    return {};
  }

  // The modules of what was recorded.
  Status describe() {
    const std::string& objective = options_.settings.objective;
    const std::vector<std::string>& limits = options_.settings.limits;
    std::map<std::string, bool> seen;
    for (const builds::LogLine& line : recorded_) {
      if (std::exchange(seen[line.key], true)) continue;
      Module module{line.key, line.source, {}, {}, build_.bitcodeOf(line.key), line.baseline};
      const builds::Invocation invocation = builds::parseInvocation([&] {
        std::vector<std::string> words{"ordo-launch"};
        words.insert(words.end(), line.command.begin(), line.command.end());
        return words;
      }());
      module.compiler = invocation.compiler;
      ORDO_TRY_ASSIGN(module.task, options_.linked
                                       ? builds::linkTaskOf(invocation.arguments(), objective, limits)
                                       : builds::taskOf(invocation.arguments(), objective, limits));
      module.task.object = line.object;  // wherever the command ran
      // It is there as it was linked without a recipe.
      if (options_.linked)
        module.code = static_cast<double>(bytesOf(module).value_or(builds::ObjectBytes()).code);
      tuned_.modules.push_back(std::move(module));
    }
    return {};
  }

  Status checkPlain() {
    if (options_.commands.check.empty() || options_.commands.build.empty()) return {};
    phase("checking the plain build");
    const double begin_s = clock_.seconds();
    ORDO_TRY_ASSIGN(const std::string failure, build_.check());
    if (!failure.empty()) return fail(ErrorCode::kInvalidArgument, "before anything was tuned, {}", failure);
    round_s_ += clock_.seconds() - begin_s;
    return {};
  }

  Status search() {
    phase("searching");
    TuningOptions tuning{std::max(options_.seconds - free_s_, (1 - kFreeShare) * options_.seconds),
                         options_.jobs, options_.stop};
    tuning.on_search = [&](double left) {
      if (options_.on_search) options_.on_search(tuned_.modules, left);
    };
    ORDO_TRY_ASSIGN(builds::Cache cache, openCache());
    ORDO_TRY(tuneModules(tuned_.modules, cache, tuning));
    // What the search did not come to is plain, until somebody has more time.
    std::map<std::string, const builds::Known*> known;
    for (Module& module : tuned_.modules) {
      if (!module.reached()) {
        module.known = plain(module);
        ORDO_TRY(cache.store(module.key, module.known));
      }
      known[module.key] = &module.known;
    }
    for (builds::LogLine& line : recorded_) {
      line.baseline = known[line.key]->baseline;
      line.tuned = known[line.key]->tuned;
    }
    return {};
  }

  // Pins what `lines` were compiled with. That no source lies beside the lock file is no failure.
  Status lock(const Lines& lines) {
    ORDO_TRY_ASSIGN(builds::Cache cache, openCache());
    const Result<recipe::Lock> lock = builds::lockFrom(lines, cache, options_.lock);
    if (!lock && lock.error().code != ErrorCode::kNotFound) return fail(lock.error());
    if (!lock) return {};
    tuned_.locked = lock->files.size();
    return writeFile(options_.lock, recipe::writeLock(*lock));
  }

  // Whether the project builds and passes its check with what is known in the cache in `folder`.
  Result<bool> works(const fs::path& folder) {
    phase("building with what was found");
    Result<Lines> lines = build_.rebuild(folder);
    if (!lines && lines.error().code != ErrorCode::kInvalidArgument) return fail(std::move(lines).error());
    trouble_ = lines ? "" : lines.error().message;
    if (!lines) return false;
    rebuilt_ = *std::move(lines);
    if (options_.commands.check.empty()) return true;
    phase("checking the result");
    ORDO_TRY_ASSIGN(trouble_, build_.check());
    return trouble_.empty();
  }

  // The same, with only `some` of the modules in `all` tuned.
  Result<bool> worksWith(const std::vector<std::size_t>& all, const std::vector<std::size_t>& some) {
    const fs::path folder = scratch_ / fmt::format("trial-{}", ++trials_);
    ORDO_TRY_ASSIGN(builds::Cache trial, builds::Cache::open(folder, options_.settings.cache_bytes));
    for (const Module& module : tuned_.modules) ORDO_TRY(trial.store(module.key, plain(module)));
    for (const std::size_t i : some) {
      const Module& module = tuned_.modules[all[i]];
      ORDO_TRY(trial.store(module.key, module.known));
    }
    return works(folder);
  }

  static builds::Known plain(const Module& module) {
    const double own = module.task.objective == env::kTextBytes ? module.bytes : module.known.baseline;
    return {"", own, own, module.known.seconds, module.known.code};
  }

  Status refuse(Module& module) {
    module.known = plain(module);
    tuned_.refused.push_back(module.source);
    ORDO_TRY_ASSIGN(builds::Cache cache, openCache());
    return cache.store(module.key, module.known);
  }

  // Leaves out the module to blame, if it is one and can be found in good time, else all.
  Status goBack() {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < tuned_.modules.size(); ++i) {
      if (!tuned_.modules[i].known.order.empty()) all.push_back(i);
    }
    const double rounds = std::bit_width(all.size()) + 1;
    if (rounds * round_s_ <= std::max(kPatience, options_.seconds)) {
      ORDO_TRY_ASSIGN(const std::optional<std::size_t> guilty,
                      blame(all.size(), [&](const auto& some) { return worksWith(all, some); }));
      if (guilty) {
        ORDO_TRY(refuse(tuned_.modules[all[*guilty]]));
        ORDO_TRY_ASSIGN(const bool well, works(options_.settings.folder));
        if (well) return {};
      }
    }
    for (const std::size_t i : all) {
      if (!tuned_.modules[i].known.order.empty()) ORDO_TRY(refuse(tuned_.modules[i]));
    }
    ORDO_TRY_ASSIGN(const bool well, works(options_.settings.folder));
    if (!well)
      return fail(ErrorCode::kInvalidArgument, "with plain objects, which it passed before: {}", trouble_);
    return {};
  }

  // What a link comes to is known when it is done: one that is larger than without a recipe is done without.
  Status dropLarger() {
    bool dropped = false;
    for (Module& module : tuned_.modules) {
      if (module.known.order.empty() || module.task.objective != env::kTextBytes) continue;
      ORDO_TRY_ASSIGN(const builds::ObjectBytes bytes, bytesOf(module));
      const auto text = static_cast<double>(bytes.text), code = static_cast<double>(bytes.code);
      if (text <= module.bytes && code <= builds::mostCode(module.task, module.code)) continue;
      module.trouble = fmt::format(
          "with what was found it has {:.0f} bytes of text, {:.0f} of them code, and without {:.0f} and "
          "{:.0f}",
          text, code, module.bytes, module.code);
      module.known = plain(module);
      ORDO_TRY_ASSIGN(builds::Cache cache, openCache());
      ORDO_TRY(cache.store(module.key, module.known));
      dropped = true;
    }
    if (!dropped) return {};
    ORDO_TRY_ASSIGN(const bool well, works(options_.settings.folder));
    return well ? Status() : fail(ErrorCode::kInvalidArgument, "with fewer recipes, {}", trouble_);
  }

  // Of the file that it was linked to.
  static Result<builds::ObjectBytes> bytesOf(const Module& module) {
    ORDO_TRY_ASSIGN(const std::string file, readFile(module.task.object));
    return builds::bytesOf(file);
  }

  Result<Tuned> report() {
    tuned_.relinked = true;
    ORDO_TRY(lock(rebuilt_));
    std::map<std::string, const builds::LogLine*> by_key;
    for (const builds::LogLine& line : rebuilt_) {
      if (!line.key.empty()) by_key[line.key] = &line;
      // For `ordo stats`. A log that cannot be written is no reason to fail.
      (void)builds::append(options_.settings.log, line);
    }
    for (Module& module : tuned_.modules) {
      const auto line = by_key.find(module.key);
      if (line == by_key.end()) continue;
      module.known.tuned = line->second->tuned;
      if (options_.linked && module.task.objective == env::kTextBytes) {
        module.known.baseline = module.bytes;
        ORDO_TRY_ASSIGN(const builds::ObjectBytes bytes, bytesOf(module));
        module.known.tuned = static_cast<double>(bytes.text);
      }
      if (line->second->outcome == builds::Outcome::kFallback) module.trouble = line->second->reason;
    }
    const Binaries after = linkedIn(fs::current_path(), {});
    for (const auto& [path, before] : before_) {
      const auto found = after.find(path);
      const auto free = free_.find(path);
      if (found == after.end()) continue;
      tuned_.binaries.push_back({path.lexically_relative(fs::current_path()), before,
                                 free == free_.end() ? before : free->second, found->second});
    }
    return std::move(tuned_);
  }

  const ProjectOptions& options_;
  const fs::path scratch_;
  const SteadyClock clock_;
  Build build_;
  Lines recorded_, rebuilt_;
  Binaries before_, free_;
  double free_s_ = 0;    // of trying flags
  double round_s_ = 0;   // of a build and a check
  std::string trouble_;  // why works() said no
  int trials_ = 0;
  Tuned tuned_;
};

}  // namespace

Result<Tuned> tuneProject(const ProjectOptions& options) {
  ORDO_TRY_ASSIGN(const TempDir scratch, TempDir::create());
  return Project(options, scratch).tune();
}

}  // namespace ordo::projects
