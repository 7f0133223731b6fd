#include "cli/python.h"

#include <unistd.h>

#include <cstdlib>

#include "cli/terminal.h"
#include "support/child.h"
#include "support/files.h"

namespace ordo::cli {

namespace {

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
  return become({"-m", std::string(module)}, arguments);
}

int becomePythonProgram(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
  return become({program.string()}, arguments);
}

}  // namespace ordo::cli
