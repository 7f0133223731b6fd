// An attempt has a host of tools of its own, with an engine that remembers nothing of other runs, and borrows
// the thread's model from the pool. Processor time is that of both since the program was ready: making it
// ready is no method's. Seeds of the model's chance are far apart, because each reply takes the next one.
#include "agent_method/method.h"

#include <cmath>
#include <cstdlib>

#include "agent/conversation.h"
#include "agent/host.h"
#include "agent_method/feedback.h"
#include "agent_method/settings.h"
#include "search/driver/driver.h"

namespace ordo::agent_method {
namespace {

constexpr double kMostCompiles = 1e7, kMostSeconds = 86400;
constexpr std::uint64_t kSeedsOfRun = 1009;  // more than a dialogue has replies
constexpr double kLeastSearch = 10;          // compiles

// Tools that measure by the clock, or check what a study does not ask for: their answers differ each time.
constexpr const char* kNotInStudies[] = {"time_sequence", "check_sequence"};

std::vector<std::string> withoutOf(const Settings& settings) {
  std::vector<std::string> without = settings.without;
  without.insert(without.end(), std::begin(kNotInStudies), std::end(kNotInStudies));
  if (settings.search == Search::kNone || settings.search == Search::kAlways)
    without.emplace_back("search_sequences");
  return without;
}

class AgentAttempt final : public study::Attempt {
 public:
  AgentAttempt(Settings settings, Surroundings surroundings, std::shared_ptr<ModelPool> pool,
               study::Task task)
      : settings_(std::move(settings)),
        surroundings_(std::move(surroundings)),
        pool_(std::move(pool)),
        task_(std::move(task)) {}

  Status run(search::SearchContext& context) override {
    ORDO_TRY(hold(context));
    if (settings_.search == Search::kAlways) ORDO_TRY(searchOn(context));
    return {};
  }

  double cpuSeconds() const override {
    return (host_ == nullptr ? tools_cpu_s_ : toolsCpuSeconds()) +
           (model_ == nullptr ? model_cpu_s_ : modelCpuSeconds());
  }
  std::optional<study::Talk> talk() const override { return talk_; }

 private:
  double toolsCpuSeconds() const { return host_->engine().usage().cpu_s - tools_before_s_; }
  double modelCpuSeconds() const { return model_->cpuSeconds() - model_before_s_; }

  Status hold(search::SearchContext& context) {
    ORDO_TRY_ASSIGN(ModelPool::Entry* const entry, pool_->get(settings_.model, settings_.reply_s));
    ORDO_TRY_ASSIGN(host_,
                    agent::Host::start({.knowledge = surroundings_.knowledge,
                                        .policy = surroundings_.policy,
                                        .most = {kMostCompiles, kMostSeconds},
                                        .stop = surroundings_.stop,
                                        .engine = {.limits = {.spin = false}, .remember_crashes = false}}));
    agent::OpenRequest request;
    request.file = task_.program;
    request.objective = task_.objective;
    request.space = surroundings_.space;
    request.budget = {context.evaluationsLeft(), settings_.seconds};
    request.seed = task_.seed;
    request.judge = {&context.evaluator(), context.seeds()};
    ORDO_TRY_ASSIGN(const std::string handle, host_->open(request));
    tools_before_s_ = host_->engine().usage().cpu_s;
    model_ = entry->model.get();
    model_before_s_ = model_->cpuSeconds();

    const Result<agent::Conversation> held =
        agent::converse(*host_, handle, *model_, howFor(*host_->find(handle)), {});
    tools_cpu_s_ = toolsCpuSeconds();
    model_cpu_s_ = modelCpuSeconds();
    model_ = nullptr;
    if (held) record(*held, *host_->find(handle), entry->start_cpu_s);
    if (held && held->end == agent::End::kModel && !held->refused) pool_->drop(entry);
    host_.reset();
    if (!held) return fail(held.error().code, "{}", held.error().message);
    if (held->end == agent::End::kModel || held->end == agent::End::kTime)
      return fail(ErrorCode::kCorrupt, "{}", talk_->why);
    return {};
  }

