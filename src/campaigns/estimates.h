// Estimates from measurements: what tells apart the programs that the first sequences of a coreset lead to.
#pragma once

#include "campaigns/yardstick.h"
#include "search/knowledge/knowledge.h"

namespace ordo::campaigns {

struct EstimateOptions {
  YardstickOptions on = {};                    // the programs on which the sequences are tried
  std::size_t openings = 8;                    // so many of a coreset, the first ones
  std::string observation = "codegen_shapes";  // that counts, of the programs that they lead to
  std::uint64_t seed = 1;
};

// Adds to `known`, anew, an estimate for each of its coresets of the kind of `options`, but for objectives
// that are known of every state. One of which too few sequences or programs can be measured has none.
// kNotFound if none of the programs is there, otherwise the errors of the stage.
Status addEstimates(const experience::Header& header, const std::vector<experience::Run>& runs, Stage& stage,
                    const EstimateOptions& options, search::KnowledgeFile& known);

}  // namespace ordo::campaigns
