#include "cli/loop.h"

#include <unistd.h>

#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "cli/terminal.h"
#include "loop/service/command_balancer.h"
#include "loop/service/commands.h"
#include "loop/service/errands.h"
#include "loop/service/metrics.h"
#include "loop/service/preflight.h"
#include "loop/service/recipes.h"
#include "loop/service/watchdog.h"
#include "support/table.h"
#include "support/text.h"

namespace ordo::cli {
namespace {

std::string shown(const std::string& candidate, const loop::Settings& settings) {
  return candidate.empty() ? settings.production : candidate;
}

// "14:03:21"
std::string timeOfDay(double seconds) {
  const auto whole = static_cast<std::time_t>(seconds);
  std::tm parts{};
  ::localtime_r(&whole, &parts);
  return fmt::format("{:02}:{:02}:{:02}", parts.tm_hour, parts.tm_min, parts.tm_sec);
}

class Printer final : public loop::Listener {
 public:
  explicit Printer(ProgressLine& progress) : progress_(progress) {}
  void step(const loop::Experiment& experiment) override {
    // What is recorded last is of no news to people.
    if (experiment.state == loop::State::kClosed) return;
    const std::string proposed =
        fmt::format("experiment {}, with probability {:.2f}", experiment.id, experiment.probability);
    say(experiment.candidate, name(experiment.state),
        experiment.state == loop::State::kProposed ? proposed : experiment.cause);
  }
  void event(const std::string& text) override { say("", "", text); }
  void alert(const std::string& text) override {
    if (text != last_) note("alert: " + text);
    last_ = text;
  }

