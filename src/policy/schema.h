// Which features are of which group, read from a feature schema (Encoder::schema()).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::policy {

// Neighbouring features: a line of the schema.
struct FeatureGroup {
  std::string_view name;  // "history.bag"
  std::size_t width = 0;
};

// In the order of the features. REQUIRES: what Encoder::schema() gave, which they look into.
std::vector<FeatureGroup> groupsOf(std::string_view schema);

// One byte for each feature of `schema`: 1 where its group has one of `names`, or a name that begins with one
// and a dot, so that "history" is history.bag, history.last and history.last_but_one. kInvalidArgument, with
// all groups, for a name without any.
Result<std::vector<std::uint8_t>> featuresOf(std::string_view schema, std::span<const std::string> names);

}  // namespace ordo::policy
