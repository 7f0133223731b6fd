// Adds to a file of experience. Each record is one write, synced: whatever ends the writer, earlier records
// are whole, and a last one that is not is dropped when the file is gone on with.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "experience/experience.h"
#include "support/error.h"

namespace ordo::experience {

// The one writer of a file, held by a lock that goes with the process. One thread at a time.
class Writer {
 public:
  // Makes the file, or goes on with it. kInvalidArgument if it has another header (the message says which
  // field differs), kUnavailable if another process writes it or the system refuses, and the errors of a
  // Reader; a file that is no experience is left as it is.
  static Result<std::unique_ptr<Writer>> open(const std::filesystem::path& file, const Header& header);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  const std::set<RunKey>& runs() const { return runs_; }
  // Whether runs of `uri` for `objective` are left out.
  bool leavesOut(std::string_view uri, std::string_view objective) const;
  // Whether open() dropped a last line that was not whole.
  bool droppedTorn() const { return dropped_torn_; }

  // kUnavailable if the system refuses; then the file is as it was. kInvalidArgument for a record that
  // would be too long a line. REQUIRES: the record is not there yet.
  Status add(const Record& record);

 private:
  Writer(int descriptor, std::filesystem::path file) : descriptor_(descriptor), file_(std::move(file)) {}

  Status goOn(const Header& header);
  Status append(std::string line);
  Status cut();
  void remember(const Record& record);

  const int descriptor_;
  const std::filesystem::path file_;
  std::uint64_t size_ = 0;  // of the whole lines
  std::set<RunKey> runs_;
  std::set<std::pair<std::string, std::string>> omissions_;  // uri and objective
  bool dropped_torn_ = false;
};

}  // namespace ordo::experience
