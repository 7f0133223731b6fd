// What language models said and took in a study: whether their dialogues ended in an answer, and its worth.
#pragma once

#include <string>

#include "study/study_file.h"
#include "support/table.h"

namespace ordo::report {

// A row for each method that is a language model, over all its runs for the objective; none without any.
Table talkTable(const study::Study& study, const std::string& objective);

std::string talkDefinition();

}  // namespace ordo::report
