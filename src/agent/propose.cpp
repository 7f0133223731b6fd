// The features are asked for in the model's place, with the tool that it would use, so that the dialogue
// reads like those it has learned from.
#include "agent/propose.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "agent/conversation.h"
#include "agent/foreign_text.h"
#include "agent/tool.h"
#include "support/files.h"

namespace ordo::agent {
namespace {

constexpr const char* kFeatures = "get_features";
constexpr const char* kMeasure = "measure_sequence";
constexpr std::size_t kSource = 6000;  // bytes of it that a model is shown

Result<Json> opening(Host& host, const std::string& handle, const OpenedProgram& program) {
  Json messages = firstMessages(program);
  const Json arguments{{"sequence", Json::array()}};
  messages.push_back(
      {{"role", "assistant"},
       {"content", ""},
       {"tool_calls",
        Json::array({{{"id", "call_1"},
                      {"type", "function"},
                      {"function", {{"name", kFeatures}, {"arguments", writeJson(arguments)}}}}})}});
  Json asked = arguments;
  asked["program"] = handle;
  const Json features = host.call(kFeatures, asked);
  if (features.contains("error"))
    return fail(ErrorCode::kUnsupported, "the program's features are not to be had: {}",
                writeJson(features["error"]));
  messages.push_back(
      {{"role", "tool"}, {"tool_call_id", "call_1"}, {"name", kFeatures}, {"content", writeJson(features)}});
  return messages;
}

Json measureTool() {
  const Json offered = offeredTools();
  const auto found =
      std::ranges::find_if(offered, [](const Json& tool) { return tool["function"]["name"] == kMeasure; });
  ORDO_CHECK(found != offered.end(), "there is no tool {}", kMeasure);
  return *found;
}

// The program's text, if it is text.
std::string sourceOf(const OpenedProgram& program) {
  const frontend::Source& source = program.input().source;
  if (source.language == "ir") return "";
  const Result<std::string> text = readFile(source.dir / source.path);
  return text ? foreignText(*text, kSource) : "";
}

}  // namespace

Result<prior::Proposals> propose(Host& host, const std::string& handle, Model& model,
                                 const ProposeOptions& options) {
  const std::shared_ptr<OpenedProgram> program = host.find(handle);
  if (program == nullptr) return fail(ErrorCode::kNotFound, "no program is open under '{}'", handle);
  ORDO_TRY_ASSIGN(const Json messages, opening(host, handle, *program));
  const double before_s = model.cpuSeconds();
  ORDO_TRY_ASSIGN(Guesses guesses, model.propose(messages, measureTool(), sourceOf(*program), options.count,
                                                 options.sampling));
  prior::Proposals proposals{program->input().program.uri, program->objective()};
  proposals.cpu_s = std::max(0.0, model.cpuSeconds() - before_s);
  proposals.flops = guesses.flops;
  std::set<std::vector<std::string>> seen;
  for (prior::Proposal& proposal : guesses.proposals) {
    if (!program->read(proposal.actions) || !seen.insert(proposal.actions).second) continue;
    proposals.proposals.push_back(std::move(proposal));
  }
  std::ranges::sort(proposals.proposals, [](const prior::Proposal& a, const prior::Proposal& b) {
    return std::tie(b.log_probability, a.actions) < std::tie(a.log_probability, b.actions);
  });
  return proposals;
}

}  // namespace ordo::agent
