#include "builds/task.h"

#include <algorithm>
#include <limits>

#include "builds/command.h"
#include "engine/limits.h"
#include "env/metric.h"

namespace ordo::builds {
namespace {

// The sources of a command, as a log names them.
std::string joined(const std::vector<std::string>& inputs) {
  std::string names;
  for (const std::string& input : inputs) names += (names.empty() ? "" : " ") + input;
  return names;
}

}  // namespace

std::vector<std::string> lockedFlags(const Task& task) {
  std::vector<std::string> words{fmt::format("-{}", frontend::name(task.level))};
  words.insert(words.end(), task.flags.begin(), task.flags.end());
  return words;
}

double mostCode(const Task& task, double code) {
  double most = std::numeric_limits<double>::infinity();
  for (const std::string& text : task.limits) {
    const Result<engine::AskedLimit> limit = engine::parseLimit(text);
    if (limit && code > 0) most = std::min(most, limit->most(code));
  }
  return most;
}

std::optional<Files> filesOf(const std::vector<std::string>& arguments) {
  const Command command = readCommand(arguments);
  if (!command.compiles || command.probe || command.inputs.empty()) return std::nullopt;
  return Files{joined(command.inputs), command.object};
}

Result<Task> taskOf(const std::vector<std::string>& arguments, const std::string& objective,
                    const std::vector<std::string>& limits) {
  constexpr ErrorCode kNo = ErrorCode::kUnsupported;
  const Command command = readCommand(arguments);
  if (!command.compiles || command.inputs.empty()) return fail(kNo, "does not compile to an object");
  if (command.probe) return fail(kNo, "is a trial of a configure script");
  if (!command.foreign.empty()) return fail(kNo, "'{}' is between the user and clang", command.foreign);
  if (command.inputs.size() > 1) return fail(kNo, "compiles several files at once");
  if (command.language.empty()) return fail(kNo, "'{}' is neither C nor C++", command.inputs[0]);
  if (command.object == "-" || command.object.starts_with("/dev/"))
    return fail(kNo, "'{}' is no file for an object", command.object);
  if (!command.level) return fail(kNo, "{}", command.level.error().message);
  Task task{command.inputs[0], command.language, command.object};
  task.level = *command.level;
  const bool size = task.level == frontend::Level::kOz || task.level == frontend::Level::kOs;
  task.objective = !objective.empty() ? objective : size ? env::kTextBytes : "";
  if (task.level == frontend::Level::kO0) return fail(kNo, "-O0 asks for no optimisation");
  if (task.objective.empty())
    return fail(kNo, "-{} has no objective of its own; ORDO_OBJECTIVE sets one", frontend::name(task.level));
  task.limits = engine::usualLimits(task.objective, limits);
  task.remarks = command.remarks;
  task.flags = command.code;
  return task;
}

}  // namespace ordo::builds
