// Serves the agent's tools over MCP, whatever the transport: messages come in from any thread, tools run on
// threads of the server's. What is asked about one program is done one after the other, in the order in which
// it was asked; what is asked about others, and all that needs no program, does not wait for that.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "agent/host.h"
#include "loopback/threads.h"
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

  // Ends what this client asked for, which is answered: with what was found so far, or that it was too late.
  void hurry(const Client& client);

  // Waits until nothing is asked for any more. False if that takes longer.
  bool drain(std::chrono::milliseconds most);

 private:
  // A request that is worked on, or waits.
  struct Job {
    std::shared_ptr<Client> client;
    Message request;
    const agent::Tool* tool = nullptr;  // null: it is about resources
    std::string program = {};           // the handle of the one it is about; "" while that is not known
    bool is_lost = false;               // no such program is open
    bool running = false;
    bool taken_back = false;                       // no reply is owed
    std::shared_ptr<std::atomic<bool>> stop = {};  // of the program; there once it runs
  };
  using Jobs = std::list<Job>;

  explicit Server(ServerOptions options) : options_(std::move(options)) {}
  void run(std::promise<Status> started);
  void schedule();
  void settle();
  bool mayRun(Jobs::iterator job);
  void work(Jobs::iterator job);
  template <class Is>
  void takeBack(const Is& is);
  void handle(const Job& job);
  void notice(const Message& message, const std::shared_ptr<Client>& client);
  Json callTool(const Job& job);
  tl::expected<Json, Fault> resources(const Message& request);
  void askForRoots(const std::shared_ptr<Client>& client);
  void useRoots(const Json& result);
  void waitForRoots();

  ServerOptions options_;
  std::unique_ptr<agent::Host> host_;  // made and ended by thread_
  loopback::Threads threads_;          // that tools run on

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  Jobs jobs_;  // in the order in which they were asked for
  std::map<std::string, std::shared_ptr<std::atomic<bool>>> stops_;  // by program
  bool ending_ = false;
  bool wants_roots_ = false;  // a client that has roots was asked for them
  std::string roots_id_;      // of that request; "" if none is open
  std::uint64_t asked_ = 0;
  std::optional<std::vector<std::filesystem::path>> client_roots_;  // not yet the host's

  std::thread thread_;
};

}  // namespace ordo::mcp
