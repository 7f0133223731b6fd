// Miner does the work, in the order in which mine() calls it. mineOne() looks for pairs, then for the best
// sequence, and adds to file_ only when it has both, so that an end in between loses no more than one
// program. Pairs are counted by the names of their actions, in synergies_, which begins with the counts of
// the file. chooseCoreset() makes each program ready again and tries the best sequences of all on it;
// search::chooseCoreset() then works on these costs alone.
#include "campaigns/mine.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "datasets/dataset.h"
#include "engine/input.h"
#include "engine/knowledge.h"
#include "engine/objective.h"
#include "env/metric.h"
#include "search/knowledge/mine.h"

namespace ordo::campaigns {
namespace {

using search::KnowledgeFile;

// A program as a search sees it.
struct Subject {
  env::SessionSpec spec;
  env::ActionIndex baseline = 0;
};

// All that two files of knowledge have in common if programs of one may be put into the other.
auto originOf(const KnowledgeFile& file) {
  return std::tie(file.backend, file.backend_version, file.space, file.space_hash, file.objective,
                  file.baseline, file.observation, file.budget, file.seed);
}

class Miner {
 public:
  Miner(engine::Engine& engine, const spaces::Space& space, const MineOptions& options, KnowledgeFile known)
      : engine_(engine), space_(space), options_(options), file_(std::move(known)) {
    for (const KnowledgeFile::Synergy& synergy : file_.synergies)
      synergies_[{synergy.first, synergy.second}] = synergy.programs;
  }

  // Compares what an earlier run was asked for with what this one is, and fills it in.
  Status claim() {
    KnowledgeFile own;
    own.backend = engine_.info().name;
    own.backend_version = engine_.info().version;
    own.space = space_.name;
    own.space_hash = space_.hash;
    own.objective = options_.objective;
    own.baseline = options_.baseline.name();
    own.observation = options_.observation;
    own.budget = fmt::format("{}, {}", options_.searcher->name, options_.budget_text);
    own.seed = static_cast<std::int64_t>(options_.seed);
    if (!file_.programs.empty()) {
      if (originOf(file_) == originOf(own)) return {};
      return fail(ErrorCode::kInvalidArgument,
                  "what is there was mined with other options or another compiler; write to another file");
    }
    file_ = std::move(own);
    return {};
  }

  Status mineAll() {
    std::set<std::string> known;
    for (const KnowledgeFile::Program& program : file_.programs) known.insert(program.uri);
    for (std::size_t i = 0; i < options_.programs.size() && !stopped(); ++i) {
      const std::string& uri = options_.programs[i];
      if (!known.insert(uri).second) continue;
      say(fmt::format("{} of {}: {}", i + 1, options_.programs.size(), uri));
      if (options_.elsewhere)
        ORDO_TRY(fetch(uri));
      else if (const Status mined = mineOne(uri); !mined)
        leaveOut(uri, mined.error().message);
      if (save_failed_) return std::move(*save_failed_);
    }
    return {};
  }

  // From the best sequences of all programs, each tried on every program.
  Status chooseCoreset() {
    std::set<std::vector<std::string>> distinct;
    for (const KnowledgeFile::Program& program : file_.programs) {
      if (program.gain > 0) distinct.insert(program.best);
    }
    const std::vector<std::vector<std::string>> candidates(distinct.begin(), distinct.end());
    std::vector<std::vector<double>> costs(candidates.size());
    for (const KnowledgeFile::Program& program : file_.programs) {
      if (stopped()) return {};
      say(fmt::format("coreset: {} sequences on {}", candidates.size(), program.uri));
      ORDO_TRY_ASSIGN(const Subject subject, subjectOf(program.uri));
      ORDO_TRY_ASSIGN(const auto evaluator, open(subject));
      ORDO_TRY_ASSIGN(const std::vector<double> row, costsOn(*evaluator, subject, candidates));
      for (std::size_t i = 0; i < candidates.size(); ++i) costs[i].push_back(row[i]);
    }
    if (stopped()) return {};
    std::vector<std::vector<std::string>>& coreset = file_.coresets[file_.objective];
    coreset.clear();
    for (const std::size_t chosen : search::chooseCoreset(costs, options_.coreset))
      coreset.push_back(candidates[chosen]);
    return options_.save(file_);
  }

