// Each track goes to the state in front of its choices once. An action has to be there when a session is
// opened, so an emission is a session on that state's program: choices, suffix, then what each function came
// to.
#include "tune/by_function.h"

#include <algorithm>
#include <optional>
#include <set>

#include "engine/function_program.h"
#include "engine/reach.h"
#include "env/metric.h"
#include "notation/action.h"
#include "notation/function_sequence.h"
#include "search/driver/function_search.h"
#include "support/clock.h"

namespace ordo::tune {
namespace {

constexpr const char *kNames = "function_names", *kHashes = "function_hashes", *kShapes = "ir2vec_functions";
// What a sequence is expected to save of a function: the first of those that were not mined, by how much less
// from one to the next, and the last.
constexpr double kExpected = 0.01, kFade = 0.0005, kUnknown = 0;
constexpr std::size_t kFewest = 4;     // emissions of each track before they are compared
constexpr std::size_t kOtherTurn = 4;  // every so often the next best has a turn
// The most of a budget, of which half is for so many functions; and what to begin, a first few emissions and
// the whole at the end come to, in answers of the search.
constexpr double kMostShare = 0.3, kFunctions = 16, kToGain = 3;

// The observation that says of each function what `objective` says of all.
const char* partsOf(const std::string& objective) {
  if (objective == env::kIrInstructions) return "function_instructions";
  if (objective == env::kTextBytes || objective == env::kCodeBytes) return "function_bytes";
  return nullptr;
}

// A code generator that dies on a program says something of that.
bool isOurs(const Error& error) {
  return error.code != ErrorCode::kUnavailable && error.code != ErrorCode::kCorrupt;
}

// A track under way.
class Course {
 public:
  // Nothing: the state in front of the choices is none, or a function of it is left alone by its own word.
  static Result<std::optional<Course>> begin(env::Backend& backend, const env::SessionSpec& spec,
                                             const Track& track, const ByFunctionOptions& options) {
    Course course(backend, spec, track, options.objective);
    ORDO_TRY_ASSIGN(const env::BackendInfo info, backend.describe());
    course.spec_.program = track.program;
    if (track.program.empty()) {
      ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> way, backend.open(spec));
      ORDO_TRY_ASSIGN(const env::StepOutcome outcome, way->apply(track.prefix));
      if (!outcome.ok()) return std::nullopt;
      const Result<env::Observation> program = way->observe(info.program);
      if (!program) return std::nullopt;
      course.spec_.program = program->text();
    }
    ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, course.emit({{track.first}, {}}));
    if (session == nullptr) return std::nullopt;
    ORDO_TRY_ASSIGN(const env::Measurement whole, session->measure(options.objective));
    if (!whole.ok()) return std::nullopt;
    course.whole_ = whole.value;
    ORDO_TRY_ASSIGN(const env::Observation listed, session->observe(kNames));
    const std::vector<std::string> names = engine::namesIn(listed.text());
    const Result<env::Observation> sizes = session->observe(partsOf(options.objective));
    if (!sizes && isOurs(sizes.error())) return fail(sizes.error());
    if (!sizes) return std::nullopt;
    course.names_ = names;
    std::vector<search::FunctionSearch::Function> functions;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool told = !names[i].empty() && names[i].find(':') == std::string::npos;
      functions.push_back({names[i], told ? static_cast<double>(sizes->int64s()[i]) : -1});
    }
    if (options.similar && std::ranges::find(info.observations, kShapes, &env::ObservationInfo::name) !=
                               info.observations.end()) {
      ORDO_TRY_ASSIGN(const env::Observation shapes, session->observe(kShapes));
      const std::size_t width = functions.empty() ? 0 : shapes.float32s().size() / functions.size();
      for (std::size_t i = 0; i < functions.size(); ++i) {
        const auto shape = shapes.float32s().subspan(i * width, width);
        functions[i].shape.assign(shape.begin(), shape.end());
      }
    }
    if (options.memory != nullptr) ORDO_TRY(course.recall(*options.memory, info, functions));
    course.search_.emplace(std::move(functions), track.sequences, options.seed, track.first);
    return course;
  }

  // One emission; false if nothing promises anything any more.
  Result<bool> goOn() {
    const std::optional<env::Choices> asked = search_->next();
    over_ = !asked;
    if (over_) return false;
    ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, emit(*asked));
    std::optional<std::vector<double>> came;
    if (session != nullptr) {
      if (const Result<env::Observation> sizes = session->observe(partsOf(objective_)))
        came.emplace(sizes->int64s().begin(), sizes->int64s().end());
    }
    search_->learn(came);
    return true;
  }

  // What every function comes to with this sequence; -1 if it fails.
  Result<std::vector<double>> sizesWith(const std::string& sequence) {
    ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, emit(allWith(sequence)));
    if (session == nullptr) return std::vector<double>(names_.size(), -1);
    const Result<env::Observation> sizes = session->observe(partsOf(objective_));
    if (!sizes || sizes->int64s().size() != names_.size()) return std::vector<double>(names_.size(), -1);
    return std::vector<double>(sizes->int64s().begin(), sizes->int64s().end());
  }

  // The objective with the best choices, really; nothing if that is not valid, or beyond a limit.
  Result<std::optional<double>> measured(const std::vector<search::Limit>& limits) {
    ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, emit(search_->best()));
    if (session == nullptr) return std::nullopt;
    for (const search::Limit& limit : limits) {
      ORDO_TRY_ASSIGN(const env::Measurement amount, session->measure(limit.metric));
      if (!amount.ok() || amount.value > limit.most) return std::nullopt;
    }
    ORDO_TRY_ASSIGN(const env::Measurement value, session->measure(objective_));
    return value.ok() ? std::optional(value.value) : std::nullopt;
  }

  // How many functions the memory knew.
  std::size_t remembered() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(recalled_, [](const auto& one) { return one.has_value(); }));
  }
  std::size_t functions() const { return names_.size(); }

  // Tells the memory what it did not know.
  Status remember(FunctionMemory& memory) const {
    const std::vector<search::FunctionSearch::Answer> answers = search_->answers();
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i].empty() || !answers[i].tried) continue;
      if (recalled_[i] && recalled_[i]->saves >= answers[i].saves) continue;
      ORDO_TRY(memory.store(keys_[i], {answers[i].best, answers[i].saves}));
    }
    return {};
  }

  double promised() const { return whole_ - search_->saved(); }
  bool over() const { return over_; }
  const search::FunctionSearch& search() const { return *search_; }

 private:
  Course(env::Backend& backend, const env::SessionSpec& spec, const Track& track, std::string objective)
      : backend_(&backend),
        spec_{spec.name, {}, std::vector<env::Action>(1), spec.settings},
        objective_(std::move(objective)),
        first_(track.first) {
    for (const env::ActionIndex action : track.suffix) spec_.actions.push_back(spec.actions[action]);
    for (const env::ActionIndex action : track.prefix)
      if (!env::settingOf(spec.actions[action].name).empty()) spec_.actions.push_back(spec.actions[action]);
    for (std::size_t i = 0; i < spec_.actions.size(); ++i) all_.push_back(static_cast<env::ActionIndex>(i));
  }

  // What is known of each of `functions` before any of its sequences.
  Status recall(FunctionMemory& memory, const env::BackendInfo& backend,
                std::vector<search::FunctionSearch::Function>& functions) {
    env::SessionSpec spec = spec_;
    spec.actions.clear();
    ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, backend_->open(spec));
    ORDO_TRY_ASSIGN(const env::Observation listed, session->observe(kNames));
    if (engine::namesIn(listed.text()) != names_) return {};  // the suffix has taken some away
    ORDO_TRY_ASSIGN(const env::Observation hashes, session->observe(kHashes));  // and gone are the names
    std::string around =
        fmt::format("{} {}\n{}\n{}\n{}", backend.name, backend.version, objective_, spec_.settings, first_);
    for (std::size_t i = 1; i < spec_.actions.size(); ++i) (around += '\n') += spec_.actions[i].text;
    keys_.resize(functions.size());
    recalled_.resize(functions.size());
    for (std::size_t i = 0; i < functions.size(); ++i) {
      search::FunctionSearch::Function& function = functions[i];
      if (function.size <= 0) continue;
      keys_[i] = fmt::format("{:016x}\n{}\n{}", static_cast<std::uint64_t>(hashes.int64s()[i]), function.size,
                             around);
      ORDO_TRY_ASSIGN(recalled_[i], memory.find(keys_[i]));
      if (recalled_[i]) function.known = recalled_[i]->best;
    }
    return {};
  }

  // Attributes cannot be everybody's (notation/function_sequence.h), so it is what every function chooses.
  env::Choices allWith(const std::string& sequence) const {
    if (notation::parseFunctionSequence(sequence).attributes.empty()) return {{sequence}, {}};
    env::Choices choices{{"", sequence}, {}};
    for (const std::string& name : names_)
      if (!name.empty() && name.find(':') == std::string::npos) choices.functions.emplace(name, 1);
    return choices;
  }

  // The state with `choices`; nothing if a pass fails or it is not valid.
  Result<std::unique_ptr<env::Session>> emit(const env::Choices& choices) {
    spec_.actions.front() = env::choose(choices);
    ORDO_TRY_ASSIGN(std::unique_ptr<env::Session> session, backend_->open(spec_));
    ORDO_TRY_ASSIGN(const env::StepOutcome outcome, session->apply(all_));
    if (!outcome.ok()) return nullptr;
    ORDO_TRY_ASSIGN(const env::Measurement verdict, session->verify());
    return verdict.ok() ? std::move(session) : nullptr;
  }

  env::Backend* backend_;
  env::SessionSpec spec_;  // the first of its actions are choices; settings of the prefix come last
  std::vector<env::ActionIndex> all_;
  std::string objective_;
  std::string first_;
  double whole_ = 0;
  std::vector<std::string> names_;
  // Of a memory, by function, if there is one: "" for one that is left alone, and what it knew.
  std::vector<std::string> keys_;
  std::vector<std::optional<RememberedFunction>> recalled_;
  std::optional<search::FunctionSearch> search_;
  bool over_ = false;
};

