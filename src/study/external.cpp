#include "study/external.h"

#include <signal.h>

#include <algorithm>

#include "study/protocol.h"
#include "support/dialogue.h"

namespace ordo::study {
namespace {

using search::Evaluation;

// The end of what it said on standard error, in one line: of a Python traceback it is what matters.
std::string lastWords(const std::string& err) {
  constexpr std::size_t kRoom = 400;
  std::string words;
  for (const char c : err) {
    const bool space = c == '\n' || c == '\t' || c == '\r' || c == ' ';
    if (!space) words += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    if (space && !words.empty() && words.back() != ' ') words += ' ';
  }
  while (words.ends_with(' ')) words.pop_back();
  if (words.empty()) return ", without a word";
  if (words.size() > kRoom) {
    // From the beginning of a word, which is the beginning of a character too.
    const std::size_t space = words.find(' ', words.size() - kRoom);
    words = "..." + words.substr(space == std::string::npos ? words.size() - kRoom : space);
  }
  return "; its last words: " + words;
}

// What a method hears of an evaluation. One that was screened out has no value: it is told what the best so
// far would be worth with as many more instructions, which keeps both orders that searchers see, that of
// the screened among each other and that none of them is better than the best.
std::optional<double> valueFor(const Evaluation& evaluation, const Evaluation& best_before) {
  if (evaluation.verdict < search::Verdict::kScreened) return std::nullopt;
  if (evaluation.measured()) return evaluation.value;
  return best_before.value * std::max(1.0, search::relativeCost(evaluation, best_before));
}

DialogueOptions dialogueOptions(const ExternalProgram& program) {
  DialogueOptions options;
  options.environment = program.environment;
  options.silence_s = program.silence_s;
  options.stop = program.stop;
  return options;
}

// Waits until the program is ready.
Status greet(Dialogue& dialogue) {
  ORDO_TRY_ASSIGN(const std::optional<std::string> line, dialogue.hear());
  if (!line) return fail(ErrorCode::kCorrupt, "ended before it was ready");
  return readGreeting(*line);
}

class ExternalAttempt final : public Attempt {
 public:
  ExternalAttempt(const ExternalProgram& program, const Task& task) : program_(program), task_(task) {}

  Status run(search::SearchContext& context) override {
    ORDO_TRY_ASSIGN(dialogue_, Dialogue::start(program_.argv, dialogueOptions(program_)));
    const Result<bool> talked = exchange(context);
    // Who broke the rules gets no time but for last words.
    const ProcessResult end = dialogue_->end(talked ? program_.grace_s : std::min(program_.grace_s, 0.5));
    // A method is not to blame for what a batch system sends to everybody; such a run is not kept, and made
    // again.
    if (end.signal == SIGTERM || end.signal == SIGINT || end.signal == SIGHUP)
      return fail(ErrorCode::kUnavailable, "the method {}", end.ending());
    if (!talked) return fail(talked.error().code, "{}{}", talked.error().message, lastWords(end.err));
    // Who has had the whole budget may end as they like.
    const bool used_up = *talked;
    if (!used_up && !end.ok()) {
      const std::string how = end.timed_out ? "closed its output and went on" : end.ending();
      return fail(ErrorCode::kCorrupt, "{} before its budget was used{}", how, lastWords(end.err));
    }
    return {};
  }

  double cpuSeconds() const override { return dialogue_ == nullptr ? 0 : dialogue_->cpuSeconds(); }
  double startCpuSeconds() const override { return start_cpu_s_; }

 private:
  // Whether the budget was used up.
  Result<bool> exchange(search::SearchContext& context) {
    ORDO_TRY(greet(*dialogue_));
    start_cpu_s_ = dialogue_->cpuSeconds();
    ORDO_TRY(dialogue_->say(writeTask(task_, context)));
    while (!context.done()) {
      ORDO_TRY_ASSIGN(const std::optional<std::string> line, dialogue_->hear());
      if (!line) return false;
      ORDO_TRY_ASSIGN(std::vector<search::Sequence> batch,
                      readProposal(*line, context.actions().size(), context.maxLength()));
      ORDO_TRY(dialogue_->say(answer(context, std::move(batch))));
    }
    return true;
  }

  static std::string answer(search::SearchContext& context, std::vector<search::Sequence> batch) {
    std::vector<std::optional<double>> values;
    for (search::Sequence& sequence : batch) {
      const Evaluation best_before = context.best();
      std::vector<search::Sequence> one;
      one.push_back(std::move(sequence));
      const Evaluation evaluation = std::move(context.evaluate(std::move(one)).front());
      if (evaluation.verdict == search::Verdict::kSkipped) break;
      values.push_back(valueFor(evaluation, best_before));
    }
    return writeAnswer(values, context.done());
  }

  const ExternalProgram program_;
  const Task task_;
  std::unique_ptr<Dialogue> dialogue_;
  double start_cpu_s_ = 0;
};

}  // namespace

Method externalMethod(std::string name, ExternalProgram program) {
  return {std::move(name), [program = std::move(program)](const Task& task) {
            return std::make_unique<ExternalAttempt>(program, task);
          }};
}

Status probe(const ExternalProgram& program) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<Dialogue> dialogue,
                  Dialogue::start(program.argv, dialogueOptions(program)));
  const Status greeted = greet(*dialogue);
  const ProcessResult end = dialogue->end(greeted ? 0 : std::min(program.grace_s, 0.5));
  if (greeted) return {};
  return fail(greeted.error().code, "{}{}", greeted.error().message, lastWords(end.err));
}

}  // namespace ordo::study