  KnowledgeFile takeFile() { return std::move(file_); }

 private:
  Status mineOne(const std::string& uri) {
    ORDO_TRY_ASSIGN(const Subject subject, subjectOf(uri));
    KnowledgeFile::Program program;
    program.uri = uri;
    {
      ORDO_TRY_ASSIGN(const auto session, engine_.backend().open(subject.spec));
      ORDO_TRY(checkSize(*session));
      ORDO_TRY_ASSIGN(program.hash, session->stateHash());
      ORDO_TRY_ASSIGN(program.features, engine::observeNumbers(*session, options_.observation));
    }
    ORDO_TRY(checkNew(program));
    ORDO_TRY_ASSIGN(const auto evaluator, open(subject));
    const std::vector<search::ActionPair> synergies = search::findSynergies(*evaluator);
    ORDO_TRY(evaluator->status());
    ORDO_TRY(findBest(subject, program));
    if (stopped()) return {};

    for (const auto& [first, second] : synergies)
      ++synergies_[{subject.spec.actions[first].name, subject.spec.actions[second].name}];
    add(std::move(program));
    return {};
  }

  // Has somebody else look at it, and takes in what is found.
  Status fetch(const std::string& uri) {
    Result<KnowledgeFile> mined = options_.elsewhere(uri);
    if (!mined && stopped()) return {};
    if (!mined) return fail(std::move(mined).error());
    if (mined->programs.empty()) return {};
    if (originOf(*mined) != originOf(file_))
      return fail(ErrorCode::kCorrupt, "{} was mined by another Ordo or LLVM ({} {})", uri, mined->backend,
                  mined->backend_version);
    KnowledgeFile::Program& program = mined->programs.front();
    if (mined->programs.size() != 1 || program.uri != uri)
      return fail(ErrorCode::kCorrupt, "{} was asked for, and {} mined", uri, program.uri);
    if (const Status other = checkNew(program); !other) {
      leaveOut(uri, other.error().message);
      return {};
    }
    for (const KnowledgeFile::Synergy& synergy : mined->synergies)
      synergies_[{synergy.first, synergy.second}] += synergy.programs;
    add(std::move(program));
    return {};
  }

  Status checkNew(const KnowledgeFile::Program& program) const {
    if (std::ranges::find(file_.programs, program.hash, &KnowledgeFile::Program::hash) ==
        file_.programs.end())
      return {};
    return fail(ErrorCode::kInvalidArgument, "its IR is that of a program before it");
  }

  // A program whose pairs are counted.
  void add(KnowledgeFile::Program program) {
    file_.synergies.clear();
    for (const auto& [pair, programs] : synergies_)
      file_.synergies.push_back({pair.first, pair.second, programs});
    file_.programs.push_back(std::move(program));
    if (Status saved = options_.save(file_); !saved) save_failed_ = std::move(saved);
  }

  // Pairs are tried by the thousand, so that one large program would take longer than all others.
  Status checkSize(env::Session& session) const {
    ORDO_TRY_ASSIGN(const env::Measurement size, session.measure(env::kIrInstructions));
    if (!size.ok() || size.value <= static_cast<double>(options_.max_instructions)) return {};
    return fail(ErrorCode::kInvalidArgument, "it has {:.0f} instructions, more than {}", size.value,
                options_.max_instructions);
  }

