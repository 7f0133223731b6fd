// A POST has one message. A request is answered as JSON if its reply is there soon; else, where the client
// takes a stream of events, as a stream of what the server says until the reply: at once, if it asks for
// progress. Who closes the connection takes the request back. A GET would open a stream without a request,
// which is not needed here.
#include "mcp/http.h"

#include <httplib.h>

#include <chrono>
#include <deque>

#include "loopback/admission.h"
#include "loopback/listener.h"
#include "loopback/server.h"
#include "mcp/protocol.h"

namespace ordo::mcp {
namespace {

constexpr auto kPing = std::chrono::seconds(10);
constexpr auto kLook = std::chrono::milliseconds(100);
constexpr auto kSoon = std::chrono::milliseconds(500);
constexpr const char* kJson = "application/json";
constexpr const char* kEvents = "text/event-stream";

// What the server says to one request.
class Exchange final : public Client {
 public:
  void say(std::string line) override {
    {
      const std::lock_guard lock(mutex_);
      lines_.push_back(std::move(line));
    }
    changed_.notify_all();
  }
  // The next line; nothing if there is none for so long.
  std::optional<std::string> next(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, most, [&] { return !lines_.empty(); })) return std::nullopt;
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    return line;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
};

bool isReply(std::string_view line) {
  return line.find("\"method\"") == std::string_view::npos ||
         readMessage(line)->kind == Message::Kind::kResponse;
}

int statusOf(const Json& reply, bool modern) {
  if (!modern || !reply.contains("error")) return 200;
  const int code = reply["error"].value("code", 0);
  if (code == kMethodNotFound) return 404;
  const bool theirs = code == kParseError || code == kInvalidRequest || code == kInvalidParams ||
                      code == kHeaderMismatch || code == kUnsupportedVersion;
  return theirs ? 400 : 200;
}

class Door {
 public:
  Door(Server& server, const HttpOptions& options, const std::atomic<bool>& stop)
      : server_(server), admission_(options.token, options.hosts), stop_(stop) {}

  void setPort(int port) { admission_.setPort(port); }

  void post(const httplib::Request& request, httplib::Response& response) {
    if (!admit(request, response)) return;
    const tl::expected<Message, BadMessage> message = readMessage(request.body);
    if (!message) {
      refuse(response, 400, writeFault(message.error().id, message.error().fault));
      return;
    }
    const auto exchange = std::make_shared<Exchange>();
    if (message->kind != Message::Kind::kRequest) {
      // A message that belongs to no exchange can end none: whoever has the token could end others' work.
      response.status = 202;
      return;
    }
    if (const std::optional<Fault> fault = faultOfHeaders(request, *message)) {
      refuse(response, 400, writeFault(message->id, *fault));
      return;
    }
    server_.take(*message, exchange);
    const bool streams = request.get_header_value("Accept").find(kEvents) != std::string::npos;
    const bool at_once = streams && !message->meta("progressToken").is_null();
    const auto most = streams ? std::optional<std::chrono::milliseconds>(kSoon) : std::nullopt;
    if (at_once || !wait(exchange, isModern(*message), most, response)) stream(exchange, response);
  }

 private:
  static void refuse(httplib::Response& response, int status, const std::string& body) {
    response.status = status;
    response.set_content(body, kJson);
  }

  static void refuse(httplib::Response& response, int status, int code, const std::string& why) {
    refuse(response, status, writeFault(nullptr, {code, why}));
  }

  bool admit(const httplib::Request& request, httplib::Response& response) const {
    const std::string host = request.get_header_value("Host"), origin = request.get_header_value("Origin");
    if (!admission_.isOurs(host, origin)) {
      refuse(response, 403, kInvalidRequest, admission_.remedy(host, origin));
      return false;
    }
    if (!admission_.knows(request.get_header_value("Authorization"))) {
      response.set_header("WWW-Authenticate", "Bearer");
      refuse(response, 401, kInvalidRequest, "the token is missing or wrong: Authorization: Bearer TOKEN");
      return false;
    }
    if (!request.get_header_value("Content-Type").starts_with(kJson)) {
      refuse(response, 415, kInvalidRequest, "the content type has to be application/json");
      return false;
    }
    return true;
  }

