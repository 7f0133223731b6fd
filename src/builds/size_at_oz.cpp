#include "builds/size_at_oz.h"

#include <charconv>

#include "engine/reach.h"
#include "env/metric.h"
#include "notation/action.h"
#include "support/hash.h"

namespace ordo::builds {
namespace {

std::string noteKey(std::string_view key) { return hashBytes(fmt::format("{}\nclang-Oz", key)).hex(); }

}  // namespace

bool hasSizeAtOz(const Task& task) {
  return task.level == frontend::Level::kOs && task.objective == env::kTextBytes && !task.linked;
}

Result<Target> targetAtOz(Cache& cache, Task task, std::string_view compiler) {
  task.level = frontend::Level::kOz;
  return targetOf(&cache, task, compiler);
}

Result<double> textAtOz(engine::Engine& engine, Task task, const Target& at_oz, std::string_view bitcode) {
  task.level = frontend::Level::kOz;
  const engine::Input input = inputOf(task, at_oz, bitcode);
  // All that the front end does otherwise at -Oz.
  const env::Action minsize{"+minsize", notation::kAttribute, "+minsize"};
  ORDO_TRY_ASSIGN(const engine::State state,
                  engine::reach(engine, input, bitcode,
                                {minsize, engine::baselineAction(input.baseline, input.pipeline)}));
  return engine::measured(state, env::kTextBytes);
}

Status storeTextAtOz(Cache& cache, std::string_view key, double bytes) {
  return cache.storeNote(noteKey(key), fmt::format("{:.0f}", bytes));
}

Result<std::optional<double>> findTextAtOz(Cache& cache, std::string_view key) {
  ORDO_TRY_ASSIGN(const std::optional<std::string> text, cache.findNote(noteKey(key)));
  if (!text) return std::nullopt;
  double bytes = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), bytes);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return bytes;
}

}  // namespace ordo::builds
