#include "frontend/sanitize.h"

#include "frontend/flags.h"
#include "frontend/tool.h"

namespace ordo::frontend {
namespace {

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

Status linkSanitizedSource(const Source& source, const std::vector<std::string>& ldflags,
                           const std::filesystem::path& out) {
  if (source.language == "ir") {
    return fail(ErrorCode::kUnsupported, "{} is IR: what was undefined in its source is not known any more",
                source.path.string());
  }
  ORDO_TRY_ASSIGN(const Flags flags, checkFlags(source.flags, source.language));
  std::vector<std::string> argv{source.language.starts_with("c++") ? "clang++-22" : "clang-22", "-O1", "-g1"};
  append(argv, {"-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-Qunused-arguments", "-w"});
  append(argv, flags.kept);
  argv.push_back(asWord(source.path));
  for (const std::filesystem::path& unit : source.more) argv.push_back(unit.string());
  append(argv, {"-o", std::filesystem::absolute(out).string()});
  append(argv, flags.link);
  append(argv, ldflags);
  ORDO_TRY(runTool({std::move(argv), "", source.dir, (source.dir / source.path).string()}));
  return {};
}

Status linkAddressSanitized(std::string_view bitcode, Level level, const Source& source,
                            const std::vector<std::string>& ldflags, const std::filesystem::path& out) {
  // The pass only looks at functions with the attribute, which clang gives to those of a source.
  ORDO_TRY_ASSIGN(
      const ProcessResult watched,
      runTool({{"opt-22", "-passes=forceattrs,asan", "-force-attribute=sanitize_address", "-", "-o", "-"},
               std::string(bitcode),
               source.dir,
               fmt::format("the bitcode of {}", source.path.string())}));
  ORDO_TRY_ASSIGN(const std::string object, emitObject(watched.out, level, source));
  std::vector<std::string> all = ldflags;
  all.push_back("-fsanitize=address");
  return linkExecutable(object, source, all, out);
}

}  // namespace ordo::frontend
