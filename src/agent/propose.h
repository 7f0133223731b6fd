// What a language model would try first on a program, before anything of it is measured: the prior of a
// search or a training (DeCOS, ICS 2025). There is no dialogue: the model is told what `ordo agent` tells
// it first and the program's features, and several of its first measurements are drawn.
#pragma once

#include <string>

#include "agent/host.h"
#include "agent/model.h"
#include "prior/proposals.h"
#include "support/error.h"

namespace ordo::agent {

struct ProposeOptions {
  std::size_t count = 16;  // at most prior::kMostProposals
  Sampling sampling{.temperature = 1, .max_tokens = 192};
};

// For the program that `host` has open under `handle`; costs no compile. Only sequences that can be measured
// there: of its actions and not too long; perhaps none. Errors of Model::propose(); kNotFound without such a
// program.
Result<prior::Proposals> propose(Host& host, const std::string& handle, Model& model,
                                 const ProposeOptions& options);

}  // namespace ordo::agent
