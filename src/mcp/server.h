// Serves the agent's tools over MCP, whatever the transport: messages come in from any thread, tools run on
// one thread of the server's, which has the host and its engine, one after the other; so a message that asks
// for progress, a list or an end is heard while a tool runs.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "agent/host.h"
#include "mcp/message.h"
#include "support/error.h"

namespace ordo::mcp {

// Where replies go. say() may be called from any thread, and must not wait for the server.
class Client {
 public:
  virtual ~Client() = default;
  // A line, without its end.
  virtual void say(std::string line) = 0;
  // Whether the server may ask it something: a connection that stands.
  virtual bool canBeAsked() const { return false; }
};

struct ServerOptions {
  std::string version;                            // Ordo's
  std::vector<std::filesystem::path> roots = {};  // what clients may open; a client's own roots narrow them
  std::string knowledge = "shipped", policy = "shipped";
};

class Server {
 public:
  // Errors as of agent::Host::start() and agent::Permissions::within().
  static Result<std::unique_ptr<Server>> start(ServerOptions options);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  // Ends the tool that runs, and forgets what waits.
  ~Server();

  // Takes a message and returns at once; each request gets one reply, in time.
  void take(std::string_view text, const std::shared_ptr<Client>& client);
  void take(Message message, const std::shared_ptr<Client>& client);

  // Ends what this client asked for: it is gone.
  void forget(const Client& client);

  // Waits until nothing is asked for any more.
  void drain();

 private:
  struct Job {
    std::shared_ptr<Client> client;
    Message request;
  };

  explicit Server(ServerOptions options) : options_(std::move(options)) {}
  void run(std::promise<Status> started);
  void handle(const Job& job);
  void notice(const Message& message, const std::shared_ptr<Client>& client);
  Json callTool(const Job& job);
  tl::expected<Json, Fault> resources(const Message& request);
  void askForRoots(const std::shared_ptr<Client>& client);
  void useRoots(const Json& result);
  void waitForRoots();

  ServerOptions options_;
  std::atomic<bool> stop_{false};      // the tool that runs
  std::unique_ptr<agent::Host> host_;  // of the thread

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  std::optional<Job> running_;
  bool ending_ = false;
  bool wants_roots_ = false;  // a client that has roots was asked for them
  std::string roots_id_;      // of that request; "" if none is open
  std::uint64_t asked_ = 0;
  std::optional<std::vector<std::filesystem::path>> client_roots_;  // not yet the host's

  std::thread thread_;
};

}  // namespace ordo::mcp
