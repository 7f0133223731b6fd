// Hands packets of work to the machines of a Ray cluster. A packet is a command of `ordo` with the files that
// it needs and the file that comes back. Ray decides where it runs, and runs it again where a machine is
// lost; python/ordo/cluster talks to it, as a child of this process.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/dialogue.h"
#include "support/error.h"
#include "support/files.h"

namespace ordo::cluster {

struct Packet {
  std::vector<std::string> arguments = {};  // of `ordo`, which runs in an empty folder of its own
  // What is in that folder, by relative path: files of this machine, which travel by their content. An
  // absolute path is that of a file that is there already, on a shared folder: only that it is the same is
  // looked at.
  std::map<std::string, std::filesystem::path> inputs = {};
  std::map<std::string, std::string> environment = {};  // values are paths in that folder
  std::string output = {};  // the file in it that comes back, or the folder if it ends in '/'
};

// What became of a packet.
struct Arrival {
  std::uint64_t packet = 0;
  std::string node;              // who made it
  int exit_code = 0;             // of `ordo`
  std::string words;             // the end of what it said on standard error
  std::filesystem::path output;  // the file or folder, here; it is the receiver's. Empty: there is none

  // kUnavailable, with the words, unless `ordo` ended well and its file came.
  Status made() const;
};

struct Options {
  std::string address = "auto";             // "10.0.0.1:6379", or "auto" for the one of this machine
  const std::atomic<bool>* stop = nullptr;  // ends all waiting soon after it becomes true
  std::vector<std::string> helper = {};     // instead of `python -m ordo.cluster`, for tests
};

// One thread at a time, the one that joined.
class Cluster {
 public:
  // kUnavailable, with what Python or Ray says, if it cannot be joined; kDeadlineExceeded if stopped.
  static Result<std::unique_ptr<Cluster>> join(Options options);
  ~Cluster();

  // Whether another packet would find a machine that is free, or soon is. More would wait without use.
  bool hasRoom() const { return away_.size() < slots_ + (slots_ + 3) / 4; }
  std::size_t away() const { return away_.size(); }

  // REQUIRES: no packet of this number is away. kNotFound if an input is not there.
  Status send(std::uint64_t number, const Packet& packet);

  // Waits for a packet. kUnavailable if one was lost again and again, or the cluster as a whole was;
  // kDeadlineExceeded if stopped. REQUIRES: one is away.
  Result<Arrival> receive();

  // What each machine does, in one line: "10.0.0.1 14 done on 2; 10.0.0.2 9 done, gone"
  const std::string& nodes() const { return nodes_; }

 private:
  Cluster(Options options, TempDir scratch) : options_(std::move(options)), scratch_(std::move(scratch)) {}

  tl::unexpected<Error> lost(std::string_view words) const;

  // The next line that is about a packet. Takes in what the others say.
  Result<std::optional<Arrival>> hear();

  Options options_;
  TempDir scratch_;  // outputs
  std::unique_ptr<Dialogue> dialogue_;
  std::set<std::uint64_t> away_;
  std::size_t slots_ = 0;
  std::string nodes_;
};

}  // namespace ordo::cluster