 private:
  void say(std::string_view candidate, std::string_view state, std::string_view text) {
    progress_.clear();
    fmt::print("{}  {:<8}  {:<12}  {}\n", timeOfDay(loop::wallSeconds()), candidate, state, text);
    std::fflush(stdout);
  }
  ProgressLine& progress_;
  std::string last_;
};

// Whether answers that are wrong could be seen.
std::string answersLine(const loop::Settings& settings) {
  if (settings.answers.requests.empty())
    return "answers are not compared: a wrong one with a status that is right is not seen ([answers] of "
           "loop.toml)";
  return fmt::format("answers are compared, {:g} requests a second of {}", settings.answers.rate,
                     settings.answers.requests.filename().string());
}

std::string percent(double logarithm) { return fmt::format("{:+.2f} %", 100 * std::expm1(logarithm)); }

// "full: observe, 30 % of requests, 23 windows: speed +9 % so far, too few to tell | 98 % of the budget left"
std::string liveLine(const loop::Controller& controller, const loop::Store& store) {
  const loop::Allowance& allowance = controller.allowance();
  std::string line;
  if (const auto current = store.current(); current && *current) {
    line = fmt::format("{}: {}", (*current)->candidate, name((*current)->state));
    if (controller.share() && *controller.share() > 0)
      line += fmt::format(", {:.2g} % of requests", 100 * *controller.share());
    if (const std::optional<loop::Reward>& reward = controller.soFar())
      line += fmt::format(", {} windows: {}", reward->windows,
                          reward->speed || !reward->value
                              ? reward->why
                              : fmt::format("speed {} so far, too few to tell", percent(*reward->value)));
    line += " | ";
  }
  return line + fmt::format("{:.0f} % of the budget left", 100 * allowance.left);
}

}  // namespace

Status runLoop(const loop::Settings& settings, std::size_t experiments, bool quiet) {
  const std::atomic<bool>& stop = interrupted();
  ORDO_TRY_ASSIGN(const std::unique_ptr<loop::Balancer> balancer, loop::openBalancer(settings));
  const auto watch = [&] {
    return loop::Watchdog::start(settings.loop.lease_s, [&] { return balancer->set({}).has_value(); });
  };
  // Before anything that could start a thread. From here on whatever ends this, an error, a signal or a
  // crash, has it take out a canary, of this controller or of one before it.
  ORDO_TRY_ASSIGN(loop::Watchdog first, watch());
  std::optional<loop::Watchdog> watchdog(std::move(first));
  ORDO_TRY_ASSIGN(loop::Store store, loop::Store::open(settings.store, true));
  loop::LoopOptions options = settings.loop;
  ORDO_TRY_ASSIGN(const double leased_until, store.leasedUntil());
  // Who has it has done so, and begin() will refuse.
  if (leased_until <= loop::wallSeconds()) {
    const loop::Preflight preflight = loop::preflight(settings, false);
    for (const loop::Finding& finding : preflight.findings) {
      if (finding.grade == loop::Grade::kGood) continue;
      // What does not answer may come later, and is waited for.
      if (finding.isWrong()) return fail(finding.error());
      note(finding.error().message);
    }
    std::vector<std::string> ignored;
    if (preflight.news_s) options = loop::paced(options, *preflight.news_s, ignored);
  }
  ORDO_TRY_ASSIGN(const std::unique_ptr<loop::Metrics> metrics, loop::openMetrics(settings, *balancer));
  loop::ThreadErrands errands(settings.loop.tick_s, stop, [&] { watchdog->alive(); });
  loop::CommandBuilder builder(settings, errands.brokenOff());
  loop::TimedStage stage(settings, errands.brokenOff());
  loop::CommandPools pools(settings, builder, errands.brokenOff());
  ORDO_TRY_ASSIGN(auto sequences, loop::sequencesOf(settings));
  loop::ThompsonChooser chooser(store, settings.candidates, settings.loop.toolchain, settings.learning,
                                std::move(sequences));
  ProgressLine progress(!quiet);
  Printer printer(progress);
  printer.event(answersLine(settings));
  options.most_experiments = experiments;
  const std::string holder = fmt::format("{}-{}", ::getpid(), loop::wallSeconds());
  auto begun =
      loop::Controller::begin(store, {builder, stage, pools, *balancer, *metrics, chooser, printer, errands},
                              options, holder, loop::wallSeconds());
  if (!begun) {
    // The canary is of the controller that has this loop.
    if (store.leasedToAnother(holder, loop::wallSeconds()).value_or(false)) watchdog->release();
    return fail(std::move(begun).error());
  }
  loop::Controller& controller = **begun;
  Status done;
  while (done && !stop && !controller.idle()) {
    const auto began = std::chrono::steady_clock::now();
    done = controller.tick(loop::wallSeconds());
    if (!done) break;
    watchdog->alive();
    if (!watchdog->watches()) {
      printer.alert("the watchdog has ended or does not listen; another one is started");
      Result<loop::Watchdog> next = watch();
      if (!next) {
        // Nothing is left running that nobody watches.
        static_cast<void>(controller.end(loop::wallSeconds()));
        return fail(std::move(next).error());
      }
      watchdog.emplace(std::move(*next));
    }
    progress.show(liveLine(controller, store));
    while (!stop && std::chrono::steady_clock::now() - began < std::chrono::duration<double>(options.tick_s))
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  progress.clear();
  if (done || stop) done = controller.end(loop::wallSeconds());
  if (!controller.exposed()) watchdog->release();
  return done;
}

Result<std::string> statusPage(const loop::Settings& settings, const loop::Store& store, double now_s) {
  const loop::GovernorOptions& governor = settings.loop.governor;
  ORDO_TRY_ASSIGN(const std::string production, store.production());
  ORDO_TRY_ASSIGN(const auto spent, store.spending(now_s - governor.period_s * governor.time_scale));
  ORDO_TRY_ASSIGN(const loop::Mode mode, store.mode());
  ORDO_TRY_ASSIGN(const double until, store.leasedUntil());
  ORDO_TRY_ASSIGN(const loop::Wish wish, store.wish());
  ORDO_TRY_ASSIGN(const auto current, store.current());
  ORDO_TRY_ASSIGN(const auto rewards, store.rewards());
  const loop::Allowance allowance = loop::allow(spent, now_s, mode, governor);
  std::string page = fmt::format("production  {}\n", shown(production, settings));
  page += fmt::format("controller  {}{}\n", until > now_s ? "runs" : "none runs",
                      wish == loop::Wish::kPause ? ", paused" : "");
  page += fmt::format("budget      {}: {}; canaries get {:.0f} % at most\n", name(allowance.mode),
                      allowance.why, 100 * allowance.most_share);
  page += fmt::format("burn        {:.2f} in the last hour, {:.2f} in the last six\n", allowance.burn_hour,
                      allowance.burn_quarter_day);
  page += fmt::format("answers     {}\n", answersLine(settings));
  if (current) {
    page += fmt::format("experiment  {}: {}, {}{}{}\n", current->id, current->candidate, name(current->state),
                        current->cause.empty() ? "" : ": ", current->cause);
    ORDO_TRY_ASSIGN(const std::vector<loop::Window> windows, store.windows(current->id));
    if (!windows.empty())
      page += "            " + loop::toText(loop::computeReward(windows, settings.loop.reward));
  } else {
    page += "experiment  none\n";
  }
  Rng rng(settings.loop.seed);
  Table table{.columns = {"candidate", "value", "+-", "best", "tried", ""},
              .rows = {},
              .right = {false, true, true, true, true, false}};
  for (const loop::Value& value :
       loop::values(settings.candidates, rewards, settings.loop.toolchain, settings.learning, rng)) {
    table.rows.push_back(
        {shown(value.candidate, settings), percent(value.mean),
         fmt::format("{:.2f} %", 100 * value.deviation), fmt::format("{:.0f} %", 100 * value.best),
         std::to_string(value.rewards),
         value.barred ? fmt::format("barred: it did harm; 'ordo loop forgive {}' lifts that", value.candidate)
         : value.rests_until_s > now_s   ? fmt::format("rests for {}", duration(value.rests_until_s - now_s))
         : value.candidate == production ? "production"
                                         : ""});
  }
  return page + "\n" + format(table);
}

Result<std::string> historyTable(const loop::Store& store) {
  ORDO_TRY_ASSIGN(const std::vector<loop::Experiment> all, store.experiments());
  ORDO_TRY_ASSIGN(const std::vector<loop::StoredReward> rewards, store.rewards());
  Table table{.columns = {"experiment", "candidate", "outcome", "reward", "+-", "stage", "why"},
              .rows = {},
              .right = {false, false, false, true, true, true, false}};
  for (const loop::Experiment& experiment : all) {
    std::vector<std::string> row = {
        experiment.id,
        experiment.candidate,
        std::string(experiment.outcome ? name(*experiment.outcome) : name(experiment.state)),
        "",
        "",
        experiment.staged ? percent(*experiment.staged) : "",
        experiment.cause};
    for (const loop::StoredReward& reward : rewards) {
      if (reward.experiment != experiment.id) continue;
      if (reward.value) {
        row[3] = reward.censored ? "harm" : percent(*reward.value);
        row[4] = reward.censored ? "" : fmt::format("{:.2f} %", 100 * *reward.error);
      }
      row[6] = reward.why;
    }
    table.rows.push_back(std::move(row));
  }
  return format(table);
}

Result<std::string> verdictPage(const loop::Store& store, const std::string& id, double now_s) {
  ORDO_TRY_ASSIGN(const loop::Experiment experiment, store.experiment(id));
  ORDO_TRY_ASSIGN(const std::vector<loop::Transition> steps, store.transitions(id));
  ORDO_TRY_ASSIGN(const std::vector<loop::StoredReward> rewards, store.rewards());
  std::string page = fmt::format("{}: {}, {}\n", id, experiment.candidate,
                                 experiment.outcome ? name(*experiment.outcome) : name(experiment.state));
  page += fmt::format("{}  proposed with probability {:.2f} by {}\n", timeOfDay(experiment.created_s),
                      experiment.probability, experiment.policy);
  for (const loop::Transition& step : steps)
    page += fmt::format("{}  {}{}{}\n", timeOfDay(step.at_s), name(step.to), step.cause.empty() ? "" : ": ",
                        step.cause);
  for (const loop::StoredReward& reward : rewards) {
    if (reward.experiment != id) continue;
    page +=
        fmt::format("reward: {}{}; {}\n",
                    reward.value ? fmt::format("{:+.4f} +- {:.4f}", *reward.value, *reward.error) : "none",
                    reward.censored ? ", a penalty and no measurement" : "", reward.why);
  }
  ORDO_TRY_ASSIGN(const std::vector<loop::Window> windows, store.windows(id));
  if (!windows.empty())
    page += fmt::format("answers: {}\n", loop::answersOf(loop::computeReward(windows, {}, true)));
  if (!experiment.outcome)
    page += fmt::format("it is open, for {} so far\n", duration(now_s - experiment.created_s));
  return page;
}

}  // namespace ordo::cli
