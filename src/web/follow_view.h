// What another process is at, a tuning or a training, followed by the file that it tells it in; and that
// process asked to come to an end.
#pragma once

#include <filesystem>
#include <memory>

#include "support/error.h"
#include "web/view.h"

namespace ordo::web {

// A journal of `ordo tune --journal`, or events of `ordo train`: the first line says which, and of an empty
// file a journal is expected. Errors as of FollowedFile::read() and Telling::hear().
Result<std::unique_ptr<View>> openFollowed(const std::filesystem::path& file);

}  // namespace ordo::web