std::optional<env::ActionIndex> find(std::span<const env::Action> actions, std::string_view name) {
  const auto found = std::ranges::find(actions, name, &env::Action::name);
  if (found == actions.end()) return std::nullopt;
  return static_cast<env::ActionIndex>(found - actions.begin());
}

// What the sequences of whole programs do to functions, and then single actions on functions.
struct Part {
  std::string attributes, passes;
};
std::vector<Part> partsFor(std::span<const env::Action> actions, std::span<const search::Sequence> coreset) {
  std::vector<Part> all;
  for (const search::Sequence& sequence : coreset) {
    Part part;
    for (const env::ActionIndex index : sequence) {
      const env::Action& action = actions[index];
      if (action.kind == notation::kAttribute) (part.attributes += action.text) += ',';
      if (const auto inside = notation::functionPasses(action)) (part.passes += *inside) += ',';
    }
    if (part.passes.empty()) continue;
    part.passes.pop_back();
    // What is given and taken back again is nothing for a function.
    if (part.attributes.find('+') != std::string::npos) part.attributes.clear();
    all.push_back(std::move(part));
  }
  for (const env::Action& action : actions)
    if (const auto inside = notation::functionPasses(action)) all.push_back({"", std::string(*inside)});
  return all;
}

// What was mined, and then `texts`, of which nothing is known but their order; each once.
std::vector<search::MinedSequence> sequencesOf(const search::FunctionSequences& mined,
                                               const std::string& track,
                                               const std::vector<std::string>& texts) {
  std::vector<search::MinedSequence> all;
  if (const auto known = mined.tracks.find(track); known != mined.tracks.end()) all = known->second;
  double expected = all.empty() ? kExpected : kUnknown;
  for (const std::string& text : texts) {
    all.push_back({text, expected});
    expected = std::max(expected - kFade, kUnknown);
  }
  std::set<std::string> seen;
  std::erase_if(all, [&](const search::MinedSequence& each) { return !seen.insert(each.text).second; });
  return all;
}

}  // namespace

