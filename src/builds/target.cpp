#include "builds/target.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "builds/link.h"
#include "engine/objective.h"
#include "frontend/clang.h"
#include "notation/pass_options.h"
#include "support/hash.h"
#include "support/json.h"

namespace ordo::builds {
namespace {

Result<Target> askDriver(const Task& task) {
  const frontend::Source source{task.source, task.language, task.flags, {}};
  Target target;
  if (task.linked) {
    target.pipeline.text = linkPipeline(task);
  } else {
    ORDO_TRY_ASSIGN(target.pipeline, frontend::capturePipeline(source, task.level));
  }
  ORDO_TRY_ASSIGN(target.codegen, frontend::codegenFlags(source, task.level));
  return target;
}

// Whose objects builds/object.h reads, and were shown to be clang's own
// (tests/conformance/baselines_test.cpp).
bool isOurMachine(std::string_view triple) {
  constexpr std::string_view kMachines[] = {"x86_64-", "aarch64-", "armv", "thumbv", "riscv32-", "riscv64-"};
  constexpr std::string_view kSystems[] = {"-linux-", "-none-", "-unknown-elf"};
  const auto has = [&](std::string_view part) { return triple.find(part) != std::string_view::npos; };
  return std::ranges::any_of(kMachines, [&](std::string_view name) { return triple.starts_with(name); }) &&
         std::ranges::any_of(kSystems, has) && !has("eb-") && !triple.ends_with("x32");
}

}  // namespace

engine::Input inputOf(const Task& task, const Target& target, std::string_view bitcode) {
  engine::Input input;
  input.program.uri = input.program.name = task.source;
  input.compiled.bytes = bitcode;
  input.baseline.level = task.level;
  input.baseline.linked = task.linked;
  input.pipeline = target.pipeline;
  input.codegen = target.codegen;
  return input;
}

std::string spaceOf(const Task& task) { return task.linked ? "size" : engine::usualSpace(task.objective); }

std::string writeTarget(const Target& target) {
  const frontend::CodegenFlags& codegen = target.codegen;
  return writeJson(Json{{"pipeline", target.pipeline.text},
                        {"opt_flags", target.pipeline.opt_flags},
                        {"triple", codegen.triple},
                        {"relocation", codegen.relocation},
                        {"code_model", codegen.code_model},
                        {"function_sections", codegen.function_sections},
                        {"data_sections", codegen.data_sections},
                        {"cpu", codegen.cpu},
                        {"features", codegen.features},
                        {"abi", codegen.abi},
                        {"float_abi", codegen.float_abi},
                        {"tlsdesc", codegen.tlsdesc},
                        {"llvm_flags", codegen.llvm_flags},
                        {"unmodelled", codegen.unmodelled}});
}

Result<Target> readTarget(std::string_view text) {
  ORDO_TRY_ASSIGN(const Json json, parseJson(text, "cache"));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, "cache"));
  Target target;
  frontend::CodegenFlags& codegen = target.codegen;
  ORDO_TRY_ASSIGN(target.pipeline.text, object.get<std::string>("pipeline"));
  ORDO_TRY_ASSIGN(target.pipeline.opt_flags, object.get<std::vector<std::string>>("opt_flags"));
  ORDO_TRY_ASSIGN(codegen.triple, object.get<std::string>("triple"));
  ORDO_TRY_ASSIGN(codegen.relocation, object.get<std::string>("relocation"));
  ORDO_TRY_ASSIGN(codegen.code_model, object.get<std::string>("code_model"));
  ORDO_TRY_ASSIGN(codegen.function_sections, object.get<bool>("function_sections"));
  ORDO_TRY_ASSIGN(codegen.data_sections, object.get<bool>("data_sections"));
  ORDO_TRY_ASSIGN(codegen.cpu, object.get<std::string>("cpu"));
  ORDO_TRY_ASSIGN(codegen.features, object.get<std::string>("features"));
  ORDO_TRY_ASSIGN(codegen.abi, object.get<std::string>("abi"));
  ORDO_TRY_ASSIGN(codegen.float_abi, object.get<std::string>("float_abi"));
  ORDO_TRY_ASSIGN(codegen.tlsdesc, object.get<bool>("tlsdesc"));
  ORDO_TRY_ASSIGN(codegen.llvm_flags, object.get<std::vector<std::string>>("llvm_flags"));
  ORDO_TRY_ASSIGN(codegen.unmodelled, object.get<std::vector<std::string>>("unmodelled"));
  return target;
}

Result<Target> targetOf(Cache* cache, const Task& task, std::string_view compiler) {
  const std::string question = fmt::format("{}\n{}\n{}\n{}", compiler, task.linked ? "linked" : task.language,
                                           frontend::name(task.level), fmt::join(task.flags, "\n"));
  const std::string key = hashBytes(question).hex();
  std::optional<std::string> known;
  if (cache != nullptr) {
    ORDO_TRY_ASSIGN(known, cache->findNote(key));
  }
  Target target;
  if (known) {
    ORDO_TRY_ASSIGN(target, readTarget(*known));
  } else {
    ORDO_TRY_ASSIGN(target, askDriver(task));
    if (cache != nullptr) ORDO_TRY(cache->storeNote(key, writeTarget(target)));
  }
  const frontend::CodegenFlags& codegen = target.codegen;
  if (!isOurMachine(codegen.triple))
    return fail(ErrorCode::kUnsupported, "the code is for {}", codegen.triple);
  if (!target.pipeline.opt_flags.empty())
    return fail(ErrorCode::kUnsupported, "clang sets LLVM options that no pipeline carries: {}",
                fmt::join(target.pipeline.opt_flags, " "));
  if (!codegen.unmodelled.empty() || !std::ranges::all_of(codegen.llvm_flags, notation::isPassOption))
    return fail(ErrorCode::kUnsupported, "code is made in ways that a search does not see: {} {}",
                fmt::join(codegen.unmodelled, " "), fmt::join(codegen.llvm_flags, " "));
  return target;
}

}  // namespace ordo::builds
