// Commands that change the state, and those that find out what would.
#include <algorithm>

#include "shell/command.h"
#include "support/table.h"
#include "support/text.h"

namespace ordo::shell {
namespace {

constexpr std::size_t kShownTrials = 15;

const std::string& nameOf(const Call& call, env::ActionIndex action) {
  return call.bench.spec().actions[action].name;
}

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// What a series of applied actions did, one row for each.
class Log {
 public:
  explicit Log(const Call& call) : call_(call), before_(call.bench.metrics().back()) {}

  void add(env::ActionIndex action, const env::EpisodeStep& step) {
    const bool ok = step.status == env::StepStatus::kOk;
    std::string what = !ok            ? fmt::format("{}, undone", env::name(step.status))
                       : step.changed ? change(before_, step.metric)
                                      : "no effect";
    if (ok && step.changed && step.metric == before_) what = "same " + call_.bench.spec().reward.metric;
    const Color color = !ok || step.metric > before_ ? Color::kRed
                        : step.metric < before_      ? Color::kGreen
                                                     : Color::kDim;
    // Names last: those with parameters are long.
    table_.rows.push_back({ok ? std::to_string(call_.bench.actions().size()) : "-", figure(step.metric),
                           paint(call_.style, color, what), nameOf(call_, action)});
    steps_.push_back({{"action", nameOf(call_, action)},
                      {"index", action},
                      {"status", env::name(step.status)},
                      {"changed", step.changed},
                      {"metric", step.metric},
                      {"reward", step.reward},
                      {"detail", step.detail}});
    before_ = step.metric;
  }

  Reply reply() const {
    Reply reply;
    reply.text = format(table_);
    reply.json = {{"steps", steps_}, {"metric", call_.bench.metrics().back()}};
    return reply;
  }