  // In an evaluator of its own, whose budget what was mined before does not use up.
  Status findBest(const Subject& subject, KnowledgeFile::Program& program) {
    ORDO_TRY_ASSIGN(const auto evaluator, open(subject));
    search::SearchOptions options;
    options.searcher = options_.searcher;
    options.budget = options_.budget;
    options.seeds = {{subject.baseline}, {}};
    options.seed = options_.seed;
    options.explain = false;
    ORDO_TRY_ASSIGN(const search::SearchResult found, search::search(*evaluator, options));
    if (!found.seeds.front().measured())
      return fail(ErrorCode::kUnsupported, "its baseline cannot be measured");
    program.gain = 1 - search::relativeCost(found.best, found.seeds.front());
    for (const env::ActionIndex action : found.best.actions)
      program.best.push_back(subject.spec.actions[action].name);
    return {};
  }

  // Of each candidate, in units of the baseline's.
  static Result<std::vector<double>> costsOn(search::Evaluator& evaluator, const Subject& subject,
                                             std::span<const std::vector<std::string>> candidates) {
    std::vector<search::Sequence> batch{{subject.baseline}};
    for (const std::vector<std::string>& names : candidates) {
      search::Sequence& sequence = batch.emplace_back();
      for (const std::string& name : names) {
        const auto found = std::ranges::find(subject.spec.actions, name, &env::Action::name);
        if (found == subject.spec.actions.end())
          return fail(ErrorCode::kInvalidArgument, "the space has no action '{}'", name);
        sequence.push_back(static_cast<env::ActionIndex>(found - subject.spec.actions.begin()));
      }
    }
    const auto results = evaluator.evaluate(std::move(batch), search::Effort::kFull);
    ORDO_TRY(evaluator.status());
    std::vector<double> costs;
    for (std::size_t i = 1; i < results.size(); ++i)
      costs.push_back(search::relativeCost(results[i], results.front()));
    return costs;
  }

  Result<Subject> subjectOf(const std::string& uri) const {
    ORDO_TRY_ASSIGN(const engine::Input input, engine::prepareInput(uri, options_.baseline, {}));
    Subject subject{{uri, input.compiled.bytes, {}, input.settings()}};
    subject.spec.actions = engine::candidateActions(input, space_, false, subject.baseline);
    return subject;
  }

  Result<std::unique_ptr<search::Evaluator>> open(const Subject& subject) const {
    search::EvaluatorOptions options;
    options.jobs = options_.jobs;
    options.stop = options_.stop;
    return search::Evaluator::open(engine_.backend(), subject.spec, engine::objectiveFor(options_.objective),
                                   options);
  }

  bool stopped() const { return options_.stop != nullptr && *options_.stop; }
  void say(std::string_view text) const {
    if (options_.progress) options_.progress(text);
  }
  void leaveOut(const std::string& uri, const std::string& reason) const {
    if (options_.note) options_.note(fmt::format("{} is left out: {}", uri, reason));
  }

  engine::Engine& engine_;
  const spaces::Space& space_;
  const MineOptions& options_;
  KnowledgeFile file_;
  std::map<std::pair<std::string, std::string>, std::int64_t> synergies_;
  std::optional<Status> save_failed_;
};

}  // namespace

Result<KnowledgeFile> mine(engine::Engine& engine, const spaces::Space& space, const MineOptions& options,
                           KnowledgeFile known) {
  ORDO_TRY(engine::checkObjective(engine.info(), options.objective));
  // What is kept for evaluation must not even be tried, so all are looked at before the first is.
  for (const std::string& uri : options.programs) {
    ORDO_TRY_ASSIGN(const datasets::Program program, datasets::loadProgram(uri));
    ORDO_TRY(datasets::checkMayTrainOn(program, "mining"));
  }
  Miner miner(engine, space, options, std::move(known));
  ORDO_TRY(miner.claim());
  ORDO_TRY(miner.mineAll());
  ORDO_TRY(miner.chooseCoreset());
  return miner.takeFile();
}

}  // namespace ordo::campaigns
