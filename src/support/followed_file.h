// A file of JSON lines that one process appends to and others follow: what is new in it, and who writes it.
//
// What a file says of a process is only where to look: the file may be old and the number somebody else's by
// now, or it may have been made to do harm. A process is the writer if it is of this user, began when the
// file says, and has this very file open for writing; it is held by a descriptor (pidfd_open) while that is
// looked at, so that what is signalled is what was looked at.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "support/child.h"
#include "support/error.h"
#include "support/json.h"

namespace ordo {

// This process, as its file says it: {"pid", "started"}, the latter in the system's ticks since it booted.
Json thisWriter();

class Writer {
 public:
  // The writer of `file` that `told` names, if it is on this machine and still at it.
  static std::optional<Writer> find(const Json& told, const std::filesystem::path& file);

  // Asks it to come to an end, as Ctrl-C does. kNotFound if it has ended meanwhile.
  Status interrupt() const;

 private:
  explicit Writer(Descriptor process) : process_(std::move(process)) {}
  Descriptor process_;
};

// Reads the lines that are whole, each once. One thread at a time.
class FollowedFile {
 public:
  explicit FollowedFile(std::filesystem::path file) : file_(std::move(file)) {}

  struct News {
    bool anew = false;  // the file was begun anew since: these lines are its first
    std::vector<Json> lines;
  };
  // What is new since the last call, at most some 16 MiB of it at a time. Errors as of readFile(); kCorrupt
  // for a line that is no JSON object, and for one of more than 1 MiB.
  Result<News> read();

  const std::filesystem::path& path() const { return file_; }

 private:
  const std::filesystem::path file_;
  std::string start_;  // the file's first bytes, by which a file that was begun anew is known
  std::uintmax_t at_ = 0;
  std::size_t line_ = 0;  // how many were read
};

}  // namespace ordo
