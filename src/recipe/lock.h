// ordo.lock: which passes each file of a project is compiled with, for people to review and builds to repeat
// without a search. docs/formats/lock.md describes the file; a change of meaning bumps kLockFormat.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recipe/order.h"
#include "support/error.h"
#include "support/hash.h"

namespace ordo::recipe {

// Of 1 there are no checksums; up to 2 nothing says how a file is made of its module, and no actions are the
// compiler's own pipeline, whatever the settings.
inline constexpr std::int64_t kLockFormat = 3;

struct LockedFile {
  std::string source;  // relative to the lock file
  Hash128 module;      // as the plugin names it (plugin/module_hash.h)
  std::string objective;
  double baseline = 0;  // of the objective, as measured when it was locked
  double tuned = 0;
  Order order;  // or none()
  // The level and flags that bear on what is made of the module, in the order of the command; nothing if
  // nobody has said.
  std::optional<std::vector<std::string>> flags = {};
};

struct Lock {
  // One source may be compiled several times, with other flags.
  std::vector<LockedFile> files;

  // The one for this module, or null; the first of them if it is made in several ways.
  const LockedFile* find(const Hash128& module) const;
  // The one for this module and these flags, or one of which nobody has said them.
  const LockedFile* find(const Hash128& module, const std::vector<std::string>& flags) const;
};

// Indented JSON that ends with a newline, ordered by source: a changed file is a changed paragraph.
std::string writeLock(Lock lock);

// kCorrupt names the field at fault, or the file whose checksum is of something else; kUnsupported for a
// newer format. `name` is for messages.
Result<Lock> parseLock(std::string_view text, std::string_view name);

}  // namespace ordo::recipe
