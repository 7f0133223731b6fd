#include "report/talks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/statistics.h"
#include "report/text.h"
#include "support/text.h"

namespace ordo::report {
namespace {

// The runs of one method.
struct Talks {
  std::map<std::string, std::map<std::string, std::vector<double>>> answers;  // by suite and program
  double runs = 0, answered = 0, replies = 0, calls = 0, failed_calls = 0, tokens = 0;
  double flops = 0, model_cpu_s = 0, start_cpu_s = 0;
  std::string flops_from;

  void add(const study::Program& program, const study::Run& run) {
    ++runs;
    double answer = 0;
    if (run.talk) {
      const study::Talk& talk = *run.talk;
      const std::optional<double> clang = study::valueOf(program, "clang-Oz", run.key.objective);
      if (talk.answered && talk.value && clang.value_or(0) > 0) answer = (*clang - *talk.value) / *clang;
      answered += talk.answered ? 1 : 0;
      replies += static_cast<double>(talk.replies);
      calls += static_cast<double>(talk.calls);
      failed_calls += static_cast<double>(talk.failed_calls);
      tokens += talk.prompt_tokens + talk.completion_tokens;
      flops += talk.flops;
      flops_from = talk.flops_from;
      model_cpu_s += talk.model_cpu_s;
      start_cpu_s += talk.start_cpu_s;
    }
    answers[program.suite][program.uri].push_back(answer);
  }

  std::vector<std::string> cells(const std::string& method) const {
    Sample sample;
    for (const auto& [suite, programs] : answers) {
      sample.emplace_back();
      for (const auto& [program, values] : programs) sample.back().push_back(values);
    }
    const auto each = [&](double total) { return total / runs; };
    return {method,
            fmt::format("{:.0f}", runs),
            fmt::format("{:.1f} %", 100 * each(answered)),
            percent(estimate(sample)),
            fmt::format("{:.1f}", each(replies)),
            fmt::format("{:.1f}", each(calls)),
            fmt::format("{:.1f} %", calls > 0 ? 100 * failed_calls / calls : 0),
            grouped(each(tokens)),
            grouped(each(flops) / 1e9),
            flops_from,
            fmt::format("{:.2f}", each(model_cpu_s)),
            fmt::format("{:.2f}", each(start_cpu_s))};
  }
};

}  // namespace

Table talkTable(const study::Study& study, const std::string& objective) {
  std::map<std::string, Talks> methods;
  for (const study::Run& run : study.runs) {
    if (run.talk && run.key.objective == objective) methods.try_emplace(run.key.method);
  }
  for (const study::Run& run : study.runs) {
    const auto found = methods.find(run.key.method);
    const study::Program* const program = study.program(run.key.program);
    if (found != methods.end() && program != nullptr && run.key.objective == objective)
      found->second.add(*program, run);
  }
  Table table{{"method", "dialogues", "answered", "answer", "replies", "calls", "failed", "tokens", "GFLOP",
               "FLOPs from", "model CPU s", "start CPU s"},
              {}};
  for (const auto& [method, talks] : methods) table.rows.push_back(talks.cells(method));
  return table;
}

std::string talkDefinition() {
  return "Answered: dialogues that the model ended with a sequence that was measured and replays. Answer: "
         "what that made of the program, over clang-Oz and unclamped, 0 where there is none; the other "
         "tables "
         "have the best that was measured. The rest is per dialogue: failed calls of tools, tokens that the "
         "model read and wrote, its operations, the processor time of its process, which is part of the "
         "thinking, and that of the process's start, which is not, for it serves many runs.";
}

}  // namespace ordo::report
