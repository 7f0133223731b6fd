// Brings a file of knowledge (docs/formats/knowledge.md) to a search for one program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "search/knowledge.h"
#include "support/error.h"

namespace ordo::app {

// `observation` of the session's state as plain numbers. kInvalidArgument if it is text.
Result<std::vector<double>> observeNumbers(env::Session& session, std::string_view observation);

// What the option --knowledge means: "shipped" is the file that comes with Ordo,
// <data>/knowledge/debian.json, "none" is none, "", and anything else is a path.
std::string knowledgePath(std::string_view option);

// The knowledge in `path` for a search on `spec`, with the features of its program. Fails as
// parseKnowledge() and knowledgeFor() do.
Result<search::Knowledge> loadKnowledge(const std::string& path, env::Backend& backend,
                                        const env::SessionSpec& spec);

}  // namespace ordo::app
