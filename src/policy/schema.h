// Which features are of which group, read from a feature schema (Encoder::schema()).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::policy {

// One byte for each feature of `schema`: 1 where its group has one of `names`, or a name that begins with one
// and a dot, so that "history" is history.bag, history.last and history.last_but_one. kInvalidArgument, with
// all groups, for a name without any.
Result<std::vector<std::uint8_t>> featuresOf(std::string_view schema, std::span<const std::string> names);

}  // namespace ordo::policy
