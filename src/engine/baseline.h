// What results are compared with: clang-O0..clang-Oz, which are what clang itself does, and
// bare-O0..bare-Oz, the research convention (docs/adr/0004-baselines.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "frontend/driver.h"
#include "frontend/level.h"
#include "support/error.h"

namespace ordo::engine {

struct Baseline {
  frontend::Level level = frontend::Level::kOz;
  bool bare = false;
  bool linked = false;  // what lld does with the module of a link

  std::string name() const;  // "clang-Oz", "bare-O2", "lto-O2"
};

// kInvalidArgument that suggests the nearest name.
Result<Baseline> parseBaseline(std::string_view name);

std::vector<std::string> baselineNames();

// What a bare program lacks: the attributes that clang's level put on its functions.
std::vector<env::Action> bareAttributes();

// The action that makes the baseline of a program: the captured pipeline, or `default<Oz>`.
env::Action baselineAction(const Baseline& baseline, const frontend::Pipeline& captured);

}  // namespace ordo::engine
