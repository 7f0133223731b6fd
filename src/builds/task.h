// What there is to tune in a compiler's command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/level.h"
#include "support/error.h"

namespace ordo::builds {

struct Task {
  std::string source;  // as it was given
  std::string language;
  std::string object;
  frontend::Level level = frontend::Level::kOz;
  std::string objective = {};
  std::vector<std::string> limits = {};  // of code alone, or none (engine::usualLimits())
  // Those that bear on what code is made of the same IR, in order. Macros, folders and warnings do not.
  std::vector<std::string> flags = {};
  std::string remarks = {};  // the file that gets clang's optimization remarks as YAML, or ""
  bool linked = false;       // a whole link (link.h)
};

// The level and the flags, which is all of a command that bears on what is made of one module.
std::vector<std::string> lockedFlags(const Task& task);

// The most bytes of code alone where the plain object has `code`, which is 0 if nobody knows.
double mostCode(const Task& task, double code);

// The files of a command that compiles to objects, which is what a log is about: the sources, and the object
// if it is one. Nothing for any other command, nor for what a configure script tries.
struct Files {
  std::string source, object;
};
std::optional<Files> filesOf(const std::vector<std::string>& arguments);

// The task in `arguments`, those after the compiler's name; `objective` is "" for what the level asks for,
// and `limits` are those that were asked for. kUnsupported says why the command is better left to the
// compiler.
Result<Task> taskOf(const std::vector<std::string>& arguments, const std::string& objective,
                    const std::vector<std::string>& limits = {});

}  // namespace ordo::builds
