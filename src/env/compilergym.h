// What CompilerGym 0.2.5 calls our rewards and observations, for those who come from there. What differs
// behind the names is in docs/from-compilergym.md, so they are pointed to ours, not taken for them.
#pragma once

#include <string>
#include <string_view>

namespace ordo::env {

// "; CompilerGym's IrInstructionCountOz is ir_instructions/gap:bare-Oz here", or "" for what is no name of
// its.
std::string hintForReward(std::string_view compilergym);
std::string hintForObservation(std::string_view compilergym);

}  // namespace ordo::env
