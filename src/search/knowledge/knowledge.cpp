// The file is read field by field with JsonObject, so that every complaint names the place; older formats
// lack fields but are otherwise the same. knowledgeFor() turns names into indices (Names): a sequence with an
// unknown action is left out as a whole, but a missing choice of the code generator only from its sequence.
// An estimate goes with the first sequences of a coreset, place by place, so openingsOf() gives it up if one
// of them is not complete. coreset() merges those of several metrics by D'Hondt's rule.
#include "search/knowledge/knowledge.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <unordered_map>

#include "env/preference.h"
#include "support/json.h"

namespace ordo::search {
namespace {

constexpr std::int64_t kFormat = 5;
constexpr std::int64_t kOldest = 2;     // without kinds
constexpr std::int64_t kEstimates = 4;  // the first with estimates; they were all of kOldObservation
constexpr std::string_view kOldObservation = "autophase";
constexpr std::size_t kMostCounts = 4096;

Status corrupt(const JsonObject& object, std::string_view complaint) {
  return fail(ErrorCode::kCorrupt, "{}: {}", object.where(), complaint);
}

Result<Hash128> readHash(const JsonObject& object, std::string_view key) {
  ORDO_TRY_ASSIGN(const std::string text, object.get<std::string>(key));
  const std::optional<Hash128> hash = Hash128::fromHex(text);
  if (!hash) return fail(ErrorCode::kCorrupt, "{}: '{}' is no hash", object.where(), key);
  return *hash;
}

Status readOrigin(const JsonObject& root, KnowledgeFile& file) {
  ORDO_TRY_ASSIGN(file.backend, root.get<std::string>("backend"));
  ORDO_TRY_ASSIGN(file.backend_version, root.get<std::string>("version"));
  ORDO_TRY_ASSIGN(file.space, root.get<std::string>("space"));
  ORDO_TRY_ASSIGN(file.space_hash, readHash(root, "space_hash"));
  ORDO_TRY_ASSIGN(file.objective, root.get<std::string>("objective"));
  ORDO_TRY_ASSIGN(file.baseline, root.get<std::string>("baseline"));
  ORDO_TRY_ASSIGN(file.observation, root.get<std::string>("observation"));
  ORDO_TRY_ASSIGN(file.budget, root.get<std::string>("budget"));
  ORDO_TRY_ASSIGN(file.seed, root.get<std::int64_t>("seed"));
  return {};
}

Status readPrograms(const JsonObject& root, KnowledgeFile& file) {
  ORDO_TRY_ASSIGN(const std::vector<JsonObject> objects, root.objects("programs"));
  std::set<std::string> uris;
  for (const JsonObject& object : objects) {
    ORDO_TRY(object.onlyHas({"uri", "hash", "features", "best", "gain"}));
    KnowledgeFile::Program program;
    ORDO_TRY_ASSIGN(program.uri, object.get<std::string>("uri"));
    ORDO_TRY_ASSIGN(program.hash, readHash(object, "hash"));
    ORDO_TRY_ASSIGN(program.features, object.get<std::vector<double>>("features"));
    ORDO_TRY_ASSIGN(program.best, object.get<std::vector<std::string>>("best"));
    ORDO_TRY_ASSIGN(program.gain, object.get<double>("gain"));
    if (!uris.insert(program.uri).second) return corrupt(object, "a program that was there before");
    if (!file.programs.empty() && program.features.size() != file.programs.front().features.size())
      return corrupt(object, "as many features as every other program has are needed");
    file.programs.push_back(std::move(program));
  }
  return {};
}

Status readSynergies(const JsonObject& root, KnowledgeFile& file) {
  ORDO_TRY_ASSIGN(const std::vector<JsonObject> objects, root.objects("synergies"));
  std::set<std::pair<std::string, std::string>> pairs;
  for (const JsonObject& object : objects) {
    ORDO_TRY(object.onlyHas({"first", "second", "programs"}));
    KnowledgeFile::Synergy synergy;
    ORDO_TRY_ASSIGN(synergy.first, object.get<std::string>("first"));
    ORDO_TRY_ASSIGN(synergy.second, object.get<std::string>("second"));
    ORDO_TRY_ASSIGN(synergy.programs, object.get<std::int64_t>("programs"));
    if (synergy.programs < 1 || synergy.programs > static_cast<std::int64_t>(file.programs.size()))
      return corrupt(object, "'programs' should be from 1 to how many there are");
    if (!pairs.emplace(synergy.first, synergy.second).second)
      return corrupt(object, "a pair that was there before");
    file.synergies.push_back(std::move(synergy));
  }
  return {};
}

Status readCoreset(const JsonObject& root, KnowledgeFile& file) {
  ORDO_TRY_ASSIGN(const std::vector<JsonObject> objects, root.objects("coreset"));
  for (const JsonObject& object : objects) {
    ORDO_TRY(object.onlyHas({"kind", "objective", "actions"}));
    ORDO_TRY_ASSIGN(const std::string kind, object.get<std::string>("kind", ""));
    ORDO_TRY_ASSIGN(const std::string objective, object.get<std::string>("objective"));
    ORDO_TRY_ASSIGN(std::vector<std::string> actions, object.get<std::vector<std::string>>("actions"));
    if (actions.empty()) return corrupt(object, "an empty sequence is none");
    (kind.empty() ? file.coresets : file.kinds[kind])[objective].push_back(std::move(actions));
  }
  return {};
}

Status readEstimates(const JsonObject& root, std::int64_t format, KnowledgeFile& file) {
  ORDO_TRY_ASSIGN(const std::vector<JsonObject> objects, root.objects("estimates"));
  for (const JsonObject& object : objects) {
    ORDO_TRY(object.onlyHas({"kind", "objective", "observation", "weights", "offsets"}));
    ORDO_TRY_ASSIGN(const std::string kind, object.get<std::string>("kind", ""));
    ORDO_TRY_ASSIGN(const std::string objective, object.get<std::string>("objective"));
    Estimate estimate;
    estimate.observation = kOldObservation;
    if (format > kEstimates) {
      ORDO_TRY_ASSIGN(estimate.observation, object.get<std::string>("observation"));
    }
    ORDO_TRY_ASSIGN(estimate.weights, object.get<std::vector<double>>("weights"));
    ORDO_TRY_ASSIGN(estimate.offsets, object.get<std::vector<double>>("offsets"));
    if (estimate.weights.empty() || estimate.weights.size() > kMostCounts)
      return corrupt(object, fmt::format("'weights' should be 1 to {}", kMostCounts));
    const auto* coreset = file.coreset(kind, objective);
    if (coreset == nullptr || estimate.offsets.empty() || estimate.offsets.size() > coreset->size())
      return corrupt(object, "'offsets' should be as many as the coreset's sequences, or fewer");
    if (!file.estimates.emplace(std::pair(kind, objective), std::move(estimate)).second)
      return corrupt(object, "an estimate that was there before");
  }
  return {};
}

// Names of actions as indices into those of one search.
class Names {
 public:
  explicit Names(std::span<const env::Action> actions) {
    for (const env::Action& action : actions)
      indices_.emplace(action.name, static_cast<env::ActionIndex>(indices_.size()));
  }

