// What earlier builds found, shared by all compilers that run at once and by all builds of a user, or of a
// group: SQLite in WAL mode, so that a reader never waits and whatever is killed leaves it whole. SQLite does
// not notice a bit that a disk turns over, so each row has a hash of its key and what it says; a row that
// does not fit its hash is not there. Why its keys are what they are: docs/adr/0011-build-cache.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "builds/folder.h"
#include "support/error.h"
#include "support/sqlite.h"

namespace ordo::builds {

// What is known of a module under an objective and flags.
struct Known {
  std::string order;    // recipe::writeOrder(); "" where the compiler's own pipeline is best
  double baseline = 0;  // of the objective
  double tuned = 0;
  double seconds = 0;  // how long was searched
  double code = 0;     // bytes of code alone of the baseline; 0 where nobody has looked
};

// One process's connection. One thread at a time.
class Cache {
 public:
  // Opens <folder>/builds.sqlite, or makes it. A file that is none is set aside as builds.sqlite.broken.
  // kUnavailable if the system refuses, or somebody else could have written it (builds/folder.h). `limit`:
  // bytes of objects above which those unused longest go.
  static Result<Cache> open(const std::filesystem::path& folder, std::uint64_t limit,
                            Sharing sharing = Sharing::kNobody);

  Result<std::optional<Known>> find(std::string_view key);
  // The object that was made for `key`, which says what it depends on.
  Result<std::optional<std::string>> findObject(std::string_view key);
  // What takes as long as a small compilation to work out: what the driver says about flags
  // (builds/target.h), what is tried first (builds/first_answer.h). Any text.
  Result<std::optional<std::string>> findNote(std::string_view key);

  // Of two answers for one key the one that was searched longer stays; of two of equal length the later.
  Status store(std::string_view key, const Known& known);
  Status storeObject(std::string_view key, std::string_view object);
  Status storeNote(std::string_view key, std::string_view text);

 private:
  explicit Cache(Database database, std::uint64_t limit) : database_(std::move(database)), limit_(limit) {}
  static Result<Cache> connect(const std::filesystem::path& file, std::uint64_t limit, Sharing sharing);

  Database database_;
  std::uint64_t limit_;
};

}  // namespace ordo::builds
