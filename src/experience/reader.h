// Reads a file of experience record by record, so that it may be larger than memory.
//
// A last line without its newline is one that its writer was ended in: it is dropped (see torn()). All else
// that does not hold together is an error that names file, line and field.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experience/experience.h"
#include "experience/trial.h"
#include "support/error.h"

namespace ordo::experience {

// One thread at a time.
class Reader {
 public:
  // kNotFound or kUnavailable (unreadable), kCorrupt if there is no header, kUnsupported for a newer format.
  static Result<Reader> open(const std::filesystem::path& file);

  const Header& header() const { return header_; }

  // The next record; nothing at the end. kCorrupt, also for a run, an omission or a trial that was there
  // before. After an error there is nothing more to be had.
  Result<std::optional<Record>> next();

  // The trials (trial.h) on the way so far, which next() passes over.
  const std::vector<Trial>& trials() const { return trials_; }

  // Where the line after the last one read begins, in bytes; at the end, the length of the file without
  // the torn line.
  std::uint64_t offset() const { return offset_; }

  // At the end: whether a torn line was dropped.
  bool torn() const { return torn_; }

 private:
  Reader(std::ifstream stream, std::string name) : stream_(std::move(stream)), name_(std::move(name)) {}

  Result<std::optional<std::string_view>> nextLine();
  std::string where() const { return fmt::format("{}:{}", name_, lines_); }

  std::ifstream stream_;
  std::string name_;
  Header header_;
  std::string buffer_;    // what was read of the file and not yet dropped
  std::size_t used_ = 0;  // of the buffer, by lines that were handed out
  std::uint64_t lines_ = 0;
  std::uint64_t offset_ = 0;
  bool torn_ = false;
  std::vector<Trial> trials_;
  std::set<std::string> trial_ids_;
  std::set<RunKey> runs_;
  std::set<std::pair<std::string, std::string>> omissions_;  // uri and objective
};

}  // namespace ordo::experience
