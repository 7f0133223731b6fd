#include "engine/baseline.h"

#include "notation/action.h"
#include "support/text.h"

namespace ordo::engine {

std::string Baseline::name() const {
  return fmt::format("{}-{}", linked ? "lto" : bare ? "bare" : "clang", frontend::name(level));
}

std::vector<std::string> baselineNames() {
  std::vector<std::string> names;
  for (const bool bare : {false, true}) {
    for (const frontend::Level level : frontend::kLevels) names.push_back(Baseline{level, bare}.name());
  }
  return names;
}

Result<Baseline> parseBaseline(std::string_view name) {
  for (const bool bare : {false, true}) {
    for (const frontend::Level level : frontend::kLevels) {
      const Baseline baseline{level, bare};
      if (baseline.name() == name) return baseline;
    }
  }
  return fail(ErrorCode::kInvalidArgument, "{}", unknownName("baseline", name, baselineNames()));
}

std::vector<env::Action> bareAttributes() {
  std::vector<env::Action> actions;
  for (const char* attribute : {"-minsize", "-optsize"}) {
    actions.push_back({attribute, notation::kAttribute, attribute});
  }
  return actions;
}

env::Action baselineAction(const Baseline& baseline, const frontend::Pipeline& captured) {
  return {baseline.name(), notation::kPipeline,
          baseline.bare ? fmt::format("default<{}>", frontend::name(baseline.level)) : captured.text};
}

}  // namespace ordo::engine
