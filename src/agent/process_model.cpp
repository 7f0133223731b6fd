// The process says first that it is ready, {"ordo_model": 1, "name": …}. Then each line of ours is a request
// and each of its own a reply (docs/formats/agent-model.md).
#include "agent/process_model.h"

#include <cstdlib>
#include <optional>

#include "agent/foreign_text.h"
#include "support/dialogue.h"

namespace ordo::agent {
namespace {

constexpr int kProtocol = 1;
constexpr double kGrace = 5;         // seconds for its end
constexpr std::size_t kWords = 600;  // of its last ones

class ProcessModel final : public Model {
 public:
  ProcessModel(std::unique_ptr<Dialogue> dialogue, std::string name)
      : dialogue_(std::move(dialogue)), name_(std::move(name)) {}
  ~ProcessModel() override {
    if (dialogue_) dialogue_->end(kGrace);
  }

  const std::string& name() const override { return name_; }
  double cpuSeconds() const override { return dialogue_ ? dialogue_->cpuSeconds() : cpu_s_; }

  Result<Reply> reply(const Json& messages, const Json& tools, const Sampling& sampling) override {
    ORDO_TRY_ASSIGN(const Json answer, ask(requestOf(messages, tools, sampling)));
    const auto message = answer.find("message");
    if (message == answer.end() || !message->is_object()) return strange(answer, "has no message");
    Reply reply;
    reply.message = *message;
    readUsage(answer.value("usage", Json()), reply);
    return reply;
  }

  Result<Guesses> propose(const Json& messages, const Json& tool, std::string_view source, std::size_t count,
                          const Sampling& sampling) override {
    Json request = requestOf(messages, Json::array({tool}), sampling);
    request["propose"] = count;
    request["source"] = source;
    ORDO_TRY_ASSIGN(const Json answer, ask(request));
    const auto list = answer.find("proposals");
    if (list == answer.end() || !list->is_array()) return strange(answer, "has no proposals");
    if (list->size() > count) return strange(answer, "has more proposals than were asked for");
    Guesses guesses;
    for (const Json& one : *list) {
      std::optional<prior::Proposal> proposal = proposalOf(one);
      if (!proposal) return strange(answer, "has a proposal that is none");
      guesses.proposals.push_back(*std::move(proposal));
    }
    Reply usage;
    readUsage(answer.value("usage", Json()), usage);
    guesses.flops = usage.flops;
    return guesses;
  }

 private:
  static Json requestOf(const Json& messages, const Json& tools, const Sampling& sampling) {
    return {{"messages", messages},
            {"tools", tools},
            {"temperature", sampling.temperature},
            {"seed", sampling.seed},
            {"max_tokens", sampling.max_tokens},
            {"repetition_penalty", sampling.repetition_penalty}};
  }

  // Nothing if it is not {"sequence": texts, "log_probability": at most 0}.
  static std::optional<prior::Proposal> proposalOf(const Json& json) {
    if (!json.is_object()) return {};
    const Json sequence = json.value("sequence", Json()), chance = json.value("log_probability", Json());
    if (!sequence.is_array() || sequence.empty() || sequence.size() > prior::kMostActions) return {};
    if (!chance.is_number() || !(chance.get<double>() <= 0)) return {};
    prior::Proposal proposal{{}, chance.get<double>()};
    for (const Json& action : sequence) {
      if (!action.is_string()) return {};
      proposal.actions.push_back(action.get<std::string>());
    }
    return proposal;
  }

  static tl::unexpected<Error> strange(const Json& answer, std::string_view what) {
    return fail(ErrorCode::kCorrupt, "the model's line {}: {}", what, foreignText(writeJson(answer), 200));
  }

  // What the process answers, an object that is no error.
  Result<Json> ask(const Json& request) {
    if (!dialogue_) return fail(ErrorCode::kUnavailable, "the model is gone");
    ORDO_TRY(dialogue_->say(writeJson(request)));
    ORDO_TRY_ASSIGN(const std::optional<std::string> line, dialogue_->hear());
    if (!line) return gone();
    Json json = Json::parse(*line, nullptr, false);
    if (!json.is_object())
      return fail(ErrorCode::kCorrupt, "the model's line is no object: {}", foreignText(*line, 200));
    if (const auto error = json.find("error"); error != json.end())
      return fail(ErrorCode::kUnsupported, "the model: {}",
                  foreignText(error->is_string() ? error->get<std::string>() : writeJson(*error), kWords));
    return json;
  }

  tl::unexpected<Error> gone() {
    cpu_s_ = dialogue_->cpuSeconds();
    const ProcessResult end = dialogue_->end(kGrace);
    dialogue_.reset();
    return fail(ErrorCode::kUnavailable, "the model {}: {}", end.ending(), foreignText(end.err, kWords));
  }

  std::unique_ptr<Dialogue> dialogue_;
  const std::string name_;
  double cpu_s_ = 0;
};

}  // namespace

Result<std::unique_ptr<Model>> openProcessModel(const std::vector<std::string>& argv,
                                                const ModelOptions& options) {
  DialogueOptions how;
  how.environment = options.environment;
  how.silence_s = options.start_s;
  how.counts_idle_time = true;
  how.stop = options.stop;
  ORDO_TRY_ASSIGN(std::unique_ptr<Dialogue> dialogue, Dialogue::start(argv, std::move(how)));
  Result<std::optional<std::string>> line = dialogue->hear();
  const Json greeting = line && *line ? Json::parse(**line, nullptr, false) : Json();
  if (!greeting.is_object() || greeting.value("ordo_model", Json()) != kProtocol) {
    const ProcessResult end = dialogue->end(kGrace);
    if (!line) return fail(Error(line.error()));
    return fail(ErrorCode::kUnavailable,
                "the model does not start ({}): {}\nIt needs Python with the package ordo and its extra: "
                "./ordo python --with agent -c ''",
                end.ending(), foreignText(end.err.empty() && *line ? **line : end.err, kWords));
  }
  dialogue->waitAtMost(options.reply_s);
  const Json name = greeting.value("name", Json());
  return std::make_unique<ProcessModel>(std::move(dialogue),
                                        name.is_string() ? name.get<std::string>() : "model");
}

Result<std::unique_ptr<Model>> openProcessModel(const std::string& spec, const ModelOptions& options) {
  const char* const python = std::getenv("ORDO_PYTHON");
  return openProcessModel(std::vector<std::string>{python != nullptr && *python != '\0' ? python : "python3",
                                                   "-m", "ordo.agent.serve", spec},
                          options);
}

}  // namespace ordo::agent
