#include "engine/stock.h"

#include <algorithm>
#include <iterator>

#include "engine/reach.h"
#include "frontend/opt.h"
#include "frontend/tool.h"
#include "notation/action.h"
#include "notation/codegen.h"
#include "notation/function_sequence.h"
#include "notation/pass_options.h"
#include "support/process.h"

namespace ordo::engine {

std::string settingsOf(const frontend::CodegenFlags& codegen, frontend::Level level) {
  std::vector<std::string> pass_options;
  std::ranges::copy_if(codegen.llvm_flags, std::back_inserter(pass_options), notation::isPassOption);
  return notation::write({frontend::codegenLevel(level), codegen.relocation, codegen.code_model,
                          codegen.function_sections, codegen.data_sections, codegen.cpu, codegen.features,
                          codegen.abi, codegen.float_abi, codegen.tlsdesc, std::move(pass_options)});
}

namespace {

// One run for each sequence, in which all other functions are `optnone`, and one that takes this away again.
// Half way there is what LLVM's verifier minds (optnone with minsize), and nobody else.
std::vector<frontend::Pipeline> runsOf(const env::Choices& choices, const std::vector<std::string>& options) {
  std::vector<frontend::Pipeline> runs;
  for (std::size_t number = 0; number < choices.sequences.size(); ++number) {
    const notation::FunctionSequence sequence = notation::parseFunctionSequence(choices.sequences[number]);
    if (sequence.passes.empty() && sequence.attributes.empty()) continue;
    frontend::Pipeline run{"forceattrs", {"-disable-verify"}};
    run.opt_flags.insert(run.opt_flags.end(), options.begin(), options.end());
    if (!sequence.passes.empty()) run.text += fmt::format(",function({})", sequence.passes);
    if (number > 0) run.opt_flags.emplace_back("-force-attribute=optnone");
    for (const auto& [name, theirs] : choices.functions) {
      if (number == 0) run.opt_flags.push_back(fmt::format("-force-attribute={}:optnone", name));
      if (number == 0 || theirs != number) continue;
      run.opt_flags.push_back(fmt::format("-force-remove-attribute={}:optnone", name));
      for (const std::string& attribute : sequence.attributes) {
        run.opt_flags.push_back(fmt::format("-force-{}attribute={}:{}",
                                            attribute.starts_with('+') ? "" : "remove-", name,
                                            attribute.substr(1)));
      }
    }
    runs.push_back(std::move(run));
  }
  if (!runs.empty()) runs.push_back({"forceattrs", {"-disable-verify", "-force-remove-attribute=optnone"}});
  return runs;
}

}  // namespace

std::vector<frontend::Pipeline> stockRuns(const std::vector<env::Action>& actions) {
  std::vector<frontend::Pipeline> runs;
  bool joinable = false;  // whether the last run is of pipelines
  std::vector<std::string> options;
  for (const env::Action& action : actions) {
    if (action.kind == notation::kCodegen) continue;
    if (action.kind == notation::kOption) {
      notation::setPassOption(options, action.text);
      joinable = false;
    } else if (action.kind == notation::kChoices) {
      const Result<env::Choices> choices = notation::parseChoices(action.text, action.name);
      ORDO_CHECK(choices, "choices that were not checked: {}", choices.error().message);
      std::ranges::move(runsOf(*choices, options), std::back_inserter(runs));
      joinable = false;
    } else if (action.kind == notation::kAttribute) {
      const std::string_view option =
          action.text.starts_with('+') ? "-force-attribute=" : "-force-remove-attribute=";
      runs.push_back({"forceattrs", {fmt::format("{}{}", option, action.text.substr(1))}});
      joinable = false;
    } else if (joinable) {
      runs.back().text += "," + action.text;
    } else {
      runs.push_back({action.text, options});
      joinable = true;
    }
  }
  return runs;
}

frontend::Source emissionSource(frontend::Source source, const std::vector<env::Action>& actions) {
  for (const env::Action& action : actions) {
    if (action.kind != notation::kCodegen) continue;
    // clang takes each option once. As in a session, the last of a name counts.
    const std::string_view name = notation::codegenOption(action.text);
    for (std::size_t i = 1; i < source.flags.size(); ++i) {
      if (source.flags[i - 1] != "-mllvm" || notation::codegenOption(source.flags[i]) != name) continue;
      source.flags.erase(source.flags.begin() + static_cast<std::ptrdiff_t>(i - 1),
                         source.flags.begin() + static_cast<std::ptrdiff_t>(i + 1));
      break;
    }
    source.flags.insert(source.flags.end(), {"-mllvm", action.text});
  }
  // Options of ours are the plugin's.
  const bool has_ours = std::ranges::any_of(actions, [](const env::Action& action) {
    return action.kind == notation::kCodegen &&
           action.text.starts_with(fmt::format("-{}", frontend::kOwnPass));
  });
  const std::string plugin = fmt::format("-fpass-plugin={}", frontend::pluginPath().string());
  if (has_ours && std::ranges::find(source.flags, plugin) == source.flags.end())
    source.flags.push_back(plugin);
  return source;
}

Result<std::vector<std::string>> stockCommands(const Input& input, const std::vector<env::Action>& actions,
                                               std::string_view object) {
  std::vector<std::string> lines;
  const std::string stem = frontend::asWord(input.program.name);
  if (!input.source.dir.empty()) lines.push_back(shellQuote({"cd", input.source.dir.string()}));
  std::string file = frontend::asWord(input.source.path);
  if (!input.compiled.commands.empty()) {
    file = stem + ".bc";
    if (input.source.path.filename() == input.program.name + ".bc")
      file = stem + ".0.bc";  // not over the input
    for (const std::vector<std::string>& command : input.compiled.commands)
      lines.push_back(shellQuote(command));
    lines.back() += " " + shellQuote({"-o", file});
  }
  int number = 0;
  for (const frontend::Pipeline& run : stockRuns(actions)) {
    const std::string next = fmt::format("{}.{}.bc", stem, ++number);
    lines.push_back(shellQuote(frontend::optCommand(run, input.codegen, file, next)));
    file = next;
  }
  ORDO_TRY_ASSIGN(const std::vector<std::string> emit,
                  frontend::emitCommand(input.baseline.level, emissionSource(input.source, actions), file,
                                        frontend::asWord(object)));
  lines.push_back(shellQuote(emit));
  return lines;
}

Result<std::string> runStock(std::string_view bitcode, const std::vector<env::Action>& actions,
                             const frontend::CodegenFlags& codegen) {
  ORDO_TRY(notation::checkKinds(actions));
  std::string result(bitcode);
  for (const frontend::Pipeline& run : stockRuns(actions)) {
    ORDO_TRY_ASSIGN(result, frontend::runOpt(result, run, codegen));
  }
  return result;
}

Result<std::string> proveWithStock(Engine& engine, const Input& input, std::string_view bitcode,
                                   const std::vector<env::Action>& actions, const Hash128& hash) {
  ORDO_TRY_ASSIGN(const std::string stock, runStock(bitcode, actions, input.codegen));
  // opt leaves no trace of options, and the hash of a state counts them.
  std::vector<env::Action> chosen = actions;
  std::erase_if(chosen, [](const env::Action& action) {
    return action.kind != notation::kCodegen && action.kind != notation::kOption;
  });
  ORDO_TRY_ASSIGN(const State reached, reach(engine, input, stock, chosen));
  if (reached.hash != hash) {
    return fail(ErrorCode::kCorrupt, "stock opt-22 makes other IR (hash {}) than the recipe says ({})",
                reached.hash.hex(), hash.hex());
  }
  return fmt::format("stock opt-22 makes the same IR (hash {})", reached.hash.hex());
}

}  // namespace ordo::engine
