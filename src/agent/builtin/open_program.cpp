// open_program: a program, made ready to be measured, under a handle.
#include <array>

#include "agent/answers.h"
#include "agent/foreign_text.h"
#include "agent/host.h"
#include "agent/tool.h"

namespace ordo::agent {
namespace {

constexpr std::array kParameters{
    Parameter{.name = "file",
              .summary =
                  "A C or C++ source file, LLVM IR (.ll, .bc), a folder with program.toml, or a program of "
                  "Ordo's suite such as suite/crc32.",
              .least = 1},
    Parameter{.name = "flags",
              .type = ParameterType::kTexts,
              .summary = "Flags for clang, such as -Iinclude or -DNDEBUG; the level is the baseline's.",
              .absent = "[]"},
    Parameter{.name = "objective",
              .summary =
                  "What is to be made smaller: text_bytes (code and read-only data), ir_instructions, or "
                  "another metric.",
              .absent = R"("text_bytes")",
              .most = 200},
    Parameter{.name = "compiles",
              .type = ParameterType::kInteger,
              .summary = "The budget: how many sequences may be measured.",
              .absent = "200",
              .least = 1,
              .most = 100000},
    Parameter{.name = "seconds",
              .type = ParameterType::kNumber,
              .summary = "The budget in seconds that tools may take.",
              .absent = "60",
              .least = 1,
              .most = 3600},
    Parameter{.name = "seed",
              .type = ParameterType::kInteger,
              .summary = "Of chance in searches: the same seed gives the same answers.",
              .absent = "1",
              .most = 1e9}};

Result<Json> run(Call& call) {
  OpenRequest request;
  request.file = call.arguments.text("file");
  request.flags = call.arguments.texts("flags");
  request.objective = call.arguments.text("objective");
  request.budget = {static_cast<double>(call.arguments.integer("compiles")),
                    call.arguments.number("seconds")};
  request.seed = static_cast<std::uint64_t>(call.arguments.integer("seed"));
  request.stop = call.stop;
  ORDO_TRY_ASSIGN(const std::string handle, call.host.open(request));
  const std::shared_ptr<OpenedProgram> opened = call.host.find(handle);
  if (opened == nullptr)
    return fail(ErrorCode::kUnavailable, "too many programs are opened at a time: open it again");
  const OpenedProgram& program = *opened;
  Json notes = Json::array();
  for (const std::string& note : program.input().notes) notes.push_back(foreignText(note, 400));
  return Json{{"program", handle},
              {"name", foreignText(program.input().program.name, 200)},
              {"objective", program.objective()},
              {"space", program.space().name},
              {"actions", program.actions().size()},
              {"unoptimised", number(program.startValue())},
              {"baseline", {{"name", program.baselineName()}, {"value", number(program.baselineValue())}}},
              {"best", bestJson(program)},
              {"notes", std::move(notes)}};
}

}  // namespace

extern const Tool open_program{
    .name = "open_program",
    .title = "Open a program",
    .summary =
        "Compiles a program without optimisation, measures it and what clang's own pipeline (the baseline, "
        "clang -Oz) makes of it, and gives a handle for the other tools. The aim is a sequence of actions "
        "with a smaller value than the baseline's; the result is never worse than the baseline.",
    .price = "none",
    .example = R"({"file": "suite/crc32", "objective": "ir_instructions", "compiles": 100})",
    .opens = true,
    .parameters = kParameters,
    .run = run};

}  // namespace ordo::agent
