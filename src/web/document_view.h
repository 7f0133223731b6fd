// What a command wrote as JSON for people to look at, passed on as it is: the trials of `ordo time --json`
// and the dialogue of `ordo agent --transcript`.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "support/error.h"
#include "support/json.h"
#include "web/view.h"

namespace ordo::web {

// "trial" or "talk" for such a document, "" for any other.
std::string kindOf(const Json& document);

// REQUIRES: kindOf(document) is one.
std::unique_ptr<View> openDocument(std::string title, Json document);

}  // namespace ordo::web
