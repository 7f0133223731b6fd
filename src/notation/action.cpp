#include "notation/action.h"

#include "notation/function_sequence.h"
#include "notation/pass_options.h"

namespace ordo::notation {

std::string_view codegenOption(std::string_view text) { return text.substr(0, text.find('=')); }

Status checkKinds(std::span<const env::Action> actions) {
  for (const env::Action& action : actions) {
    if (action.kind == kPipeline || action.kind == kAttribute || action.kind == kCodegen) continue;
    if (action.kind == kOption && isPassOption(action.text)) continue;
    if (action.kind == kChoices) {
      ORDO_TRY(parseChoices(action.text, action.name));
      continue;
    }
    return fail(ErrorCode::kCorrupt,
                "the kind of the action '{}' should be {}, {}, {}, {} or {}, not '{}' ({})", action.name,
                kPipeline, kAttribute, kCodegen, kOption, kChoices, action.kind, action.text);
  }
  return {};
}

}  // namespace ordo::notation
