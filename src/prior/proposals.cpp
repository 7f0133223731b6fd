#include "prior/proposals.h"

#include <cmath>
#include <set>

#include "support/files.h"
#include "support/json.h"

namespace ordo::prior {
namespace {

constexpr std::int64_t kFormat = 1;

Result<double> amount(const JsonObject& object, std::string_view key) {
  ORDO_TRY_ASSIGN(const double value, object.get<double>(key, 0.0));
  if (!(std::isfinite(value) && value >= 0))
    return fail(ErrorCode::kCorrupt, "{}: '{}' is no amount", object.where(), key);
  return value;
}

Result<Proposal> readProposal(const JsonObject& object) {
  Proposal proposal;
  ORDO_TRY_ASSIGN(proposal.actions, object.get<std::vector<std::string>>("sequence"));
  ORDO_TRY_ASSIGN(proposal.log_probability, object.get<double>("log_probability", 0.0));
  if (proposal.actions.empty() || proposal.actions.size() > kMostActions)
    return fail(ErrorCode::kCorrupt, "{}: a sequence has 1 to {} actions", object.where(), kMostActions);
  if (!(proposal.log_probability <= 0) || !std::isfinite(proposal.log_probability))
    return fail(ErrorCode::kCorrupt, "{}: 'log_probability' is that of no probability", object.where());
  return proposal;
}

Result<Proposals> readProposals(const JsonObject& object) {
  Proposals proposals;
  ORDO_TRY_ASSIGN(proposals.program, object.get<std::string>("program"));
  ORDO_TRY_ASSIGN(proposals.objective, object.get<std::string>("objective"));
  ORDO_TRY_ASSIGN(proposals.cpu_s, amount(object, "cpu_s"));
  ORDO_TRY_ASSIGN(proposals.flops, amount(object, "flops"));
  ORDO_TRY_ASSIGN(const std::vector<JsonObject> list, object.objects("proposals"));
  if (list.size() > kMostProposals)
    return fail(ErrorCode::kCorrupt, "{}: more than {} proposals", object.where(), kMostProposals);
  std::set<std::vector<std::string>> seen;
  for (const JsonObject& one : list) {
    ORDO_TRY_ASSIGN(Proposal proposal, readProposal(one));
    if (!seen.insert(proposal.actions).second)
      return fail(ErrorCode::kCorrupt, "{}: a sequence stands twice", one.where());
    proposals.proposals.push_back(std::move(proposal));
  }
  return proposals;
}

Status readHeader(const JsonObject& object, File& file) {
  ORDO_TRY_ASSIGN(const std::int64_t format, object.get<std::int64_t>("ordo_proposals"));
  if (format != kFormat)
    return fail(ErrorCode::kUnsupported, "{} has proposals of format {}, and this Ordo reads {}",
                object.where(), format, kFormat);
  ORDO_TRY_ASSIGN(file.model, object.get<std::string>("model"));
  ORDO_TRY_ASSIGN(file.temperature, amount(object, "temperature"));
  ORDO_TRY_ASSIGN(file.seed, object.get<std::int64_t>("seed"));
  ORDO_TRY_ASSIGN(file.count, object.get<std::int64_t>("count"));
  return {};
}

}  // namespace

std::vector<std::vector<std::string>> Proposals::sequences() const {
  std::vector<std::vector<std::string>> all;
  for (const Proposal& proposal : proposals) all.push_back(proposal.actions);
  return all;
}

const Proposals* File::find(const std::string& program, const std::string& objective) const {
  const auto found = programs.find({program, objective});
  return found == programs.end() ? nullptr : &found->second;
}

std::string writeHeader(const File& file) {
  return writeJson(Json{{"ordo_proposals", kFormat},
                        {"model", file.model},
                        {"temperature", file.temperature},
                        {"seed", file.seed},
                        {"count", file.count}}) +
         "\n";
}

std::string writeLine(const Proposals& proposals) {
  Json list = Json::array();
  for (const Proposal& proposal : proposals.proposals)
    list.push_back({{"sequence", proposal.actions}, {"log_probability", proposal.log_probability}});
  return writeJson(Json{{"program", proposals.program},
                        {"objective", proposals.objective},
                        {"proposals", std::move(list)},
                        {"cpu_s", proposals.cpu_s},
                        {"flops", proposals.flops}}) +
         "\n";
}

Result<File> parse(std::string_view text, std::string_view name) {
  File file;
  std::size_t number = 0;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    const std::string where = fmt::format("{}:{}", name, ++number);
    ORDO_TRY_ASSIGN(const Json json, parseJsonWithUniqueKeys(text.substr(0, end), where));
    text.remove_prefix(end + 1);
    ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, where));
    if (number == 1) {
      ORDO_TRY(readHeader(object, file));
      continue;
    }
    ORDO_TRY_ASSIGN(Proposals proposals, readProposals(object));
    std::pair key(proposals.program, proposals.objective);
    if (!file.programs.try_emplace(std::move(key), std::move(proposals)).second)
      return fail(ErrorCode::kCorrupt, "{}: the program stands twice", where);
  }
  if (number == 0)
    return fail(ErrorCode::kCorrupt, "{} has no proposals; 'ordo agent propose' writes such a file", name);
  return file;
}

Result<File> read(const std::string& path) {
  ORDO_TRY_ASSIGN(const std::string text, readFile(path));
  return parse(text, path);
}

}  // namespace ordo::prior
