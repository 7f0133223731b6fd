// The host is made, used and ended on thread_, because worker processes die with the thread that started
// them. Roots: a client of the earlier era that says it has some is asked for them once it is ready; tools
// wait for its answer, and from then on only what is below both its roots and ours may be opened.
#include "mcp/server.h"

#include <chrono>
#include <future>

#include "mcp/protocol.h"
#include "support/clock.h"
#include "support/text.h"

namespace ordo::mcp {
namespace {

constexpr std::size_t kWaiting = 1000;  // requests
constexpr double kProgressEvery = 0.1;  // seconds
constexpr auto kRootsWithin = std::chrono::seconds(5);
constexpr std::string_view kRecipes = "ordo://recipe/";

// The path of "file:///home/me/a%20b"; nothing for another scheme or host.
std::optional<std::filesystem::path> pathOf(std::string_view uri) {
  constexpr std::string_view kFile = "file://";
  if (!uri.starts_with(kFile)) return std::nullopt;
  uri.remove_prefix(kFile.size());
  if (uri.starts_with("localhost/")) uri.remove_prefix(9);
  if (!uri.starts_with('/')) return std::nullopt;
  const auto hex = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      path += uri[i];
      continue;
    }
    if (i + 2 >= uri.size() || hex(uri[i + 1]) < 0 || hex(uri[i + 2]) < 0) return std::nullopt;
    path += static_cast<char>(hex(uri[i + 1]) * 16 + hex(uri[i + 2]));
    i += 2;
  }
  if (path.find('\0') != std::string::npos) return std::nullopt;
  return path;
}

}  // namespace

Result<std::unique_ptr<Server>> Server::start(ServerOptions options) {
  std::unique_ptr<Server> server(new Server(std::move(options)));
  std::promise<Status> started;
  std::future<Status> ready = started.get_future();
  server->thread_ = std::thread(
      [self = server.get(), promise = std::move(started)]() mutable { self->run(std::move(promise)); });
  ORDO_TRY(ready.get());
  return server;
}

Server::~Server() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    stop_ = true;
    jobs_.clear();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Server::take(std::string_view text, const std::shared_ptr<Client>& client) {
  tl::expected<Message, BadMessage> message = readMessage(text);
  if (!message) {
    client->say(writeFault(message.error().id, message.error().fault));
    return;
  }
  take(*std::move(message), client);
}

void Server::take(Message message, const std::shared_ptr<Client>& client) {
  if (message.kind != Message::Kind::kRequest) {
    notice(message, client);
    return;
  }
  if (const std::optional<Fault> fault = faultOfEnvelope(message)) {
    client->say(writeFault(message.id, *fault));
    return;
  }
  if (const auto result = answer(message, options_.version)) {
    if (message.method == "initialize") {
      const Json capabilities = message.params.value("capabilities", Json::object());
      const std::lock_guard lock(mutex_);
      wants_roots_ = client->canBeAsked() && capabilities.is_object() && capabilities.contains("roots");
    }
    client->say(*result ? writeResult(message.id, **result) : writeFault(message.id, result->error()));
    return;
  }
  if (message.method != "tools/call" && message.method != "resources/list" &&
      message.method != "resources/read") {
    client->say(writeFault(
        message.id, {kMethodNotFound, fmt::format("there is no method '{}'", message.method.substr(0, 60))}));
    return;
  }
  const std::lock_guard lock(mutex_);
  if (jobs_.size() >= kWaiting) {
    client->say(writeFault(message.id, {kInternalError, "too many requests are waiting"}));
    return;
  }
  jobs_.push_back({client, std::move(message)});
  changed_.notify_all();
}

// Notifications, and the client's answers.
void Server::notice(const Message& message, const std::shared_ptr<Client>& client) {
  const std::unique_lock lock(mutex_);
  if (message.kind == Message::Kind::kResponse) {
    if (roots_id_.empty() || message.id != roots_id_) return;
    roots_id_.clear();
    useRoots(message.result);
    changed_.notify_all();
  } else if (message.method == "notifications/cancelled") {
    // No reply is owed to a request that was taken back.
    const auto id = message.params.find("requestId");
    if (id == message.params.end()) return;
    const auto is = [&](const Job& job) { return job.client == client && job.request.id == *id; };
    std::erase_if(jobs_, is);
    if (running_ && is(*running_)) stop_ = true;
  } else if (message.method == "notifications/initialized" ||
             message.method == "notifications/roots/list_changed") {
    if (wants_roots_ && client->canBeAsked()) askForRoots(client);
  }
}

void Server::forget(const Client& client) {
  const std::lock_guard lock(mutex_);
  std::erase_if(jobs_, [&](const Job& job) { return job.client.get() == &client; });
  if (running_ && running_->client.get() == &client) stop_ = true;
}

void Server::drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return jobs_.empty() && !running_; });
}

// REQUIRES: mutex_.
void Server::askForRoots(const std::shared_ptr<Client>& client) {
  roots_id_ = fmt::format("roots-{}", ++asked_);
  client->say(writeRequest(roots_id_, "roots/list", Json::object()));
}

