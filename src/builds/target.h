// What clang's driver makes of a task's flags, remembered: to ask it costs as much as a small compilation.
#pragma once

#include <string>

#include "builds/cache.h"
#include "builds/task.h"
#include "engine/input.h"
#include "frontend/driver.h"
#include "support/error.h"

namespace ordo::builds {

struct Target {
  frontend::Pipeline pipeline;
  frontend::CodegenFlags codegen;
};

// `compiler` names the very clang that is asked; `cache` may be null. kUnsupported if a measured size would
// not be clang's, or the code is for another machine than x86-64 Linux.
Result<Target> targetOf(Cache* cache, const Task& task, std::string_view compiler);

// What a search is given of a module: `bitcode` before any pass, compiled as the task says.
engine::Input inputOf(const Task& task, const Target& target, std::string_view bitcode);

// The action space for it: of a link no choices of the code generator, which would hold for all of its
// modules.
std::string spaceOf(const Task& task);

std::string writeTarget(const Target& target);
// kCorrupt names the field at fault.
Result<Target> readTarget(std::string_view text);

}  // namespace ordo::builds
