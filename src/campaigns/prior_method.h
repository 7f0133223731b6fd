// A searcher that begins with what somebody proposes for each program: the prior, measured in a study.
#pragma once

#include <string>

#include "prior/proposals.h"
#include "search/searcher/searcher.h"
#include "study/method.h"

namespace ordo::campaigns {

// Each run measures the program's proposals first, as evaluations of its own, and the thinking that they took
// is its own too. A program that `file` has nothing for breaks the method, which says so.
study::Method priorMethod(std::string name, const search::SearcherInfo& searcher, prior::File file);

}  // namespace ordo::campaigns
