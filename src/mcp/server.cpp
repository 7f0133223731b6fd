// The host is made and ended on thread_, because worker processes die with the thread that started them.
//
// jobs_ has what is asked for until it is answered. Whatever changes it calls schedule(), which hands each
// job that may run to a thread. Programs are opened one at a time, so that handles are in the order of
// requests; "the program that was opened last" is found once all that were asked for earlier are open,
// whatever is opened later. Each program has one flag, set to end what runs on it and cleared when the next
// job begins.
//
// Roots: a client of the earlier era that says it has some is asked for them once it is ready; tools
// wait for its answer, and from then on only what is below both its roots and ours may be opened.
#include "mcp/server.h"

#include <chrono>
#include <future>

#include "mcp/protocol.h"
#include "support/clock.h"
#include "support/text.h"

namespace ordo::mcp {
namespace {

constexpr std::size_t kWaiting = 1000;  // requests that are worked on or wait
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

// The argument `program`, or "".
std::string programOf(const Message& call) {
  const auto arguments = call.params.find("arguments");
  if (arguments == call.params.end() || !arguments->is_object()) return "";
  const auto program = arguments->find("program");
  return program != arguments->end() && program->is_string() ? program->get<std::string>() : "";
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
    takeBack([](const Job&) { return true; });
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
  Job job{client, std::move(message)};
  if (job.request.method == "tools/call") {
    const auto name = job.request.params.find("name");
    if (name != job.request.params.end() && name->is_string())
      job.tool = agent::findTool(name->get_ref<const std::string&>());
    if (job.tool == nullptr) {
      client->say(writeFault(job.request.id, {kInvalidParams, "there is no such tool; tools/list has them"}));
      return;
    }
    if (!job.tool->opens) job.program = programOf(job.request);
  }
  std::unique_lock lock(mutex_);
  if (jobs_.size() >= kWaiting) {
    lock.unlock();
    client->say(writeFault(job.request.id, {kInternalError, "too many requests are waiting"}));
    return;
  }
  jobs_.push_back(std::move(job));
  schedule();
}

// Ends what runs, and forgets what waits. REQUIRES: mutex_.
template <class Is>
void Server::takeBack(const Is& is) {
  std::erase_if(jobs_, [&](const Job& job) { return !job.running && is(job); });
  for (Job& job : jobs_) {
    if (!is(job)) continue;
    job.taken_back = true;
    *job.stop = true;
  }
}

// Finds out which program each job is about, where that can be told. REQUIRES: mutex_.
void Server::settle() {
  for (Job& job : jobs_) {
    if (job.tool == nullptr) continue;
    if (job.tool->opens) return;  // what was asked for later may be about what it opens
    if (job.running) continue;
    if (job.program.empty()) job.program = host_->last();
    job.is_lost = !host_->isOpen(job.program);
  }
}

// REQUIRES: mutex_.
bool Server::mayRun(Jobs::iterator job) {
  const auto comesAfter = [&](const auto& other) { return std::any_of(jobs_.begin(), job, other); };
  if (job->tool == nullptr) {
    // A client may ask for the recipe behind what it submits.
    return !comesAfter([&](const Job& other) {
      return other.client == job->client && other.tool != nullptr && other.tool->writes;
    });
  }
  if (job->tool->opens)
    return !comesAfter([](const Job& other) { return other.tool != nullptr && other.tool->opens; });
  if (job->is_lost) return true;
  if (!host_->isOpen(job->program)) return false;  // it may be opened by what runs or waits
  return !comesAfter([&](const Job& other) { return other.program == job->program; });
}

// REQUIRES: mutex_.
void Server::schedule() {
  if (ending_) return;
  settle();
  for (auto job = jobs_.begin(); job != jobs_.end(); ++job) {
    if (job->running || !mayRun(job)) continue;
    job->running = true;
    const auto known = stops_.find(job->program);
    job->stop = known != stops_.end() ? known->second : std::make_shared<std::atomic<bool>>(false);
    *job->stop = false;
    threads_.enqueue([this, job] { work(job); });
  }
}

void Server::work(Jobs::iterator job) {
  handle(*job);
  const std::lock_guard lock(mutex_);
  if (job->tool != nullptr && job->tool->opens) {
    // What was not used for longest may have been closed for it.
    std::erase_if(stops_, [&](const auto& entry) { return !host_->isOpen(entry.first); });
  }
  jobs_.erase(job);
  schedule();
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
    takeBack([&](const Job& job) { return job.client == client && job.request.id == *id; });
    schedule();
  } else if (message.method == "notifications/initialized" ||
             message.method == "notifications/roots/list_changed") {
    if (wants_roots_ && client->canBeAsked()) askForRoots(client);
  }
}

void Server::forget(const Client& client) {
  const std::lock_guard lock(mutex_);
  takeBack([&](const Job& job) { return job.client.get() == &client; });
  schedule();
}

void Server::hurry(const Client& client) {
  std::vector<Job> late;
  {
    const std::lock_guard lock(mutex_);
    for (auto job = jobs_.begin(); job != jobs_.end();) {
      const auto next = std::next(job);
      if (job->client.get() == &client) {
        if (job->running) {
          *job->stop = true;
        } else {
          late.push_back(std::move(*job));
          jobs_.erase(job);
        }
      }
      job = next;
    }
  }
  for (const Job& job : late)
    job.client->say(writeFault(job.request.id, {kInternalError, "the input ended before its turn came"}));
  changed_.notify_all();
}

bool Server::drain(std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, most, [&] { return jobs_.empty(); });
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
    changed_.notify_all();
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
  Result<agent::Permissions> permissions = agent::Permissions::within(options_.roots);
  if (!permissions) return started.set_value(fail(Error(permissions.error())));
  options.permissions = *std::move(permissions);
  Result<std::unique_ptr<agent::Host>> host = agent::Host::start(std::move(options));
  if (!host) return started.set_value(fail(Error(host.error())));
  host_ = *std::move(host);
  started.set_value({});
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ending_; });
  }
  threads_.shutdown();
  host_.reset();
}

