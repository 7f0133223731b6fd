// Stock opt-22, llvm-extract-22 and llvm-size-22: the tools that anyone can check our results with.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/driver.h"
#include "support/error.h"

namespace ordo::frontend {

// libordo-plugin.so as it is installed.
std::filesystem::path pluginPath();

// How the names of passes begin that opt only knows with the plugin, and those of options ("-ordo-…").
inline constexpr std::string_view kOwnPass = "ordo-";

// `opt-22 -relocation-model=pic -passes=... in -o out`. The relocation model is part of it: without
// it rel-lookup-table-converter acts as for static code and opt's result is not clang's. With the plugin if
// the pipeline needs it.
std::vector<std::string> optCommand(const Pipeline& pipeline, const CodegenFlags& codegen,
                                    const std::filesystem::path& in, const std::filesystem::path& out);

// The bitcode that this command makes of `bitcode`. kInvalidArgument with opt's words if it fails.
Result<std::string> runOpt(std::string_view bitcode, const Pipeline& pipeline, const CodegenFlags& codegen);

// The function of `bitcode` that has this name, by stock llvm-extract-22: everything else is declared, but
// for constants. kNotFound if there is none.
Result<std::string> extractFunction(std::string_view bitcode, const std::string& name);

// The text column of llvm-size-22 for the bytes of an object file: code and read-only data.
Result<std::uint64_t> textSize(std::string_view object);

}  // namespace ordo::frontend
