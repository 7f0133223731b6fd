// What Ordo did in builds: a line of JSON for each file that was compiled (docs/builds.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "support/error.h"

namespace ordo::builds {

enum class Outcome : std::uint8_t {
  kTuned,     // searched for, just now
  kCached,    // known from before
  kLocked,    // as the lock file says
  kPlain,     // not for Ordo: the compiler's own work
  kFallback,  // Ordo was in trouble: the compiler's own work
};

// "tuned", "cached", ...
std::string_view name(Outcome outcome);

struct LogLine {
  std::string time = {};    // ISO 8601, UTC
  std::string source = {};  // absolute
  std::string object = {};
  Outcome outcome = Outcome::kPlain;
  std::string reason = {};     // why it is plain or a fallback, or why nothing could be tried
  std::string objective = {};  // what baseline and tuned are about; "" if there is none
  double baseline = 0;
  double tuned = 0;
  double seconds = 0;                   // from beginning to end of the compilation
  double processor_seconds = 0;         // of it, in all processes, until clang goes on alone
  std::string key = {};                 // of the cache
  std::string module = {};              // as the plugin names it
  std::string level = {};               // "Os": what the user asked for; "" if there is nothing to tune
  std::vector<std::string> flags = {};  // lockedFlags() of its task, likewise
  double oz = 0;  // what plain clang -Oz would make of it, of what baseline is about; 0: not known
  // That each had a sequence of its own looked for, and of these the ones that were known from other builds.
  std::int64_t functions = 0, remembered = 0;
  // Of a module that was only recorded: how it is compiled, and baseline and tuned are bytes of text.
  std::vector<std::string> command = {};
};

// Appends the line at once, so that writers beside this one do not mix with it.
Status append(const std::filesystem::path& log, const LogLine& line);

// kNotFound if there is none. A line that is broken off, by a full disk or a crash, is left out.
Result<std::vector<LogLine>> readLog(const std::filesystem::path& log);

// How often something was not tuned, and why.
struct Reason {
  Outcome outcome = Outcome::kPlain;  // or kFallback
  std::string text;
  std::int64_t count = 0;
};
// The commonest first.
std::vector<Reason> reasonsOf(const std::vector<LogLine>& lines);

// What it comes to. Sizes are of the latest compilation of each object.
struct Totals {
  std::int64_t compilations = 0, tuned = 0, cached = 0, locked = 0, plain = 0, fallback = 0;
  double seconds = 0, processor_seconds = 0;
  std::int64_t functions = 0, remembered = 0;  // of all compilations
  std::int64_t files = 0;                      // with a size below
  double baseline = 0, result = 0;
  // Of those, the ones compiled with -Os, and again those of them of which it is known what -Oz makes.
  std::int64_t os_files = 0, oz_files = 0;
  double oz_baseline = 0, oz_result = 0, oz = 0;
};
Totals totalsOf(const std::vector<LogLine>& lines);

}  // namespace ordo::builds
