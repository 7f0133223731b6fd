// The Debian archive, through an apt of our own: its lists, cache and sources lie in a folder of ours,
// and nothing of the system's is read but its trusted keys and how to reach the network.
//
// Threads: thread-safe; one download at a time.
// Failure: kNotFound for a version that the archive has not, kUnavailable for the network.
#pragma once

#include <atomic>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "support/child.h"
#include "support/error.h"

namespace ordo::harvest {

// Threads: any. Several processes may share `dir`.
class Archive {
 public:
  // `dir` is made when needed. `stop`, if any, must outlive this.
  Archive(std::filesystem::path dir, std::string mirror, std::string suite, const std::atomic<bool>* stop)
      : dir_(std::move(dir)), mirror_(std::move(mirror)), suite_(std::move(suite)), stop_(stop) {}

  // Downloads the source package into `into` unless it is there, and gives the path of its .dsc.
  // An empty version takes the newest.
  Result<std::filesystem::path> fetchSource(const std::string& name, const std::string& version,
                                            const std::filesystem::path& into);

  // Unpacks binary packages ("name=version") into one folder and gives it: headers and libraries to
  // build against, the same wherever this runs. Made once per pair of lists. Libraries of `needs` are
  // linked statically, so that what configure links also runs where they are not installed.
  Result<std::filesystem::path> sysroot(const std::vector<std::string>& base,
                                        const std::vector<std::string>& needs);

 private:
  Status prepare();
  Status unpack(const std::vector<std::string>& packages, const std::filesystem::path& into);
  // Runs an apt program in `where`; if it finds no such version, once more with new lists.
  Status apt(std::vector<std::string> command, const std::filesystem::path& where);
  // Held until it goes, by one process at a time; waits for it. The mutex is the same for our threads.
  Result<Descriptor> turn(const char* name) const;
  Result<std::string> runApt(const std::vector<std::string>& command, const std::filesystem::path& where);

  const std::filesystem::path dir_;
  const std::string mirror_;
  const std::string suite_;
  const std::atomic<bool>* stop_;
  std::mutex mutex_;
  bool prepared_ = false;
  bool updated_ = false;
};

// "1:1.2-3" as the names of files have it: "1.2-3".
std::string withoutEpoch(const std::string& version);

}  // namespace ordo::harvest
