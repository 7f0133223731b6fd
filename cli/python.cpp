#include "cli/python.h"

#include <unistd.h>

#include <cstdlib>

#include "cli/terminal.h"
#include "support/child.h"
#include "support/files.h"

namespace ordo::cli {

int becomePython(std::string_view module, const std::vector<std::string>& arguments) {
  const char* const given = std::getenv("ORDO_PYTHON");
  std::vector<std::string> words{given != nullptr && *given != '\0' ? given : "python3", "-m",
                                 std::string(module)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::vector<char*> argv = pointers(words);
  ::setenv("ORDO", executablePath().c_str(), 1);
  ::execvp(argv.front(), argv.data());
  return report({ErrorCode::kUnavailable,
                 fmt::format("there is no {}: say where Python with the package ordo is with ORDO_PYTHON",
                             words.front())});
}

}  // namespace ordo::cli
