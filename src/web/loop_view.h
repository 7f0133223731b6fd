// A production loop (docs/loop.md): what it knows of its candidates, what is left of the error budget, and
// each experiment with what was seen of control and canary. It looks on, also while a controller is at work.
#pragma once

#include <filesystem>
#include <memory>

#include "support/error.h"
#include "web/view.h"

namespace ordo::web {

// `settings` is a loop.toml. Errors as of loop::loadSettings() and loop::Store::open().
Result<std::unique_ptr<View>> openLoop(const std::filesystem::path& settings);

}  // namespace ordo::web