  std::optional<env::ActionIndex> find(std::string_view name) const {
    const auto found = indices_.find(name);
    return found == indices_.end() ? std::nullopt : std::optional(found->second);
  }

  // Nothing if an action is missing; but a choice of the code generator, without which the passes are what
  // they are, is left out.
  std::optional<Sequence> find(std::span<const std::string> names) const {
    Sequence sequence;
    for (const std::string& name : names) {
      const std::optional<env::ActionIndex> action = find(name);
      if (!action && !env::settingOf(name).empty()) continue;
      if (!action) return std::nullopt;
      sequence.push_back(*action);
    }
    return sequence;
  }

 private:
  std::unordered_map<std::string_view, env::ActionIndex> indices_;
};

// The sequences of one metric among those of several.
struct Turn {
  double weight;
  std::span<const Sequence> sequences;
  std::size_t taken = 0;

  // Who has the greatest is next: so each has its share of however many are taken (D'Hondt's rule).
  double claim() const { return taken == sequences.size() ? 0 : weight / static_cast<double>(taken + 1); }
};

}  // namespace

std::vector<Sequence> Knowledge::coreset(const std::string& objective) const {
  if (coresets.empty()) return {};
  const auto preference = env::parsePreference(objective);
  if (!preference || preference->single()) {
    const auto found = coresets.find(objective);
    return found == coresets.end() ? coresets.begin()->second : found->second;
  }
  std::vector<Turn> turns;
  for (const env::Preference::Part& part : preference->parts) {
    const auto found = coresets.find(part.metric);
    if (found != coresets.end()) turns.push_back({part.weight, found->second});
  }
  if (turns.empty()) return coresets.begin()->second;
  std::vector<Sequence> merged;
  for (;;) {
    const auto next = std::ranges::max_element(turns, {}, &Turn::claim);
    if (next == turns.end() || next->claim() == 0) return merged;
    const Sequence& sequence = next->sequences[next->taken++];
    if (std::ranges::find(merged, sequence) == merged.end()) merged.push_back(sequence);
  }
}

namespace {

void writeCoresets(const KnowledgeFile::Coresets& coresets, const std::string& kind, Json& entries) {
  for (const auto& [objective, sequences] : coresets) {
    for (const std::vector<std::string>& actions : sequences) {
      Json entry = Json::object();
      if (!kind.empty()) entry["kind"] = kind;
      entry["objective"] = objective;
      entry["actions"] = actions;
      entries.push_back(std::move(entry));
    }
  }
}

// What a program of `kind` is, the closest first, "" for any last: what is "a/b" is "a" as well.
std::vector<std::string> kindsOf(std::string_view kind) {
  std::vector<std::string> kinds;
  while (!kind.empty()) {
    kinds.emplace_back(kind);
    const std::size_t slash = kind.rfind('/');
    kind = kind.substr(0, slash == std::string_view::npos ? 0 : slash);
  }
  kinds.emplace_back();
  return kinds;
}

// What is known to tell the first sequences of an objective's coreset apart, if all of them can be done as
// they are: an estimate knows nothing of them otherwise.
std::optional<Knowledge::Openings> openingsOf(const KnowledgeFile& file,
                                              const std::vector<std::string>& kinds,
                                              const std::string& objective, const Names& names) {
  const auto whose = std::ranges::find_if(
      kinds, [&](const std::string& kind) { return file.coreset(kind, objective) != nullptr; });
  const auto estimate =
      whose == kinds.end() ? file.estimates.end() : file.estimates.find({*whose, objective});
  if (estimate == file.estimates.end()) return std::nullopt;
  const std::vector<std::vector<std::string>>& coreset = *file.coreset(*whose, objective);
  Knowledge::Openings openings{{}, estimate->second};
  for (std::size_t i = 0; i < openings.estimate.offsets.size(); ++i) {
    std::optional<Sequence> sequence = names.find(coreset[i]);
    if (!sequence || sequence->size() != coreset[i].size()) return std::nullopt;
    openings.sequences.push_back(*std::move(sequence));
  }
  return openings;
}

// Adds those of `coresets` that the actions there are can do, and that are not there yet.
void addCoresets(const KnowledgeFile::Coresets& coresets, const Names& names, Knowledge& knowledge) {
  for (const auto& [objective, sequences] : coresets) {
    for (const std::vector<std::string>& actions : sequences) {
      std::optional<Sequence> sequence = names.find(actions);
      if (!sequence) continue;
      std::vector<Sequence>& known = knowledge.coresets[objective];
      if (std::ranges::find(known, *sequence) == known.end()) known.push_back(*std::move(sequence));
    }
  }
}

}  // namespace

const std::vector<std::vector<std::string>>* KnowledgeFile::coreset(const std::string& kind,
                                                                    const std::string& metric) const {
  const Coresets* of_kind = &coresets;
  if (!kind.empty()) {
    const auto found = kinds.find(kind);
    if (found == kinds.end()) return nullptr;
    of_kind = &found->second;
  }
  const auto found = of_kind->find(metric);
  return found == of_kind->end() ? nullptr : &found->second;
}

std::string writeKnowledge(const KnowledgeFile& file) {
  Json programs = Json::array(), synergies = Json::array(), coreset = Json::array(),
       estimates = Json::array();
  for (const KnowledgeFile::Program& program : file.programs) {
    programs.push_back({{"uri", program.uri},
                        {"hash", program.hash.hex()},
                        {"features", program.features},
                        {"best", program.best},
                        {"gain", program.gain}});
  }
  for (const KnowledgeFile::Synergy& synergy : file.synergies) {
    synergies.push_back(
        {{"first", synergy.first}, {"second", synergy.second}, {"programs", synergy.programs}});
  }
  writeCoresets(file.coresets, "", coreset);
  for (const auto& [kind, coresets] : file.kinds) writeCoresets(coresets, kind, coreset);
  for (const auto& [place, estimate] : file.estimates) {
    Json entry = Json::object();
    if (!place.first.empty()) entry["kind"] = place.first;
    entry["objective"] = place.second;
    entry["observation"] = estimate.observation;
    entry["weights"] = estimate.weights;
    entry["offsets"] = estimate.offsets;
    estimates.push_back(std::move(entry));
  }
  const Json json{
      {"format", kFormat},
      {"backend", file.backend},
      {"version", file.backend_version},
      {"space", file.space},
      {"space_hash", file.space_hash.hex()},
      {"objective", file.objective},
      {"baseline", file.baseline},
      {"observation", file.observation},
      {"budget", file.budget},
      {"seed", file.seed},
      {"programs", std::move(programs)},
      {"synergies", std::move(synergies)},
      {"coreset", std::move(coreset)},
      {"estimates", std::move(estimates)},
  };
  // One line for each entry: a file that people can read and git can compare.
  std::string text = "{\n";
  for (const auto& [key, value] : json.items()) {
    text += fmt::format("  {}: ", writeJson(key));
    if (!value.is_array()) {
      text += writeJson(value);
    } else {
      text += '[';
      for (std::size_t i = 0; i < value.size(); ++i)
        text += fmt::format("{}\n    {}", i == 0 ? "" : ",", writeJson(value[i]));
      text += value.empty() ? "]" : "\n  ]";
    }
    text += key == "estimates" ? "\n" : ",\n";
  }
  return text + "}\n";
}

Result<KnowledgeFile> parseKnowledge(std::string_view text, std::string_view name) {
  ORDO_TRY_ASSIGN(const Json json, parseJson(text, name));
  ORDO_TRY_ASSIGN(const JsonObject root, JsonObject::of(json, std::string(name)));
  ORDO_TRY_ASSIGN(const std::int64_t format, root.get<std::int64_t>("format"));
  if (format > kFormat) {
    return fail(ErrorCode::kUnsupported, "{} is knowledge of format {}, and this Ordo reads {}; update Ordo",
                name, format, kFormat);
  }
  if (format < kOldest) {
    return fail(ErrorCode::kUnsupported,
                "{} is knowledge of format {}, and this Ordo reads {}; make it again ('ordo mine')", name,
                format, kFormat);
  }
  ORDO_TRY(root.onlyHas({"format", "backend", "version", "space", "space_hash", "objective", "baseline",
                         "observation", "budget", "seed", "programs", "synergies", "coreset", "estimates"}));
  KnowledgeFile file;
  ORDO_TRY(readOrigin(root, file));
  ORDO_TRY(readPrograms(root, file));
  ORDO_TRY(readSynergies(root, file));
  ORDO_TRY(readCoreset(root, file));
  if (format >= kEstimates) ORDO_TRY(readEstimates(root, format, file));
  return file;
}

Result<Knowledge> knowledgeFor(const KnowledgeFile& file, std::span<const env::Action> actions,
                               std::vector<double> features, std::string_view kind) {
  const std::size_t width = file.programs.empty() ? 0 : file.programs.front().features.size();
  if (!features.empty() && features.size() != width) {
    return fail(ErrorCode::kInvalidArgument,
                "the knowledge has {} features of a program, this program has {}", width, features.size());
  }
  const Names names(actions);
  Knowledge knowledge;
  knowledge.features = std::move(features);
  for (const KnowledgeFile::Synergy& synergy : file.synergies) {
    const auto first = names.find(synergy.first), second = names.find(synergy.second);
    if (first && second)
      knowledge.synergies.push_back({*first, *second, static_cast<double>(synergy.programs)});
  }
  const std::vector<std::string> kinds = kindsOf(kind);
  for (const std::string& one : kinds)
    if (const auto found = file.kinds.find(one); found != file.kinds.end())
      addCoresets(found->second, names, knowledge);
  addCoresets(file.coresets, names, knowledge);
  for (const auto& [place, estimate] : file.estimates) {
    if (auto openings = openingsOf(file, kinds, place.second, names))
      knowledge.openings.insert_or_assign(place.second, *std::move(openings));
  }
  for (const KnowledgeFile::Program& program : file.programs) {
    if (auto sequence = names.find(program.best))
      knowledge.examples.push_back({program.features, *std::move(sequence), program.gain});
  }
  return knowledge;
}

std::vector<Sequence> sequencesOf(std::span<const std::vector<std::string>> sequences,
                                  std::span<const env::Action> actions) {
  const Names names(actions);
  std::vector<Sequence> found;
  for (const std::vector<std::string>& sequence : sequences) {
    if (auto one = names.find(sequence)) found.push_back(*std::move(one));
  }
  return found;
}

}  // namespace ordo::search
