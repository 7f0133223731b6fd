// Calls of tools that a model writes into its text, because it was not trained to make them otherwise.
#pragma once

#include <string_view>
#include <vector>

#include "support/json.h"

namespace ordo::agent {

// Of <tool_call>{"name": …, "arguments": {…}}</tool_call> in order, and at last of <answer>["sroa",
// …]</answer>, which is a call of submit_sequence: each {"name", "arguments"}, whatever is in them. What is
// no JSON is a call with the arguments as text, so that the model is told.
std::vector<Json> textCalls(std::string_view content);

}  // namespace ordo::agent
