#include "cli/python.h"

#include <unistd.h>

#include <cstdlib>

#include "cli/terminal.h"
#include "support/child.h"
#include "support/files.h"

namespace ordo::cli {

namespace {

// As `python -m MODULE ARG…`; a package that is missing is said as what it is, with the code for that.
constexpr const char* kRunModule = R"(
import runpy, sys
module = sys.argv.pop(1)
try:
    runpy.run_module(module, run_name="__main__", alter_sys=True)
except ImportError as error:
    missing = error if isinstance(error, ModuleNotFoundError) else error.__context__
    if not isinstance(missing, ModuleNotFoundError):
        raise
    print(f"ordo: {sys.executable} has no package {missing.name!r}, which {module} needs; the launcher of a clone "
          "(./ordo) installs it, or say where Python with it is with ORDO_PYTHON", file=sys.stderr)
    sys.exit(69)
)";

int become(std::vector<std::string> words, const std::vector<std::string>& arguments) {
  const char* const given = std::getenv("ORDO_PYTHON");
  words.insert(words.begin(), given != nullptr && *given != '\0' ? given : "python3");
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::vector<char*> argv = pointers(words);
  ::setenv("ORDO", executablePath().c_str(), 1);
  ::execvp(argv.front(), argv.data());
  return report({ErrorCode::kUnavailable,
                 fmt::format("there is no {}: say where Python with the package ordo is with ORDO_PYTHON",
                             words.front())});
}

}  // namespace

int becomePython(std::string_view module, const std::vector<std::string>& arguments) {
  return become({"-c", kRunModule, std::string(module)}, arguments);
}

int becomePythonProgram(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
  return become({program.string()}, arguments);
}

}  // namespace ordo::cli