  // The later era says in headers what the body says, for those who pass requests on.
  static std::optional<Fault> faultOfHeaders(const httplib::Request& request, const Message& message) {
    if (!isModern(message)) return std::nullopt;
    const auto differs = [&](const char* header, const Json& body) {
      return request.has_header(header) &&
             (!body.is_string() || request.get_header_value(header) != body.get_ref<const std::string&>());
    };
    if (differs("MCP-Protocol-Version", message.meta("io.modelcontextprotocol/protocolVersion")))
      return Fault{kHeaderMismatch, "MCP-Protocol-Version is not what the body says"};
    if (differs("Mcp-Method", message.method))
      return Fault{kHeaderMismatch, "Mcp-Method is not what the body says"};
    const char* key = message.method == "resources/read" ? "uri" : "name";
    // Names that no header can hold come in another form, which is not compared.
    const bool plain = !request.get_header_value("Mcp-Name").starts_with("=?base64?");
    if (plain && differs("Mcp-Name", message.params.value(key, Json(nullptr))))
      return Fault{kHeaderMismatch, "Mcp-Name is not what the body says"};
    return std::nullopt;
  }

  // Answers with the reply. False if there is none after `most`.
  bool wait(const std::shared_ptr<Exchange>& exchange, bool modern,
            std::optional<std::chrono::milliseconds> most, httplib::Response& response) const {
    const auto began = std::chrono::steady_clock::now();
    while (!stop_ && loopback::Server::clientIsThere()) {
      const std::optional<std::string> line = exchange->next(kLook);
      if (line && isReply(*line)) {
        response.status = statusOf(Json::parse(*line), modern);
        response.set_content(*line, kJson);
        return true;
      }
      if (most && std::chrono::steady_clock::now() - began >= *most) return false;
    }
    server_.forget(*exchange);
    refuse(response, 503, kInternalError, stop_ ? "the server ends" : "the client is gone");
    return true;
  }

  void stream(const std::shared_ptr<Exchange>& exchange, httplib::Response& response) const {
    response.set_header("Cache-Control", "no-cache");
    response.set_chunked_content_provider(
        kEvents,
        [this, exchange, waited = std::chrono::milliseconds(0)](std::size_t,
                                                                httplib::DataSink& sink) mutable {
          const std::optional<std::string> line = exchange->next(kLook);
          std::string text;
          if (line) {
            text = fmt::format("event: message\ndata: {}\n\n", *line);
          } else if ((waited += kLook) >= kPing) {
            text = ": still at it\n\n";
            waited = {};
          }
          if (stop_ || !sink.is_writable() || (!text.empty() && !sink.write(text.data(), text.size())))
            return false;
          if (line && isReply(*line)) sink.done();
          return true;
        },
        [this, exchange](bool) { server_.forget(*exchange); });
  }

  Server& server_;
  loopback::Admission admission_;
  const std::atomic<bool>& stop_;
};

}  // namespace

Status serveHttp(Server& server, const HttpOptions& options, const std::atomic<bool>& stop,
                 const std::function<void(const std::string& url)>& on_ready) {
  loopback::Server http;
  Door door(server, options, stop);
  http.set_payload_max_length(kMaxMessage);
  http.Post("/mcp", [&](const httplib::Request& request, httplib::Response& response) {
    door.post(request, response);
  });
  const auto not_allowed = [](const httplib::Request&, httplib::Response& response) {
    response.status = 405;
    response.set_header("Allow", "POST");
  };
  http.Get("/mcp", not_allowed);
  http.Delete("/mcp", not_allowed);
  return loopback::listen(http, stop, {.port = options.port, .on_ready = [&](int port) {
                                         door.setPort(port);
                                         on_ready(fmt::format("http://127.0.0.1:{}/mcp", port));
                                       }});
}

}  // namespace ordo::mcp
