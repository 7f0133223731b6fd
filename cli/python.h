// Parts of Ordo that are Python's: this program becomes them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ordo::cli {

// Becomes `python -m MODULE ARGUMENTS…`, with $ORDO_PYTHON, else python3, which has to have the package ordo;
// $ORDO says where this program is. Returns only if there is no Python, with the exit code, having said so.
int becomePython(std::string_view module, const std::vector<std::string>& arguments);

// The same with a file of Python that needs nothing of Ordo's.
int becomePythonProgram(const std::filesystem::path& program, const std::vector<std::string>& arguments);

}  // namespace ordo::cli
