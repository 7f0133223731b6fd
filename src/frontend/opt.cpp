#include "frontend/opt.h"

#include <algorithm>
#include <charconv>

#include "frontend/tool.h"
#include "support/files.h"

namespace ordo::frontend {

std::filesystem::path pluginPath() { return installPrefix() / "lib" / "libordo-plugin.so"; }

std::vector<std::string> optCommand(const Pipeline& pipeline, const CodegenFlags& codegen,
                                    const std::filesystem::path& in, const std::filesystem::path& out) {
  std::vector<std::string> argv{"opt-22", "-relocation-model=" + codegen.relocation};
  if (!codegen.code_model.empty()) argv.push_back("-code-model=" + codegen.code_model);
  // opt takes each option once, and a run's own count.
  const auto name = [](std::string_view flag) {
    flag.remove_prefix(std::min(flag.find_first_not_of('-'), flag.size()));
    return flag.substr(0, flag.find('='));
  };
  for (const std::string& flag : codegen.llvm_flags) {
    if (std::ranges::find(pipeline.opt_flags, name(flag), name) == pipeline.opt_flags.end())
      argv.push_back(flag);
  }
  argv.insert(argv.end(), pipeline.opt_flags.begin(), pipeline.opt_flags.end());
  if (pipeline.text.find(kOwnPass) != std::string::npos)
    argv.push_back("-load-pass-plugin=" + pluginPath().string());
  argv.push_back("-passes=" + pipeline.text);
  argv.push_back(in.string());
  argv.push_back("-o");
  argv.push_back(out.string());
  return argv;
}

Result<std::string> runOpt(std::string_view bitcode, const Pipeline& pipeline, const CodegenFlags& codegen) {
  ORDO_TRY_ASSIGN(
      ProcessResult run,
      runTool({optCommand(pipeline, codegen, "-", "-"), std::string(bitcode), {}, "the program"}));
  return std::move(run.out);
}

Result<std::string> extractFunction(std::string_view bitcode, const std::string& name) {
  ORDO_TRY_ASSIGN(ProcessResult run,
                  tryTool({{"llvm-extract-22", "--func=" + name, "--keep-const-init", "-", "-o", "-"},
                           std::string(bitcode),
                           {},
                           "the program"}));
  if (!run.ok())
    return fail(ErrorCode::kNotFound, "there is no function '{}': {}", name,
                run.err.substr(0, run.err.find('\n')));
  return std::move(run.out);
}

Result<std::uint64_t> textSize(std::string_view object) {
  ORDO_TRY_ASSIGN(ProcessResult run, runTool({{"llvm-size-22", "-"}, std::string(object), {}, "the object"}));
  // A line of headings, then "   1234 ...".
  const std::size_t line = run.out.find('\n');
  const std::size_t begin = line == std::string::npos ? line : run.out.find_first_not_of(" \t\n", line);
  std::uint64_t bytes = 0;
  if (begin == std::string::npos ||
      std::from_chars(run.out.data() + begin, run.out.data() + run.out.size(), bytes).ec != std::errc{}) {
    return fail(ErrorCode::kInternal, "llvm-size-22 printed no size:\n{}", run.out);
  }
  return bytes;
}

}  // namespace ordo::frontend
