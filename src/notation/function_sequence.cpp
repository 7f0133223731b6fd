#include "notation/function_sequence.h"

#include <algorithm>

#include "notation/action.h"

namespace ordo::notation {

FunctionSequence parseFunctionSequence(std::string_view text) {
  FunctionSequence sequence;
  while (text.starts_with('+') || text.starts_with('-')) {
    const std::string_view attribute = text.substr(0, text.find(','));
    sequence.attributes.emplace_back(attribute);
    text.remove_prefix(std::min(attribute.size() + 1, text.size()));
  }
  sequence.passes = text;
  return sequence;
}

std::optional<std::string_view> functionPasses(const env::Action& action) {
  const std::string_view text = action.text;
  if (action.kind != kPipeline || !text.ends_with(')')) return std::nullopt;
  // The second forgets what is known of a function once all of its passes have run.
  std::string_view begin = "function(";
  if (!text.starts_with(begin)) begin = "function<eager-inv>(";
  if (!text.starts_with(begin)) return std::nullopt;
  // One pair of parentheses around all of it, and not "function(a),function(b)".
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0 && i >= begin.size() && i + 1 < text.size()) return std::nullopt;
  }
  return text.substr(begin.size(), text.size() - begin.size() - 1);
}

Result<env::Choices> parseChoices(std::string_view text, std::string_view where) {
  ORDO_TRY_ASSIGN(env::Choices choices, env::parseChoices(text, where));
  if (!parseFunctionSequence(choices.sequences.front()).attributes.empty())
    return fail(ErrorCode::kCorrupt,
                "{}: the first sequence, which is that of whoever is not named, has attributes", where);
  for (const std::string& sequence : choices.sequences) {
    const std::vector<std::string> attributes = parseFunctionSequence(sequence).attributes;
    for (const std::string& attribute : attributes) {
      // It removes after it has added, and whom it leaves out is optnone.
      const std::string opposite = (attribute.starts_with('+') ? "-" : "+") + attribute.substr(1);
      if (opposite.substr(1) == "optnone" || std::ranges::find(attributes, opposite) != attributes.end())
        return fail(ErrorCode::kCorrupt, "{}: stock opt cannot be told of '{}' in the sequence '{}'", where,
                    attribute, sequence);
    }
  }
  for (const auto& [name, number] : choices.functions) {
    if (name.find(':') != std::string::npos)
      return fail(ErrorCode::kCorrupt, "{}: stock opt cannot be told of the function '{}', for the colon",
                  where, name);
    // Its attributes are LLVM's own again in each run of opt, and would not be in a session.
    if (name.starts_with("llvm."))
      return fail(ErrorCode::kCorrupt, "{}: '{}' is no function of the program's, but an intrinsic", where,
                  name);
  }
  return choices;
}

}  // namespace ordo::notation
