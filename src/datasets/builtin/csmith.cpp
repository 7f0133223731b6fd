// Random C programs without undefined behaviour that print a checksum of all they computed.
//
// Source: X. Yang, Y. Chen, E. Eide and J. Regehr, "Finding and understanding bugs in C compilers",
// PLDI 2011. The generator is Debian's; its version is part of the cache, because another version makes
// other programs of the same seeds.
#include <filesystem>
#include <system_error>

#include "datasets/dataset.h"
#include "datasets/generated.h"
#include "support/files.h"
#include "support/process.h"

namespace ordo::datasets {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kName = "csmith";

// Moderate size: of the seeds 100 to 139, 161 to 9,502 instructions, 2,779 in the middle; six of the forty
// never end, which no option prevents. Packed structures are left out because a pointer to a member of
// one may be misaligned, which is undefined; bit-fields, because targets lay them out differently. A
// change here needs another kRevision.
constexpr std::string_view kOptions[] = {"--no-argc",
                                         "--quiet",
                                         "--concise",
                                         "--max-funcs",
                                         "5",
                                         "--max-block-depth",
                                         "3",
                                         "--max-expr-complexity",
                                         "6",
                                         "--no-packed-struct",
                                         "--no-bitfields"};
constexpr int kRevision = 1;
constexpr double kTimeout_s = 60;

struct Csmith {
  std::string program;
  std::string version;  // "2.3.0"
  fs::path headers;
};

Result<Csmith> findCsmith() {
  const auto program = findProgram({"csmith"});
  if (!program) {
    return fail(ErrorCode::kNotFound,
                "csmith is not installed; install it with: apt-get install csmith libcsmith-dev");
  }
  Csmith csmith{*program, "", {}};
  ORDO_TRY_ASSIGN(const std::string said, outputOnce({csmith.program, "--version"}));
  // "csmith 2.3.0", then a line about its commit
  const std::size_t begin = said.find(' '), end = said.find('\n');
  if (!said.starts_with("csmith ") || end == std::string::npos)
    return fail(ErrorCode::kUnsupported, "{} does not say which version of csmith it is", csmith.program);
  csmith.version = said.substr(begin + 1, end - begin - 1);
  std::error_code ignored;
  const fs::path include =
      fs::weakly_canonical(csmith.program, ignored).parent_path().parent_path() / "include";
  for (const fs::path& folder : {include / "csmith", include / ("csmith-" + csmith.version), include}) {
    if (!fs::exists(folder / "csmith.h", ignored)) continue;
    csmith.headers = folder;
    return csmith;
  }
  return fail(ErrorCode::kNotFound,
              "there is no csmith.h under {}; install it with: apt-get install libcsmith-dev",
              include.string());
}

Status available() {
  ORDO_TRY(findCsmith());
  return {};
}

Result<std::string> generate(const Csmith& csmith, std::uint32_t seed) {
  // It writes platform.info into its working directory.
  ORDO_TRY_ASSIGN(const TempDir temp, TempDir::create());
  std::vector<std::string> argv{csmith.program, "--seed", std::to_string(seed)};
  for (const std::string_view option : kOptions) argv.emplace_back(option);
  ProcessOptions options;
  options.dir = temp.path();
  options.timeout_s = kTimeout_s;
  ORDO_TRY_ASSIGN(ProcessResult run, runProcess(argv, options));
  if (run.ok() && !run.out.empty()) return std::move(run.out);
  return fail(ErrorCode::kUnavailable, "csmith made no program of the seed {}: it {}; take another seed",
              seed, run.ending());
}

Result<Program> load(std::string_view rest) {
  ORDO_TRY_ASSIGN(const std::uint32_t seed, parseSeed(kName, rest));
  ORDO_TRY_ASSIGN(const Csmith csmith, findCsmith());
  ORDO_TRY_ASSIGN(Program program, loadGenerated(kName, seed, fmt::format("{}-{}", csmith.version, kRevision),
                                                 ".c", [&] { return generate(csmith, seed); }));
  // In its folder, so that no path of this machine gets into the bitcode.
  program.dir = program.source.parent_path();
  program.source = program.source.filename();
  program.cflags = {"-I" + csmith.headers.string(), "-w"};
  program.runnable = true;
  return program;
}

Result<std::vector<std::string>> list(std::string_view rest, const ListOptions& options) {
  return listSeeds(kName, rest, options);
}

}  // namespace

extern constinit const DatasetInfo csmith{.name = kName,
                                          .pattern = "csmith/<seed>",
                                          .summary = "random C programs that run and print a checksum",
                                          .finite = false,
                                          .has_splits = true,
                                          .available = available,
                                          .load = load,
                                          .list = list};

}  // namespace ordo::datasets