  agent::ConversationOptions howFor(const agent::OpenedProgram& program) const {
    agent::ConversationOptions how;
    how.replies = settings_.replies;
    how.seconds = settings_.seconds;
    how.sampling = {.temperature = settings_.temperature,
                    .seed = task_.seed * kSeedsOfRun,
                    .max_tokens = settings_.tokens,
                    .repetition_penalty = settings_.penalty};
    how.stop = surroundings_.stop;
    how.without = withoutOf(settings_);
    const double half = std::floor(program.left().compiles / 2);
    if (settings_.search == Search::kPrompt && half >= kLeastSearch)
      how.first = {
          {"name", "search_sequences"},
          {"arguments", {{"sequence", Json::array()}, {"compiles", static_cast<std::int64_t>(half)}}}};
    const auto feedback = std::make_shared<ShuffledFeedback>(
        task_.seed, program.baselineValue(), program.startValue(), program.gain(program.startValue()));
    how.retell = [feedback, shuffled = settings_.shuffled](std::string_view, Json& result) {
      for (const char* costs : {"cost", "left"}) {
        if (const auto found = result.find(costs); found != result.end()) found->erase("seconds");
      }
      if (shuffled) feedback->shuffle(result);
    };
    return how;
  }

  void record(const agent::Conversation& held, const agent::OpenedProgram& program, double start_cpu_s) {
    study::Talk talk;
    talk.end = agent::name(held.end);
    talk.answered = held.end == agent::End::kSubmitted;
    if (!talk.answered) talk.why = held.why.empty() ? talk.end : fmt::format("{}: {}", talk.end, held.why);
    talk.actions = program.names(program.answer().actions);
    talk.replies = static_cast<std::uint64_t>(held.replies);
    talk.calls = static_cast<std::uint64_t>(held.calls);
    talk.failed_calls = static_cast<std::uint64_t>(held.failed_calls);
    talk.prompt_tokens = held.prompt_tokens;
    talk.completion_tokens = held.completion_tokens;
    talk.flops = held.flops;
    talk.flops_from = held.flops > 0 ? "the model" : "unknown";
    if (held.flops <= 0 && settings_.parameters > 0) {
      talk.flops = 2 * settings_.parameters * (held.prompt_tokens + held.completion_tokens);
      talk.flops_from = "2 x parameters x tokens";
    }
    talk.model_cpu_s = model_cpu_s_;
    talk.start_cpu_s = start_cpu_s;
    talk_ = std::move(talk);
    answer_ = program.answer().actions;
  }

  // What is left of the compiles, from the dialogue's answer.
  Status searchOn(search::SearchContext& context) {
    search::Evaluator& evaluator = context.evaluator();
    const double left =
        static_cast<double>(task_.compiles) - static_cast<double>(evaluator.statistics().evaluations);
    if (left < kLeastSearch) return {};
    search::SearchOptions options;
    options.searcher = search::find("policy");
    options.budget.evaluations = static_cast<double>(task_.compiles);
    for (const search::Evaluation& seed : context.seeds()) options.seeds.push_back(seed.actions);
    options.seeds.push_back(answer_);
    options.max_length = context.maxLength();
    options.seed = task_.seed;
    options.knowledge = context.knowledge();
    options.explain = false;
    ORDO_TRY(search::search(evaluator, options));
    return {};
  }

  const Settings settings_;
  const Surroundings surroundings_;
  const std::shared_ptr<ModelPool> pool_;
  const study::Task task_;
  std::unique_ptr<agent::Host> host_;  // while it is used
  agent::Model* model_ = nullptr;      // likewise
  double tools_before_s_ = 0, tools_cpu_s_ = 0, model_before_s_ = 0, model_cpu_s_ = 0;
  std::optional<study::Talk> talk_;
  search::Sequence answer_;
};

}  // namespace

std::shared_ptr<ModelPool> makePool(const std::atomic<bool>* stop) {
  agent::ModelOptions options;
  options.stop = stop;
  if (std::getenv("OMP_NUM_THREADS") == nullptr) options.environment = {"OMP_NUM_THREADS=1"};
  return std::make_shared<ModelPool>(std::move(options));
}

Result<study::Method> makeMethod(const std::string& text, const Surroundings& surroundings,
                                 std::shared_ptr<ModelPool> pool) {
  ORDO_TRY_ASSIGN(const Settings settings, parse(text));
  ORDO_TRY_ASSIGN(std::string name, nameOf(settings));
  ORDO_TRY(pool->get(settings.model, settings.reply_s));
  return study::Method{std::move(name), [=](const study::Task& task) {
                         return std::make_unique<AgentAttempt>(settings, surroundings, pool, task);
                       }};
}

}  // namespace ordo::agent_method
