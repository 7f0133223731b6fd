// Models that stay between dialogues: to start one takes seconds. Each thread has its own, because a process
// that is talked with ends with the thread that started it.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "agent/model.h"
#include "support/error.h"

namespace ordo::agent_method {

// Thread-safe.
class ModelPool {
 public:
  // Of one thread. Those used longest ago are ended for others.
  static constexpr std::size_t kMostModels = 3;

  // `options` for all but the seconds of a reply.
  explicit ModelPool(agent::ModelOptions options) : options_(std::move(options)) {}

  struct Entry {
    std::string spec;
    double reply_s = 0;
    std::unique_ptr<agent::Model> model;
    double start_cpu_s = 0;  // processor time of its start
  };

  // The calling thread's model, started if there is none yet. Valid until the thread asks for another one or
  // drops it. Errors as of agent::openModel().
  Result<Entry*> get(const std::string& spec, double reply_s);

  // Ends the calling thread's: it failed, and the next get() is to start another.
  void drop(const Entry* entry);

 private:
  std::vector<std::unique_ptr<Entry>>& own();

  const agent::ModelOptions options_;
  std::mutex mutex_;  // of the map, not of what is a thread's own
  std::map<std::thread::id, std::vector<std::unique_ptr<Entry>>> entries_;  // the one used last at the end
};

}  // namespace ordo::agent_method