 private:
  const Call& call_;
  double before_;
  Table table_{{}, {}, {true, true, true, false}};
  Json steps_ = Json::array();
};

std::string stateLine(const Call& call) {
  const Workbench& bench = call.bench;
  return fmt::format("{} after {}: {} {}\n", bench.program().uri, plural(bench.actions().size(), "action"),
                     figure(bench.metrics().back()), bench.spec().reward.metric);
}

Result<Reply> load(Call& call) {
  ORDO_TRY(call.expect(1, 1));
  call.progress(fmt::format("loading {}", call.words[0]));
  ORDO_TRY(call.bench.load(call.words[0]));
  const Workbench& bench = call.bench;
  const std::string& metric = bench.spec().reward.metric;
  Reply reply;
  reply.json = {{"program", bench.program().uri}, {"metric", bench.metrics().back()}};
  reply.text = fmt::format("{}: {} {}", bench.program().uri, figure(bench.metrics().back()), metric);
  if (const std::optional<Reference> reference = bench.reference()) {
    reply.text += fmt::format(", {} after {}", figure(reference->second), reference->first);
    reply.json["reference"] = {{"baseline", reference->first}, {"metric", reference->second}};
  }
  reply.text += '\n';
  return reply;
}

Result<Reply> apply(Call& call) {
  ORDO_TRY(call.expect(1, 1000));
  // All names first: a slip of the pen in the last should not leave half of them applied.
  std::vector<env::ActionIndex> actions;
  for (const std::string& word : call.words) {
    ORDO_TRY_ASSIGN(actions.emplace_back(), call.action(word));
  }
  Log log(call);
  std::optional<Error> error;
  for (const env::ActionIndex action : actions) {
    if (call.stopped()) error = {ErrorCode::kDeadlineExceeded, "interrupted"};
    if (error) break;
    call.progress(nameOf(call, action));
    Result<env::EpisodeStep> step = call.bench.apply(action);
    if (!step) {
      error = step.error();
    } else {
      log.add(action, *step);
      if (step->status != env::StepStatus::kOk) {
        error = {ErrorCode::kUnsupported, fmt::format("{}: {}", env::name(step->status), step->detail)};
      }
    }
  }
  Reply reply = call.bench.loaded() ? log.reply() : Reply{};
  reply.error = std::move(error);
  return reply;
}

Result<Reply> undo(Call& call) {
  ORDO_TRY(call.expect(0, 1));
  ORDO_TRY_ASSIGN(const std::uint32_t steps, call.number(0, 1));
  ORDO_TRY(call.bench.undo(steps));
  return Reply{stateLine(call), {{"undone", steps}, {"metric", call.bench.metrics().back()}}};
}

Result<Reply> reset(Call& call) {
  ORDO_TRY(call.expect(0, 0));
  ORDO_TRY(call.bench.reset());
  return Reply{stateLine(call), {{"metric", call.bench.metrics().back()}}};
}

Workbench::Progress progressOf(const Call& call, std::string_view what) {
  return [&call, what = std::string(what)](std::size_t done, std::size_t total) {
    call.progress(fmt::format("{}{} of {} actions tried (Ctrl-C stops)", what, done, total));
  };
}

Json toJson(const Call& call, const Preview& preview) {
  Json json = {{"action", nameOf(call, preview.action)},
               {"index", preview.action},
               {"status", env::name(preview.status)},
               {"changed", preview.changed}};
  if (preview.ok()) {
    json["metric"] = preview.metric;
    json["gain"] = call.bench.metrics().back() - preview.metric;
  } else {
    json["detail"] = preview.detail;
  }
  return json;
}

// "12 better, 3 worse, 60 without effect": what the actions are that the table leaves out.
std::string countsOf(const Previews& previews, double now) {
  std::size_t better = 0, equal = 0, worse = 0, idle = 0, failed = 0;
  for (const Preview& preview : previews.best_first) {
    std::size_t& count = !preview.ok()           ? failed
                         : !preview.changed      ? idle
                         : preview.metric < now  ? better
                         : preview.metric == now ? equal
                                                 : worse;
    ++count;
  }
  std::string text = fmt::format("{} tried: {} better, {} as good but different, {} worse, {} without effect",
                                 previews.best_first.size(), better, equal, worse, idle);
  if (failed > 0) text += fmt::format(", {} failed", failed);
  if (previews.left > 0) text += fmt::format("; {} left: 'try' goes on", previews.left);
  return text;
}

Result<Reply> tryAll(Call& call) {
  ORDO_TRY(call.expect(0, 1));
  ORDO_TRY_ASSIGN(const std::uint32_t shown, call.number(0, kShownTrials));
  ORDO_TRY_ASSIGN(const Previews previews, call.bench.tryAll(progressOf(call, "")));
  const double now = call.bench.metrics().back();
  const std::string& metric = call.bench.spec().reward.metric;
  Table table{{"index", metric, "gain", "change", "action"}, {}, {true, true, true, true, false}};
  Reply reply;
  reply.json = {{"metric", now}, {"trials", Json::array()}, {"left", previews.left}};
  for (const Preview& preview : previews.best_first) {
    reply.json["trials"].push_back(toJson(call, preview));
    if (!preview.ok() || !preview.changed || table.rows.size() >= shown) continue;
    table.rows.push_back({std::to_string(preview.action), figure(preview.metric),
                          figure(now - preview.metric), change(now, preview.metric),
                          nameOf(call, preview.action)});
  }
  if (!table.rows.empty()) reply.text = format(table);
  for (const Preview& preview : previews.best_first) {
    if (preview.ok()) continue;
    reply.text += fmt::format("{} {}: {}\n", paint(call.style, Color::kRed, nameOf(call, preview.action)),
                              env::name(preview.status), preview.detail);
  }
  reply.text += countsOf(previews, now) + "\n";
  return reply;
}

Result<Reply> greedy(Call& call) {
  ORDO_TRY(call.expect(0, 1));
  ORDO_TRY_ASSIGN(const std::uint32_t limit, call.number(0, 1000));
  Log log(call);
  std::string ending = fmt::format("stopped after {}", plural(limit, "step"));
  for (std::uint32_t step = 0; step < limit; ++step) {
    const double now = call.bench.metrics().back();
    ORDO_TRY_ASSIGN(const Previews previews,
                    call.bench.tryAll(
                        progressOf(call, fmt::format("{} so far, {}; ", plural(step, "step"), figure(now)))));
    // Of half a round nobody knows the best.
    if (previews.left > 0) {
      ending = "interrupted (greedy again goes on)";
      break;
    }
    if (previews.best_first.empty() || !previews.best_first[0].ok() || previews.best_first[0].metric >= now) {
      ending = "no single action makes it better";
      break;
    }
    const env::ActionIndex best = previews.best_first[0].action;
    ORDO_TRY_ASSIGN(const env::EpisodeStep done, call.bench.apply(best));
    log.add(best, done);
    if (done.status != env::StepStatus::kOk || done.metric >= now) {
      ending = fmt::format("{} did not do again what it did when it was tried", nameOf(call, best));
      break;
    }
  }
  Reply reply = log.reply();
  reply.text += fmt::format("{}; {}", ending, stateLine(call));
  reply.json["ending"] = ending;
  return reply;
}

Result<Reply> random(Call& call) {
  ORDO_TRY(call.expect(0, 1));
  ORDO_TRY_ASSIGN(const std::uint32_t steps, call.number(0, 1));
  Log log(call);
  std::string ending;
  for (std::uint32_t done = 0; done < steps && ending.empty();) {
    const std::optional<env::ActionIndex> action = call.bench.randomAction();
    if (call.stopped() || !action) {
      ending = action ? "interrupted" : "no action is left that may do something";
      continue;
    }
    call.progress(fmt::format("{} of {}: {}", done + 1, steps, nameOf(call, *action)));
    ORDO_TRY_ASSIGN(const env::EpisodeStep step, call.bench.apply(*action));
    // What does nothing is taken back, and another drawn: it is masked from now on.
    if (step.status == env::StepStatus::kOk && !step.changed) {
      ORDO_TRY(call.bench.undo(1));
      continue;
    }
    log.add(*action, step);
    ++done;
  }
  Reply reply = log.reply();
  if (!ending.empty()) reply.text += fmt::format("{}; {}", ending, stateLine(call));
  return reply;
}

constexpr ShellCommand kChangeCommands[] = {
    {"load", "PROGRAM", "take a program: a file, or a URI such as suite/crc32",
     "Any URI of 'ordo list datasets' and 'ordo list programs DATASET'.", Argument::kProgram, false, load},
    {"apply", "ACTION...", "apply actions, by name or index",
     "What fails is undone and ends the command; those before it stay.", Argument::kAction, true, apply},
    {"undo", "[N]", "take back the last action, or the last N", "", Argument::kNone, true, undo},
    {"reset", "", "back to the program as given", "", Argument::kNone, true, reset},
    {"try", "[ROWS]", "try every action from here, and show the best",
     "Each action is applied to a copy of the state. Ctrl-C stops it and keeps what is known; 'try' again\n"
     "goes on. What was tried in a state is remembered.",
     Argument::kNone, true, tryAll},
    {"greedy", "[N]", "apply the best action until none helps, or N times", "", Argument::kNone, true,
     greedy},
    {"random", "[N]", "apply a random action that does something, or N of them",
     "'ordo shell --seed' starts another sequence.", Argument::kNone, true, random},
};

}  // namespace

std::span<const ShellCommand> changeCommands() { return kChangeCommands; }

}  // namespace ordo::shell
