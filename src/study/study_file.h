// The file of a study: SQLite (docs/formats/study.md). A finished run is one transaction, so that
// whatever ends the writer, each run is there whole or not at all, and the same command goes on from
// there.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "study/study.h"
#include "support/sqlite.h"

namespace ordo::study {

inline constexpr std::string_view kFormat = "1";
inline constexpr std::string_view kNotePrefix = "note.";  // of a note's key in the file

// What is written down once for those who read, and never compared: machine, command, date.
using Notes = std::vector<std::pair<std::string, std::string>>;

// The one writer of a study. One thread at a time.
class StudyWriter {
 public:
  // Makes the file, or goes on with it. kInvalidArgument if it was made with other settings (the message
  // says which), kUnavailable if another process writes it, kCorrupt or kUnsupported if it is no study
  // of this format.
  static Result<std::unique_ptr<StudyWriter>> open(const std::filesystem::path& file,
                                                   const Settings& settings, const Notes& notes);

  // The runs that are finished, also those that failed.
  const std::set<RunKey>& finished() const { return finished_; }

  // Adds a program. Nothing happens if it is there with the same hash; kInvalidArgument if its hash
  // differs, because then runs of it could not be compared.
  Status add(const Program& program);

  // REQUIRES: its program was added; it is not among finished().
  Status add(const Run& run);

  // Leaves one file without companions behind, for good. Without it, SQLite's journal stays beside.
  Status close();

 private:
  // An open descriptor that holds the lock.
  struct Lock {
    explicit Lock(int fd) : descriptor(fd) {}
    Lock(Lock&& other) noexcept : descriptor(std::exchange(other.descriptor, -1)) {}
    ~Lock();
    int descriptor;
  };

  StudyWriter(Lock lock, Database database) : lock_(std::move(lock)), database_(std::move(database)) {}

  Status insert(const Program& program);
  Status insert(const Run& run);
  Status insert(std::int64_t run, const Talk& talk);

  Lock lock_;  // outlives the database: closing a file ends SQLite's locks on it
  Database database_;
  std::set<RunKey> finished_;
};

// A study as it is read: everything.
struct Study {
  Settings settings;
  Notes notes;
  std::vector<Program> programs;  // by uri
  std::vector<Run> runs;          // by key
  std::string file_hash;          // XXH3-128 of the file, in hexadecimal
  bool in_progress = false;       // it has a journal beside it, so that the hash is not final

  const Program* program(std::string_view uri) const;
};

// How much of it is read: without the actions of improvements, which are most of a large study, or with.
enum class Reading { kAll, kWithoutActions };

// kNotFound, kCorrupt or kUnsupported. A study may be read while it is written.
Result<Study> readStudy(const std::filesystem::path& file, Reading reading = Reading::kAll);

}  // namespace ordo::study
