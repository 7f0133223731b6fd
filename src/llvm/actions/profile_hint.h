// What runs of a program said of it, given to its module as `-fprofile-use` would: as a pass,
// `ordo-profile<16;98120;...>`, with the numbers of llvm/ir/profile.h, of which a missing one ("1;;2") is
// kNoWeights (runtime/profile.h makes them). PipelineRunner knows it, and so does stock opt with
// libordo-plugin.so.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ordo::actions {

// The numbers that a pass of this name gives; nothing if it is no such pass.
std::optional<std::vector<std::int64_t>> parseProfileHint(std::string_view pass);

}  // namespace ordo::actions
