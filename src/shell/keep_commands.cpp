// Commands that keep what was found.
#include <filesystem>

#include "recipe/state.h"
#include "shell/command.h"
#include "support/files.h"

namespace ordo::shell {
namespace {

recipe::State stateOf(const Workbench& bench) {
  recipe::State state;
  state.program = bench.program().uri;
  state.level = bench.spec().level;
  state.program_hash = bench.program().hash;
  state.space = bench.spec().space;
  state.space_hash = bench.spec().space_hash;
  for (const env::Action& action : bench.appliedActions()) state.actions.push_back(action.name);
  state.metric = bench.spec().reward.metric;
  state.value = bench.metrics().back();
  state.reward = bench.spec().reward.name();
  state.earned = bench.totalReward();
  state.walltime_s = bench.seconds();
  return state;
}

Result<Reply> recipeCommand(Call& call) {
  ORDO_TRY(call.expect(0, 0));
  call.progress("asking clang for its command line");
  ORDO_TRY_ASSIGN(const std::vector<std::string> lines, call.bench.stockCommands());
  Reply reply;
  reply.json["commands"] = lines;
  reply.text = "# The same object, made with stock tools:\n";
  for (const std::string& line : lines) reply.text += line + "\n";
  return reply;
}

Result<Reply> save(Call& call) {
  ORDO_TRY(call.expect(1, 1));
  const std::filesystem::path path = call.words[0];
  const std::string form = path.extension();
  std::string content, what = "the state", hint;
  if (form == ".ll") {
    ORDO_TRY_ASSIGN(content, call.bench.text());
    what = "the program as it is now";
  } else if (form == ".bc") {
    ORDO_TRY_ASSIGN(const Observed bitcode, call.bench.observe("bitcode"));
    content = bitcode.bytes;
    what = "the program as it is now";
  } else {
    const recipe::State state = stateOf(call.bench);
    hint = fmt::format("; 'ordo validate {}' replays and checks it", path.string());
    if (form == ".csv") {
      ORDO_TRY_ASSIGN(const std::string line, recipe::writeStateCsv(state));
      content = fmt::format("{}\n{}\n", recipe::stateCsvHeader(), line);
    } else {
      content = recipe::writeStateJson(state) + "\n";
    }
  }
  ORDO_TRY(writeFile(path, content));
  return Reply{fmt::format("wrote {} to {}{}\n", what, path.string(), hint), {{"file", path.string()}}};
}

constexpr ShellCommand kKeepCommands[] = {
    {"recipe", "", "how to make the same object with stock clang-22 and opt-22", "", Argument::kNone, true,
     recipeCommand},
    {"save", "FILE", "write the state, or the program as .ll or .bc",
     "A state is what 'ordo validate FILE' replays: the program, the actions, what they are worth. It is a\n"
     "line of JSON, or CSV if FILE ends in .csv.",
     Argument::kNone, true, save},
};

}  // namespace

std::span<const ShellCommand> keepCommands() { return kKeepCommands; }

}  // namespace ordo::shell
