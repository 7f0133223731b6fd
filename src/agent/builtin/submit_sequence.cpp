// submit_sequence: the end of an episode: the result, proved as `ordo tune` proves it.
#include <array>

#include "agent/answers.h"
#include "agent/foreign_text.h"
#include "agent/host.h"
#include "agent/tool.h"
#include "recipe/recipe.h"
#include "support/files.h"

namespace ordo::agent {
namespace {

constexpr std::array kParameters{Parameter{
    .name = "folder",
    .summary = "Where to write the object (NAME.o) and the recipe (NAME.ordo.json), which must not be "
               "there yet; \"\": nowhere.",
    .absent = R"("")",
    .most = 1000}};

std::string_view name(tune::Tuned::Checked checked) {
  switch (checked) {
    case tune::Tuned::Checked::kPassed:
      return "passed";
    case tune::Tuned::Checked::kFailed:
      return "failed";
    case tune::Tuned::Checked::kNotPossible:
      break;
  }
  return "not possible";
}

// "1 of 2 tests failed", without what they printed.
std::string unquoted(const std::string& text) { return text.substr(0, text.find(':')); }

// Two new files in `folder`.
Result<Json> write(const std::filesystem::path& folder, const tune::Tuned& tuned) {
  const std::string stem = std::filesystem::path(tuned.recipe.program).filename().string();
  const std::filesystem::path object = folder / (stem + ".o"), recipe = folder / (stem + ".ordo.json");
  for (const std::filesystem::path& file : {object, recipe}) {
    std::error_code none;
    if (std::filesystem::symlink_status(file, none).type() != std::filesystem::file_type::not_found)
      return fail(ErrorCode::kInvalidArgument, "{} is there already: it is not written over", file.string());
  }
  ORDO_TRY(writeFile(object, tuned.object));
  ORDO_TRY(writeFile(recipe, recipe::write(tuned.recipe)));
  return Json::array({object.string(), recipe.string()});
}

Result<Json> run(Call& call) {
  OpenedProgram& program = *call.program;
  ORDO_TRY_ASSIGN(const search::Sequence sequence, call.sequence());
  std::filesystem::path folder;
  if (const std::string wanted = call.arguments.text("folder"); !wanted.empty()) {
    ORDO_TRY_ASSIGN(folder, call.host.permissions().folder(wanted));
  }
  call.progress(0, 1, "proving the result");
  ORDO_TRY_ASSIGN(tune::Tuned tuned, program.submit(sequence));
  if (!call.host.permissions().mayQuote(program.input().program)) {
    tuned.recipe.tested = unquoted(tuned.recipe.tested);
    for (auto& refused : tuned.refused) refused.why = unquoted(refused.why);
  }
  const recipe::Figure& figure = tuned.recipe.figures.front();
  std::vector<std::string> names;
  for (const env::Action& action : tuned.recipe.actions) names.push_back(action.name);
  Json reply{{"accepted", names == program.names(sequence)},
             {"sequence", names},
             {"value", number(figure.tuned)},
             {"baseline", number(figure.baseline)},
             {"gain", fraction(program.gain(figure.tuned))},
             {"verified", foreignText(tuned.recipe.verified, 400)},
             {"tested", foreignText(tuned.recipe.tested, 400)},
             {"stock_opt", name(tuned.verified)},
             {"tests", name(tuned.tested)}};
  if (!tuned.refused.empty())
    reply["refused"] = foreignText(tuned.refused.front().why, 400);
  else if (names != program.names(sequence))
    reply["refused"] = "it is no better than the baseline, which is the result";
  Json files = Json::array();
  if (!folder.empty()) {
    ORDO_TRY_ASSIGN(files, write(folder, tuned));
  }
  reply["files"] = std::move(files);
  call.host.keep(call.handle, std::move(tuned));
  return reply;
}

}  // namespace

extern const Tool submit_sequence{
    .name = "submit_sequence",
    .title = "Submit the result",
    .summary =
        "Ends the work on a program: proves the sequence with stock opt, runs the program's tests or "
        "compares its functions, and makes the object and a recipe of it. What is refused, or no better "
        "than the baseline, becomes the baseline. Nothing can be measured afterwards.",
    .price = "none if it was measured before; seconds",
    .example = R"({"sequence": ["sroa", "clang-Oz"]})",
    .on_sequence = true,
    .writes = true,
    .parameters = kParameters,
    .run = run};

}  // namespace ordo::agent
