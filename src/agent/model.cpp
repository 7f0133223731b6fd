#include "agent/model.h"

#include "agent/http_model.h"
#include "agent/process_model.h"

namespace ordo::agent {

Result<std::unique_ptr<Model>> openModel(const std::string& spec, const ModelOptions& options) {
  constexpr std::string_view kOpenAi = "openai:";
  if (spec.starts_with(kOpenAi)) return openHttpModel(spec.substr(kOpenAi.size()), options);
  if (spec == "shipped" || spec.starts_with("hf:") || spec.starts_with("gguf:") ||
      spec.starts_with("random:"))
    return openProcessModel(spec, options);
  return fail(ErrorCode::kInvalidArgument,
              "'{}' is no model: say openai:URL#NAME, hf:FOLDER, gguf:FILE or shipped", spec);
}

Result<Guesses> Model::propose(const Json& /*messages*/, const Json& /*tool*/, std::string_view /*source*/,
                               std::size_t /*count*/, const Sampling& /*sampling*/) {
  return fail(ErrorCode::kUnsupported,
              "{} cannot be asked for likely sequences; hf:FOLDER, gguf:FILE and shipped can", name());
}

void readUsage(const Json& usage, Reply& reply) {
  const auto count = [&](const char* key) {
    const auto found = usage.is_object() ? usage.find(key) : usage.end();
    return usage.is_object() && found != usage.end() && found->is_number() ? found->get<double>() : 0;
  };
  reply.prompt_tokens = count("prompt_tokens");
  reply.completion_tokens = count("completion_tokens");
  reply.flops = count("flops");
}

}  // namespace ordo::agent
