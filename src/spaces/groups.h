// The hierarchy in a space: which of its actions are of one type with different parameters
// (env::partsOf()). A policy can then choose a type first and its parameters next.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "env/session.h"

namespace ordo::spaces {

struct ActionGroup {
  std::string type;                       // "gvn"
  std::vector<env::ActionIndex> actions;  // the members, by index into the space, in its order
  std::vector<std::string> parameters;    // of each member: "" for `gvn`, "no-pre" for `gvn<no-pre>`
};

// Every action is in exactly one group. Groups stand in the order of their first members, so they are as
// stable as the space. What has no parameters is a group of one, unless another is of its type.
std::vector<ActionGroup> groupActions(std::span<const env::Action> actions);

}  // namespace ordo::spaces