double shareOf(std::size_t functions, double answers) {
  const auto count = static_cast<double>(functions);
  const double share = kMostShare * count / (count + kFunctions);
  return share * answers < kToGain ? 0 : share;
}

bool choosesByFunction(const env::BackendInfo& backend, const std::string& objective) {
  return partsOf(objective) != nullptr &&
         std::ranges::find(backend.observations, kNames, &env::ObservationInfo::name) !=
             backend.observations.end();
}

Result<std::size_t> functionsOf(engine::Engine& engine, const engine::Input& input,
                                const env::SessionSpec& spec) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, engine::walk(engine, input, spec.program, {}));
  ORDO_TRY_ASSIGN(const env::Observation listed, session->observe(kNames));
  return engine::namesIn(listed.text()).size();
}

std::vector<Track> tracksBehind(const Beginning& best, std::span<const env::Action> actions,
                                std::span<const search::Sequence> coreset,
                                const search::FunctionSequences& mined) {
  const std::vector<Part> parts = partsFor(actions, coreset);
  std::vector<Track> tracks;
  std::vector<std::string> sequences{"-minsize", "-minsize,-optsize"};
  for (const Part& part : parts) {
    sequences.push_back(part.passes);
    if (!part.attributes.empty()) sequences.push_back(part.attributes + part.passes);
  }
  tracks.push_back({best.sequence, {}, best.program, "behind", "", sequencesOf(mined, "behind", sequences)});

  const auto passesOf = [&](std::string_view name) {
    const std::optional<env::ActionIndex> action = find(actions, name);
    return action ? notation::functionPasses(actions[*action]) : std::nullopt;
  };
  const auto simplification = passesOf("function-simplification<Oz>"), late = passesOf("late-Oz");
  if (!simplification || !late || !find(actions, "inline")) return tracks;
  Track bare;
  bare.name = "bare";
  for (const char* name : {"sroa", "early-cse", "simplifycfg", "ipsccp", "globalopt", "inline",
                           "function-attrs", "deadargelim", "globaldce"})
    if (const auto action = find(actions, name)) bare.prefix.push_back(*action);
  if (const auto action = find(actions, "module-clean-up")) bare.suffix.push_back(*action);
  for (const env::ActionIndex action : best.sequence)
    if (!env::settingOf(actions[action].name).empty()) bare.suffix.push_back(action);
  bare.first = fmt::format("{},{}", *simplification, *late);
  sequences = {"-minsize," + bare.first, "-minsize,-optsize," + bare.first};
  for (const Part& part : parts) {
    sequences.push_back(fmt::format("{}{},{}", part.attributes, part.passes, bare.first));
    sequences.push_back(fmt::format("{}{},{}", part.attributes, bare.first, part.passes));
  }
  bare.sequences = sequencesOf(mined, bare.name, sequences);
  tracks.push_back(std::move(bare));
  return tracks;
}

