#include "notation/action.h"

namespace ordo::notation {

std::string_view codegenOption(std::string_view text) { return text.substr(0, text.find('=')); }

Status checkKinds(std::span<const env::Action> actions) {
  for (const env::Action& action : actions) {
    if (action.kind == kPipeline || action.kind == kAttribute || action.kind == kCodegen) continue;
    return fail(ErrorCode::kCorrupt, "the kind of the action '{}' should be {}, {} or {}, not '{}'",
                action.name, kPipeline, kAttribute, kCodegen, action.kind);
  }
  return {};
}

}  // namespace ordo::notation
