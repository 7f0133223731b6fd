// Models that a process of Python's runs: `python -m ordo.agent.serve MODEL`, which speaks lines of JSON.
#pragma once

#include <memory>
#include <string>

#include "agent/model.h"

namespace ordo::agent {

// kUnavailable, with the program's last words, if it does not start; kNotFound if there is no Python.
Result<std::unique_ptr<Model>> openProcessModel(const std::string& spec, const ModelOptions& options);

// The same for any program that speaks so.
Result<std::unique_ptr<Model>> openProcessModel(const std::vector<std::string>& argv,
                                                const ModelOptions& options);

}  // namespace ordo::agent
