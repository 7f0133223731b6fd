// A tuning that another process is at, followed by its journal (tune/journal.h).
#pragma once

#include <filesystem>
#include <memory>

#include "support/error.h"
#include "web/view.h"

namespace ordo::web {

// Errors as of tune::readJournal().
Result<std::unique_ptr<View>> openJournal(const std::filesystem::path& file);

}  // namespace ordo::web
