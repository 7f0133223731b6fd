// How actions of LLVM are written (env::Action::kind and text). Like all of this folder it sees none of
// LLVM's headers: it is for those who make such actions, or tell stock tools of them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "env/session.h"
#include "support/error.h"

namespace ordo::notation {

// The text is a pipeline of opt's, nested explicitly: "function(loop-mssa(licm<allowspeculation>))".
inline constexpr const char* kPipeline = "pipeline";
// "+minsize" and "-optsize" put an attribute on all functions, or take it away.
inline constexpr const char* kAttribute = "attribute";
// An option of the code generator ("-disable-lsr"), which leaves the program as it is, holds from then on for
// whatever is emitted, and is part of the state. Its name is "codegen<disable-lsr>".
inline constexpr const char* kCodegen = "codegen";

// An option of LLVM's passes ("-inline-threshold=-25", notation/pass_options.h), which leaves the program as
// it is, holds for the passes behind it, and is part of the state. Its name is
// "option<inline-threshold=-25>".
inline constexpr const char* kOption = "option";

// Which of some sequences each function gets (env/choices.h); they are written as function_sequence.h says.
inline constexpr const char* kChoices = "choices";

// What the text of a kCodegen action decides: "-misched" of "-misched=ilpmax". Of two with one name the later
// counts.
std::string_view codegenOption(std::string_view text);

// kCorrupt with the action's name if one is of no kind that is written here.
Status checkKinds(std::span<const env::Action> actions);

}  // namespace ordo::notation
