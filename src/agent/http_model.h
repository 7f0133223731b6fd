// Models behind an address in the manner of OpenAI's: chat completions with tools.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "agent/model.h"

namespace ordo::agent {

// `address` is URL#NAME: http://127.0.0.1:8080/v1#qwen3 or https://api.example.com/v1#name. The key in
// $OPENAI_API_KEY is sent to https and to this machine only. kInvalidArgument for an address that is none.
Result<std::unique_ptr<Model>> openHttpModel(const std::string& address, const ModelOptions& options);

// What a completion in the manner of OpenAI's says. kCorrupt where it is none.
Result<Reply> readCompletion(std::string_view body);

}  // namespace ordo::agent