// REQUIRES: mutex_.
void Server::useRoots(const Json& result) {
  std::vector<std::filesystem::path> theirs;
  const auto roots = result.is_object() ? result.find("roots") : result.end();
  if (result.is_object() && roots != result.end() && roots->is_array()) {
    for (const Json& root : *roots) {
      const auto uri = root.is_object() ? root.find("uri") : root.end();
      if (!root.is_object() || uri == root.end() || !uri->is_string()) continue;
      if (const auto path = pathOf(uri->get_ref<const std::string&>())) theirs.push_back(*path);
    }
  }
  client_roots_ = std::move(theirs);
}

// Until the client has said its roots. One that has some and keeps them to itself gets at no file.
void Server::waitForRoots() {
  std::unique_lock lock(mutex_);
  if (!roots_id_.empty() &&
      !changed_.wait_for(lock, kRootsWithin, [&] { return roots_id_.empty() || ending_; })) {
    roots_id_.clear();
    client_roots_.emplace();
  }
  if (!client_roots_) return;
  if (const auto ours = agent::Permissions::within(options_.roots))
    host_->permit(ours->narrowedTo(*client_roots_));
  client_roots_.reset();
}

void Server::run(std::promise<Status> started) {
  agent::HostOptions options;
  options.knowledge = options_.knowledge;
  options.policy = options_.policy;
  options.stop = &stop_;
  Result<agent::Permissions> permissions = agent::Permissions::within(options_.roots);
  if (!permissions) return started.set_value(fail(Error(permissions.error())));
  options.permissions = *std::move(permissions);
  Result<std::unique_ptr<agent::Host>> host = agent::Host::start(std::move(options));
  if (!host) return started.set_value(fail(Error(host.error())));
  host_ = *std::move(host);
  started.set_value({});
  while (true) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ending_ || !jobs_.empty(); });
      if (ending_) break;
      job = std::move(jobs_.front());
      jobs_.pop_front();
      running_ = job;
      stop_ = false;
    }
    handle(job);
    {
      const std::lock_guard lock(mutex_);
      running_.reset();
    }
    changed_.notify_all();
  }
  host_.reset();
}

void Server::handle(const Job& job) {
  if (job.request.method == "tools/call") {
    const auto name = job.request.params.find("name");
    if (name == job.request.params.end() || !name->is_string() ||
        agent::findTool(name->get_ref<const std::string&>()) == nullptr) {
      job.client->say(
          writeFault(job.request.id, {kInvalidParams, "there is no such tool; tools/list has them"}));
      return;
    }
    const Json answer = callTool(job);
    const std::unique_lock lock(mutex_);
    const bool taken_back = stop_ && !ending_;
    if (!taken_back) job.client->say(writeResult(job.request.id, finished(job.request, toolResult(answer))));
    return;
  }
  const tl::expected<Json, Fault> result = resources(job.request);
  job.client->say(result ? writeResult(job.request.id, finished(job.request, *result, true))
                         : writeFault(job.request.id, result.error()));
}

Json Server::callTool(const Job& job) {
  waitForRoots();
  const Json token = job.request.meta("progressToken");
  const SteadyClock clock;
  double said_s = -1;
  const agent::Progress progress = [&](double done, double total, std::string_view what) {
    if (token.is_null() || clock.seconds() - said_s < kProgressEvery) return;
    said_s = clock.seconds();
    job.client->say(writeNotification(
        "notifications/progress",
        {{"progressToken", token}, {"progress", done}, {"total", total}, {"message", what}}));
  };
  Json arguments = job.request.params.value("arguments", Json::object());
  return host_->call(job.request.params.at("name").get_ref<const std::string&>(), arguments, progress);
}

// The recipes of what was submitted.
tl::expected<Json, Fault> Server::resources(const Message& request) {
  if (request.method == "resources/list") {
    Json list = Json::array();
    for (const auto& [handle, tuned] : host_->submitted()) {
      list.push_back({{"uri", fmt::format("{}{}", kRecipes, handle)},
                      {"name", fmt::format("{}.ordo.json", tuned.recipe.program)},
                      {"description", "the recipe of a submitted result: it replays with stock tools"},
                      {"mimeType", "application/json"}});
    }
    return Json{{"resources", std::move(list)}};
  }
  const auto uri = request.params.find("uri");
  const std::string name = uri != request.params.end() && uri->is_string() ? uri->get<std::string>() : "";
  const auto found = name.starts_with(kRecipes) ? host_->submitted().find(name.substr(kRecipes.size()))
                                                : host_->submitted().end();
  if (found == host_->submitted().end())
    return tl::unexpected(Fault{kResourceNotFound, "there is no such resource; resources/list has them"});
  Json contents = Json::array();
  contents.push_back(
      {{"uri", name}, {"mimeType", "application/json"}, {"text", recipe::write(found->second.recipe)}});
  return Json{{"contents", std::move(contents)}};
}

}  // namespace ordo::mcp
