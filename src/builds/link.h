// Links that are optimised as one module (ORDO_LINKED): files are compiled with -flto, and lld, which knows
// what nobody else calls, asks the plugin what to do with the module that they come to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "builds/task.h"
#include "support/error.h"

namespace ordo::builds {

// The file that a compiler with `arguments`, those after its name, would link, as source and as object;
// nothing for any other command.
std::optional<Files> linkedFile(const std::vector<std::string>& arguments);

// Whether it compiles as well.
bool linksSources(const std::vector<std::string>& arguments);

// The task in a link's arguments; `objective` is "" for text_bytes, and `limits` are as of taskOf(). Its
// source and object are the linked file, its level and flags those that lld makes code with. kUnsupported
// says why the link is better left alone.
Result<Task> linkTaskOf(const std::vector<std::string>& arguments, const std::string& objective,
                        const std::vector<std::string>& limits = {});

// The pipeline that lld runs at the level of a link's task.
std::string linkPipeline(const Task& task);

// What is added to the command of a compilation, to that of any link of what was compiled so (another linker
// than lld does not know bitcode), and to that of one with the plugin in `plugin`.
inline constexpr std::string_view kForLink = "-flto";
std::vector<std::string> linkWords();
std::string linkPlugin(std::string_view plugin);

}  // namespace ordo::builds
