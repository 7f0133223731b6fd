// The hierarchy in a space: which of its actions are one pass with different parameters. A policy can
// then choose a pass first and its parameters next.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "env/session.h"

namespace ordo::spaces {

struct ActionGroup {
  std::string pass;                       // "gvn"
  std::vector<env::ActionIndex> actions;  // the members, by index into the space, in its order
  std::vector<std::string> parameters;    // of each member: "" for `gvn`, "no-pre" for `gvn<no-pre>`
};

// Every action is in exactly one group. Groups stand in the order of their first members, so they are as
// stable as the space. What tells members apart are names: `pass<parameters>` belongs to `pass`, also if
// the space has no `pass` itself, and the attributes `+minsize` and `-minsize` are `minsize` with the
// parameters "+" and "-". Anything else is a group of one: a composite, "loop(guard-widening)".
std::vector<ActionGroup> groupActions(std::span<const env::Action> actions);

}  // namespace ordo::spaces