void Server::handle(const Job& job) {
  if (job.tool != nullptr) {
    const Json answer = callTool(job);
    {
      const std::lock_guard lock(mutex_);
      if (job.tool->opens && answer.contains("program"))
        stops_[answer["program"].get<std::string>()] = job.stop;
      if (job.taken_back) return;
    }
    job.client->say(writeResult(job.request.id, finished(job.request, toolResult(answer))));
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
  if (arguments.is_object() && !job.program.empty()) arguments["program"] = job.program;
  return host_->call(job.tool->name, arguments, progress, job.stop);
}

// The recipes of what was submitted.
tl::expected<Json, Fault> Server::resources(const Message& request) {
  const std::map<std::string, std::shared_ptr<const tune::Tuned>> submitted = host_->submitted();
  if (request.method == "resources/list") {
    Json list = Json::array();
    for (const auto& [handle, tuned] : submitted) {
      list.push_back({{"uri", fmt::format("{}{}", kRecipes, handle)},
                      {"name", fmt::format("{}.ordo.json", tuned->recipe.program)},
                      {"description", "the recipe of a submitted result: it replays with stock tools"},
                      {"mimeType", "application/json"}});
    }
    return Json{{"resources", std::move(list)}};
  }
  const auto uri = request.params.find("uri");
  const std::string name = uri != request.params.end() && uri->is_string() ? uri->get<std::string>() : "";
  const auto found =
      name.starts_with(kRecipes) ? submitted.find(name.substr(kRecipes.size())) : submitted.end();
  if (found == submitted.end())
    return tl::unexpected(Fault{kResourceNotFound, "there is no such resource; resources/list has them"});
  Json contents = Json::array();
  contents.push_back(
      {{"uri", name}, {"mimeType", "application/json"}, {"text", recipe::write(found->second->recipe)}});
  return Json{{"contents", std::move(contents)}};
}

}  // namespace ordo::mcp
