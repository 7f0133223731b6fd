#include "engine/input.h"

#include <future>

#include "datasets/dataset.h"
#include "engine/function_program.h"
#include "frontend/ir_reader.h"
#include "frontend/ir_triple.h"
#include "notation/pass_options.h"
#include "support/process.h"

namespace ordo::engine {

namespace {

Result<Input> prepare(datasets::Program program, const Baseline& baseline, std::vector<std::string> flags) {
  if (program.kind == datasets::ProgramKind::kKernel)
    return fail(ErrorCode::kUnsupported, "{} is a kernel of MLIR, which 'ordo tune' takes and this does not",
                program.name);
  Input input;
  input.baseline = baseline;
  input.source = {program.source, program.language, std::move(flags), program.dir, program.more_sources};
  input.program = std::move(program);

  const bool is_ir = input.source.language == "ir";
  if (is_ir) {  // which says what the driver is asked about
    ORDO_TRY_ASSIGN(input.compiled, frontend::compileToBitcode(input.source, baseline.level));
    ORDO_TRY_ASSIGN(input.source, frontend::forItsMachine(std::move(input.source), input.compiled.bytes));
  }
  auto pipeline =
      std::async(std::launch::async, [&] { return frontend::capturePipeline(input.source, baseline.level); });
  auto codegen =
      std::async(std::launch::async, [&] { return frontend::codegenFlags(input.source, baseline.level); });
  Result<frontend::Compiled> compiled = is_ir ? Result<frontend::Compiled>(std::move(input.compiled))
                                              : frontend::compileToBitcode(input.source, baseline.level);
  Result<frontend::Pipeline> captured = pipeline.get();
  Result<frontend::CodegenFlags> settings = codegen.get();
  // The program's own error first: flags that clang rejects are rejected by all three.
  ORDO_TRY_ASSIGN(input.compiled, std::move(compiled));
  ORDO_TRY_ASSIGN(input.pipeline, std::move(captured));
  ORDO_TRY_ASSIGN(input.codegen, std::move(settings));

  const bool here = frontend::runsHere(input.codegen.triple);
  if (here && !input.program.machine.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "{}: a program with a machine ({}) is for another target than {}: say which in its cflags, "
                "--target=…",
                input.program.name, input.program.machine, input.codegen.triple);
  }
  if (!here) input.program.runner = datasets::emulatorFor(input.codegen.triple, input.program.machine);

  input.notes = input.compiled.notes;
  if (!input.pipeline.opt_flags.empty()) {
    input.notes.push_back(
        fmt::format("{} with these flags sets LLVM options that a pipeline cannot carry ({}); figures "
                    "for it are approximate",
                    baseline.name(), shellQuote(input.pipeline.opt_flags)));
  }
  for (const std::string& option : input.codegen.llvm_flags) {
    if (notation::isPassOption(option)) continue;
    input.notes.push_back(
        fmt::format("'-mllvm {}' holds where stock clang and opt run, and not in the search: sizes there are "
                    "approximate (docs/builds.md#options-of-llvm)",
                    option));
  }
  if (!input.codegen.unmodelled.empty()) {
    input.notes.push_back(
        fmt::format("{} changes machine code in ways the search does not see; sizes during the search "
                    "are approximate, the final object is clang's own",
                    shellQuote(input.codegen.unmodelled)));
  }
  return input;
}

}  // namespace

std::string Input::whyNotRun() const {
  if (toolchain->runsHere(*this) || program.runner.emulates()) return "";
  return program.runner.missing.empty() ? "nothing here runs it" : program.runner.missing;
}

Result<Input> prepareInput(std::string_view path_or_uri, const Baseline& baseline,
                           const std::vector<std::string>& flags) {
  if (const auto part = functionUri(path_or_uri)) {
    return fail(
        ErrorCode::kInvalidArgument,
        "{} is one function, which environments and 'ordo shell' take; give {}, of which each function "
        "may have a sequence of its own",
        path_or_uri, part->program);
  }
  ORDO_TRY_ASSIGN(datasets::Program program, datasets::loadProgram(path_or_uri));
  return prepareInput(std::move(program), baseline, flags);
}

Result<Input> prepareInput(datasets::Program program, const Baseline& baseline,
                           const std::vector<std::string>& flags) {
  std::vector<std::string> all = program.cflags;
  all.insert(all.end(), flags.begin(), flags.end());
  return prepare(std::move(program), baseline, std::move(all));
}

Result<Input> prepareInputFor(const recipe::Recipe& recipe, std::string_view path_or_uri) {
  ORDO_TRY_ASSIGN(const Baseline baseline, parseBaseline(recipe.baseline));
  ORDO_TRY_ASSIGN(datasets::Program program,
                  datasets::loadProgram(path_or_uri.empty() ? recipe.source : path_or_uri));
  return prepare(std::move(program), baseline, recipe.flags);
}

}  // namespace ordo::engine
