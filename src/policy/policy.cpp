// Policy::parse() checks from the outside in: the file, its metadata, the feature schema, the network, and
// then that network, schema and actions fit each other. The hash of the schema is compared with that of an
// encoder made for as many actions, so features that have changed since are found here. Policy::bind() makes
// a table for each direction, policy to session and back; what the session lacks is never legal, and what the
// policy does not know is kOtherAction in its history.
#include "policy/policy.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "support/files.h"

namespace ordo::policy {
namespace {

constexpr std::string_view kFormat = "1";

using Metadata = std::map<std::string, std::string>;

Result<std::string> readText(const Metadata& metadata, const std::string& key, std::string_view file) {
  const auto found = metadata.find(key);
  if (found == metadata.end())
    return fail(ErrorCode::kCorrupt, "{}: the metadata '{}' is missing", file, key);
  return found->second;
}

Result<Hash128> readHash(const Metadata& metadata, const std::string& key, std::string_view file) {
  ORDO_TRY_ASSIGN(const std::string text, readText(metadata, key, file));
  const std::optional<Hash128> hash = Hash128::fromHex(text);
  if (!hash) return fail(ErrorCode::kCorrupt, "{}: the metadata '{}' is no hash", file, key);
  return *hash;
}

Result<std::vector<std::string>> readActions(const Metadata& metadata, std::string_view file) {
  ORDO_TRY_ASSIGN(const std::string text, readText(metadata, "actions", file));
  std::vector<std::string> actions;
  std::set<std::string_view> seen;
  for (std::string_view rest = text;;) {
    const std::string_view action = rest.substr(0, rest.find('\n'));
    if (action.empty())
      return fail(ErrorCode::kCorrupt, "{}: the metadata 'actions' has an empty line", file);
    if (!seen.insert(action).second) {
      return fail(ErrorCode::kCorrupt, "{}: the metadata 'actions' has '{}' twice", file, action);
    }
    actions.emplace_back(action);
    if (action.size() == rest.size()) break;
    rest.remove_prefix(action.size() + 1);
  }
  if (actions.back() != kStop || actions.size() < 2) {
    return fail(ErrorCode::kCorrupt, "{}: the metadata 'actions' should be actions, then '{}'", file, kStop);
  }
  return actions;
}

Result<PolicyInfo> readInfo(const Metadata& metadata, std::string_view file) {
  ORDO_TRY_ASSIGN(const std::string format, readText(metadata, "format", file));
  if (format != kFormat) {
    return fail(ErrorCode::kUnsupported, "{} is a policy of format '{}', and this Ordo reads format {}", file,
                format, kFormat);
  }
  PolicyInfo info;
  ORDO_TRY_ASSIGN(const std::string architecture, readText(metadata, "architecture", file));
  Result<Architecture> known = architectureOf(architecture);
  if (!known) return fail(std::move(known).error().context(file));
  info.architecture = *known;
  ORDO_TRY_ASSIGN(info.schema_hash, readHash(metadata, "schema_hash", file));
  ORDO_TRY_ASSIGN(info.space, readText(metadata, "space", file));
  ORDO_TRY_ASSIGN(info.space_hash, readHash(metadata, "space_hash", file));
  ORDO_TRY_ASSIGN(info.actions, readActions(metadata, file));
  ORDO_TRY_ASSIGN(info.backend_version, readText(metadata, "backend_version", file));
  ORDO_TRY_ASSIGN(info.provenance, readText(metadata, "provenance", file));
  return info;
}

// Metadata that is none of ours is a mistake of whoever wrote it.
Status checkKeys(const Metadata& metadata, std::string_view file) {
  for (const auto& [key, value] : metadata) {
    static constexpr std::string_view kKnown[] = {"format",          "architecture", "schema_hash",
                                                  "space",           "space_hash",   "actions",
                                                  "backend_version", "provenance"};
    if (std::find(std::begin(kKnown), std::end(kKnown), key) == std::end(kKnown))
      return fail(ErrorCode::kCorrupt, "{}: the metadata '{}' is unknown", file, key);
  }
  return {};
}

}  // namespace

std::vector<std::uint8_t> Binding::legal(std::span<const std::uint8_t> session_legal) const {
  ORDO_CHECK(session_legal.size() == known_.size(), "{} bytes for {} actions", session_legal.size(),
             known_.size());
  std::vector<std::uint8_t> legal;
  for (const std::optional<env::ActionIndex>& action : actions_)
    legal.push_back(action && session_legal[*action] != 0);
  legal.push_back(1);
  return legal;
}

std::vector<std::uint32_t> Binding::history(std::span<const env::ActionIndex> session_history) const {
  std::vector<std::uint32_t> history;
  for (const env::ActionIndex action : session_history) {
    if (action == env::kPipe) continue;
    ORDO_CHECK(action < known_.size(), "action {} of {}", action, known_.size());
    history.push_back(known_[action]);
  }
  return history;
}

Result<Policy> Policy::load(const std::filesystem::path& path) {
  ORDO_TRY_ASSIGN(const std::string bytes, readFile(path));
  return parse(bytes, path.string());
}

Result<Policy> Policy::parse(std::string_view bytes, std::string_view name) {
  ORDO_TRY_ASSIGN(const SafeTensors file, parseSafetensors(bytes, name));
  ORDO_TRY_ASSIGN(PolicyInfo info, readInfo(file.metadata, name));
  ORDO_TRY(checkKeys(file.metadata, name));
  Encoder encoder(info.actions.size() - 1);
  if (info.schema_hash != encoder.schemaHash()) {
    return fail(
        ErrorCode::kUnsupported,
        "{}: it was trained on other features (schema {}) than this Ordo computes ({}); train it anew", name,
        info.schema_hash.hex(), encoder.schemaHash().hex());
  }
  ORDO_TRY_ASSIGN(Network network, Network::create(info.architecture, file.tensors, name));
  if (network.shape().inputs != encoder.width()) {
    return fail(ErrorCode::kCorrupt, "{}: the network takes {} features, and its schema has {}", name,
                network.shape().inputs, encoder.width());
  }
  if (network.shape().actions != info.actions.size()) {
    return fail(ErrorCode::kCorrupt, "{}: the network has {} logits, and there are {} actions", name,
                network.shape().actions, info.actions.size());
  }
  return Policy(std::move(info), std::move(network), std::move(encoder));
}

Result<Binding> Policy::bind(std::span<const env::Action> actions) const {
  std::unordered_map<std::string_view, env::ActionIndex> indices;
  for (std::size_t i = 0; i < actions.size(); ++i)
    indices.emplace(actions[i].name, static_cast<env::ActionIndex>(i));

  Binding binding;
  binding.known_.assign(actions.size(), kOtherAction);
  const std::size_t wanted = info_.actions.size() - 1;
  std::size_t bound = 0;
  for (std::size_t i = 0; i < wanted; ++i) {
    const auto found = indices.find(info_.actions[i]);
    if (found == indices.end()) {
      binding.actions_.push_back(std::nullopt);
      continue;
    }
    binding.actions_.push_back(found->second);
    binding.known_[found->second] = static_cast<std::uint32_t>(i);
    ++bound;
  }
  if (2 * bound < wanted) {
    return fail(ErrorCode::kUnsupported,
                "the policy knows the space {}: only {} of its {} actions are there, and half are needed",
                info_.space, bound, wanted);
  }
  return binding;
}

std::string writePolicy(const PolicyInfo& info, std::vector<Tensor> tensors) {
  SafeTensors file;
  file.metadata = {{"format", std::string(kFormat)},
                   {"architecture", std::string(name(info.architecture))},
                   {"schema_hash", info.schema_hash.hex()},
                   {"space", info.space},
                   {"space_hash", info.space_hash.hex()},
                   {"actions", fmt::format("{}", fmt::join(info.actions, "\n"))},
                   {"backend_version", info.backend_version},
                   {"provenance", info.provenance}};
  file.tensors = std::move(tensors);
  return writeSafetensors(file);
}

}  // namespace ordo::policy
