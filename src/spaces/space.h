// An action space: the ordered list of actions that a searcher or a policy chooses from. It is a
// text file with one action name per line (docs/formats/space.md); what a name means stands in the
// manifest. An index into a space is only meaningful with the hash of that space.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "spaces/manifest.h"
#include "support/error.h"
#include "support/hash.h"

namespace ordo::spaces {

struct Space {
  std::string name;
  std::vector<env::Action> actions;
  // Members that the manifest warns of, by probe or as a trap. They keep their index, which policies
  // learned, and are not to be applied: mask them.
  std::vector<env::ActionIndex> unsafe;
  Hash128 hash;  // spaceHash(actions)
};

// Changes with the order of the actions, with their names and with what the names mean: the hash of
// "name\tkind\ttext\n" for each, kind being that of env::name().
Hash128 spaceHash(const std::vector<env::Action>& actions);

// Whether `row` is fit to be applied to a program somebody cares about: nothing went wrong when it
// was probed, and it is no trap.
bool isSafe(const ManifestRow& row);

// The names in `text`, in order. kCorrupt with the line for something that is no name, a duplicate,
// or if there is none.
Result<std::vector<std::string>> parseSpace(std::string_view text);

// What parseSpace() reads back, below `comment` if there is one.
std::string writeSpace(const std::vector<std::string>& names, std::string_view comment);

// The space of that name in `data`/spaces, or in the file that `name_or_path` says if it has a '/'
// or ends in ".txt". kNotFound for an unknown space or for one with an unknown action, with the
// nearest name; kCorrupt as parseSpace().
Result<Space> loadSpace(const std::filesystem::path& data, std::string_view name_or_path,
                        const Manifest& manifest);

// What was learned in a space stays good when actions are added behind it: the first actions of `space` whose
// hash is `hash`, so that indices are what they were. kUnsupported if its beginning is another one by now.
Result<Space> beginning(const Space& space, const Hash128& hash);

// The names of the spaces in `data`/spaces, sorted.
std::vector<std::string> listSpaces(const std::filesystem::path& data);

// What the space `full` is: every safe action that changed something when it was probed, without the pieces
// of pipelines, whose passes and whole pipelines are all in it, and without choices of the code generator,
// which change no IR.
std::vector<std::string> fullSpace(const Manifest& manifest);

}  // namespace ordo::spaces
