// Random LLVM IR from llvm-stress: one function that uses every type and instruction, at random.
//
// It is valid and compiles, but means nothing: running it would be undefined. It exercises passes and
// the code generator; nothing about real programs can be learned from it.
#include "datasets/dataset.h"
#include "datasets/generated.h"
#include "support/process.h"

namespace ordo::datasets {
namespace {

constexpr std::string_view kName = "llvm-stress";
constexpr std::string_view kOptions[] = {
    "--size=300"};  // instructions, about; a change needs another kRevision
constexpr int kRevision = 1;

Result<std::string> findTool(std::string_view tool, std::string_view package) {
  const std::string plain(tool.substr(0, tool.size() - std::string_view("-22").size()));
  if (auto path = findProgram({std::string(tool), "/usr/lib/llvm-22/bin/" + plain})) return *path;
  return fail(ErrorCode::kNotFound, "{} is not installed; install it with: apt-get install {}", tool,
              package);
}

Result<std::string> findStress() { return findTool("llvm-stress-22", "llvm-22"); }

struct Target {
  std::string lines;    // "target datalayout = ...\ntarget triple = ...\n"
  std::string triple;   // "x86_64-pc-linux-gnu"
  std::string version;  // of LLVM, "22.1.8"
};

// The value in `key "value"` in `text`.
Result<std::string> quoted(std::string_view text, std::string_view key, std::string_view tool) {
  const std::size_t at = text.find(key);
  const std::size_t begin = at == std::string_view::npos ? at : text.find('"', at);
  const std::size_t end = begin == std::string_view::npos ? begin : text.find('"', begin + 1);
  if (end == std::string_view::npos)
    return fail(ErrorCode::kUnsupported, "{} does not write '{}' into its IR", tool, key);
  return std::string(text.substr(begin + 1, end - begin - 1));
}

// llvm-stress knows no target. Without one the code generator has no types of its own and fails, so
// its IR gets the machine's, as clang writes it.
Result<Target> findTarget() {
  ORDO_TRY_ASSIGN(const std::string clang, findTool("clang-22", "clang-22"));
  ORDO_TRY_ASSIGN(const std::string ir,
                  outputOnce({clang, "-S", "-emit-llvm", "-x", "c", "/dev/null", "-o", "-"}));
  Target target;
  ORDO_TRY_ASSIGN(target.triple, quoted(ir, "target triple", clang));
  ORDO_TRY_ASSIGN(const std::string layout, quoted(ir, "target datalayout", clang));
  ORDO_TRY_ASSIGN(const std::string stress, findStress());
  ORDO_TRY_ASSIGN(const std::string said, outputOnce({stress, "--version"}));
  constexpr std::string_view kVersion = "LLVM version ";
  const std::size_t at = said.find(kVersion);
  if (at == std::string::npos) return fail(ErrorCode::kUnsupported, "{} does not say its version", stress);
  target.version = said.substr(at + kVersion.size());
  target.version.resize(std::min(target.version.find_first_of(" \n"), target.version.size()));
  target.lines = fmt::format("target datalayout = \"{}\"\ntarget triple = \"{}\"\n", layout, target.triple);
  return target;
}

Status available() {
  ORDO_TRY(findTarget());
  return {};
}

Result<std::string> generate(const Target& target, std::uint32_t seed) {
  ORDO_TRY_ASSIGN(const std::string stress, findStress());
  std::vector<std::string> argv{stress, fmt::format("--seed={}", seed), "-o", "-"};
  for (const std::string_view option : kOptions) argv.emplace_back(option);
  ORDO_TRY_ASSIGN(ProcessResult run, runProcess(argv));
  // Its first lines name a file that does not exist; ours name the program.
  const std::size_t begin = run.out.find("\ndefine ");
  if (!run.ok() || begin == std::string::npos) {
    return fail(ErrorCode::kUnavailable,
                "llvm-stress made no program of the seed {}: it {}; take another seed", seed, run.ending());
  }
  return fmt::format("source_filename = \"{}-{}\"\n{}{}", kName, seed, target.lines,
                     std::string_view(run.out).substr(begin));
}

Result<Program> load(std::string_view rest) {
  ORDO_TRY_ASSIGN(const std::uint32_t seed, parseSeed(kName, rest));
  ORDO_TRY_ASSIGN(const Target target, findTarget());
  return loadGenerated(kName, seed, fmt::format("{}-{}-{}", target.version, target.triple, kRevision), ".ll",
                       [&] { return generate(target, seed); });
}

Result<std::vector<std::string>> list(std::string_view rest, const ListOptions& options) {
  return listSeeds(kName, rest, options);
}

}  // namespace

extern constinit const DatasetInfo llvm_stress{.name = kName,
                                               .pattern = "llvm-stress/<seed>",
                                               .summary = "random LLVM IR that compiles but means nothing",
                                               .finite = false,
                                               .has_splits = true,
                                               .available = available,
                                               .load = load,
                                               .list = list};

}  // namespace ordo::datasets