Result<std::optional<search::FunctionLabels>> labelsOf(engine::Engine& engine, const env::SessionSpec& spec,
                                                       const Track& track, const std::string& objective) {
  ORDO_TRY_ASSIGN(std::optional<Course> course,
                  Course::begin(engine.backend(), spec, track, {.objective = objective, .done = {}}));
  if (!course) return std::nullopt;
  search::FunctionLabels labels{spec.name, track.name, {}};
  ORDO_TRY_ASSIGN(const std::vector<double> without, course->sizesWith(track.first));
  for (const double size : without) labels.sizes.push_back({size});
  for (const search::MinedSequence& sequence : track.sequences) {
    ORDO_TRY_ASSIGN(const std::vector<double> with, course->sizesWith(sequence.text));
    for (std::size_t f = 0; f < with.size(); ++f) labels.sizes[f].push_back(with[f]);
  }
  return labels;
}

Result<ByFunction> chooseByFunction(engine::Engine& engine, const env::SessionSpec& spec,
                                    const std::vector<Track>& tracks, const ByFunctionOptions& options) {
  ByFunction result;
  std::vector<std::pair<std::size_t, Course>> courses;
  std::size_t begun = 0;
  const SteadyClock clock;
  double slowest_s = 0;  // of what was done once
  const auto timed = [&](auto&& work) {
    const double begin_s = clock.seconds();
    auto done = work();
    slowest_s = std::max(slowest_s, clock.seconds() - begin_s);
    return done;
  };
  // The next of the tracks that is a beginning, if there is time for what makes it more than that.
  const auto begin = [&]() -> Status {
    while (begun < tracks.size() &&
           (begun == 0 || !options.done(result.emissions + kFewest, (kFewest + 1) * slowest_s))) {
      const std::size_t number = begun++;
      ORDO_TRY_ASSIGN(std::optional<Course> course,
                      timed([&] { return Course::begin(engine.backend(), spec, tracks[number], options); }));
      if (!course) continue;
      result.functions = std::max(result.functions, course->functions());
      result.remembered = std::max(result.remembered, course->remembered());
      courses.emplace_back(number, *std::move(course));
      break;
    }
    return {};
  };
  const auto byPromise = [](const auto& a, const auto& b) {
    return a.second.promised() < b.second.promised();
  };
  ORDO_TRY(begin());
  // The best is measured at the end, which takes as long as the longest emission.
  for (std::size_t turn = 1; !options.done(result.emissions, slowest_s); ++turn) {
    const auto isDue = [](const auto& course) {
      return course.second.over() || course.second.search().emissions() >= kFewest;
    };
    if (std::ranges::all_of(courses, isDue)) ORDO_TRY(begin());
    std::vector<std::pair<std::size_t, Course>*> open;
    for (auto& course : courses)
      if (!course.second.over()) open.push_back(&course);
    if (open.empty()) break;
    std::ranges::sort(open, [&](const auto* a, const auto* b) { return byPromise(*a, *b); });
    auto* next = open.size() > 1 && turn % kOtherTurn == 0 ? open[1] : open[0];
    for (auto* course : open)
      if (course->second.search().emissions() < kFewest) next = course;
    ORDO_TRY(timed([&] { return next->second.goOn(); }));
    ++result.emissions;
  }
  if (options.memory != nullptr)
    for (const auto& [number, course] : courses) ORDO_TRY(course.remember(*options.memory));
  std::ranges::sort(courses, byPromise);
  double least = options.least;
  for (auto& [number, course] : courses) {
    if (course.promised() >= least) continue;
    ORDO_TRY_ASSIGN(const std::optional<double> value, course.measured(options.limits));
    if (!value || *value >= least) continue;
    least = result.value = *value;
    result.track = number;
    result.choices = course.search().best();
    result.saved.clear();
    for (const auto& [name, saved] : course.search().savedBy()) result.saved.emplace_back(name, saved);
  }
  std::ranges::sort(result.saved, [](const auto& a, const auto& b) { return a.second > b.second; });
  return result;
}

}  // namespace ordo::tune
