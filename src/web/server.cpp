// A question is a GET without or a POST with a JSON body below /api/<view>/; the answer is JSON, or a stream
// of events, which is written by the thread that works on it: who does not read it holds the work up until
// the write times out, which ends both. Errors are {"error": {"code", "message"}}.
#include "web/server.h"

#include <chrono>

#include "loopback/admission.h"
#include "loopback/listener.h"
#include "loopback/server.h"
#include "support/clock.h"

namespace ordo::web {
namespace {

constexpr const char* kJson = "application/json";
constexpr std::size_t kMaxBody = std::size_t{1} << 20;
constexpr int kPatience = 5;  // seconds for a client to go on reading or writing (loopback/server.h)

int statusOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kCorrupt:
      return 400;
    case ErrorCode::kNotFound:
      return 404;
    case ErrorCode::kUnsupported:
      return 422;
    case ErrorCode::kUnavailable:
    case ErrorCode::kDeadlineExceeded:
      return 503;
    case ErrorCode::kInternal:
      return 500;
  }
  return 500;
}

Json errorJson(const Error& error) {
  return {{"error", {{"code", name(error.code)}, {"message", error.message}}}};
}

void refuse(httplib::Response& response, int status, ErrorCode code, std::string why) {
  response.status = status;
  response.set_content(writeJson(errorJson({code, std::move(why)})), kJson);
}

void refuse(httplib::Response& response, const Error& error) {
  refuse(response, statusOf(error.code), error.code, error.message);
}

class Door {
 public:
  Door(const Site& site, const std::vector<std::unique_ptr<View>>& views, const ServerOptions& options)
      : site_(site), views_(views), options_(options), admission_(options.token, options.hosts) {}

  void setPort(int port) { admission_.setPort(port); }

  void addTo(httplib::Server& http) {
    http.Get("/api/about", guarded([this](const httplib::Request&, httplib::Response& response) {
               response.set_content(writeJson(about()), kJson);
             }));
    for (const std::unique_ptr<View>& view : views_) {
      for (Endpoint& endpoint : view->endpoints()) {
        const std::string path = fmt::format("/api/{}/{}", view->kind(), endpoint.name);
        const bool get = endpoint.get;
        const auto handler = guarded([this, question = std::move(endpoint)](const httplib::Request& request,
                                                                            httplib::Response& response) {
          ask(question, request, response);
        });
        get ? http.Get(path, handler) : http.Post(path, handler);
      }
    }
    // What there is not is told only to who may know what there is.
    const Handler nothing = guarded([](const httplib::Request&, httplib::Response& response) {
      refuse(response, 404, ErrorCode::kNotFound, "there is no such question to a view that is open");
    });
    http.Get("/api/.*", nothing);
    http.Post("/api/.*", nothing);
    http.Get("/.*", [this](const httplib::Request& request, httplib::Response& response) {
      file(request, response);
    });
    http.set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (response.body.empty())
        refuse(response, response.status, ErrorCode::kInvalidArgument,
               fmt::format("the request was refused: HTTP status {}", response.status));
    });
  }

  // Views rest once when nobody has asked for so long.
  void look() {
    if (clock_.seconds() - asked_s_ < options_.idle_s || resting_.exchange(true)) return;
    for (const std::unique_ptr<View>& view : views_) view->rest();
  }

 private:
  using Handler = std::function<void(const httplib::Request&, httplib::Response&)>;

  bool isOurs(const httplib::Request& request, httplib::Response& response) const {
    const std::string host = request.get_header_value("Host"), origin = request.get_header_value("Origin");
    if (admission_.isOurs(host, origin)) return true;
    refuse(response, 403, ErrorCode::kInvalidArgument, admission_.remedy(host, origin));
    return false;
  }

  Handler guarded(Handler handler) {
    return
        [this, handler = std::move(handler)](const httplib::Request& request, httplib::Response& response) {
          response.set_header("Cache-Control", "no-store");
          response.set_header("X-Content-Type-Options", "nosniff");
          if (!isOurs(request, response)) return;
          if (!admission_.knows(request.get_header_value("Authorization"))) {
            response.set_header("WWW-Authenticate", "Bearer");
            refuse(response, 401, ErrorCode::kInvalidArgument,
                   "the token is missing or wrong: open the address that 'ordo web' printed");
            return;
          }
          if (request.method == "POST" && !request.get_header_value("Content-Type").starts_with(kJson)) {
            refuse(response, 415, ErrorCode::kInvalidArgument, "the content type has to be application/json");
            return;
          }
          asked_s_ = clock_.seconds();
          resting_ = false;
          handler(request, response);
        };
  }

  Json about() const {
    Json views = Json::array();
    for (const std::unique_ptr<View>& view : views_)
      views.push_back({{"kind", view->kind()}, {"title", view->title()}});
    return {{"version", options_.version}, {"views", std::move(views)}};
  }

  void ask(const Endpoint& endpoint, const httplib::Request& request, httplib::Response& response) {
    Json body;
    if (!endpoint.get) {
      Result<Json> read = parseJson(request.body, "the body");
      if (!read) return refuse(response, read.error());
      body = *std::move(read);
    }
    if (endpoint.answer) {
      const Result<Json> answer = endpoint.answer(body);
      answer ? response.set_content(writeJson(*answer), kJson) : refuse(response, answer.error());
      return;
    }
    if (endpoint.check) {
      if (const Status sound = endpoint.check(body); !sound) return refuse(response, sound.error());
    }
    response.set_chunked_content_provider(
        "text/event-stream",
        [this, work = endpoint.stream, body = std::move(body)](std::size_t, httplib::DataSink& sink) {
          const auto emit = [&](std::string_view event, const Json& data) {
            asked_s_ = clock_.seconds();
            const std::string text = fmt::format("event: {}\ndata: {}\n\n", event, writeJson(data));
            return sink.is_writable() && sink.write(text.data(), text.size());
          };
          if (const Status done = work(body, emit); !done) emit("error", errorJson(done.error()));
          sink.done();
          return true;
        });
  }

  void file(const httplib::Request& request, httplib::Response& response) const {
    if (!isOurs(request, response)) return;
    const Site::File* const found = site_.find(request.path);
    if (found == nullptr) return refuse(response, 404, ErrorCode::kNotFound, "there is nothing here");
    // Styles that CodeMirror writes are in the page; nothing else comes from anywhere but here.
    response.set_header("Content-Security-Policy",
                        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' "
                        "'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
                        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    response.set_header("X-Content-Type-Options", "nosniff");
    response.set_header("Referrer-Policy", "no-referrer");
    response.set_header("Cross-Origin-Resource-Policy", "same-origin");
    response.set_header("Cross-Origin-Opener-Policy", "same-origin");
    response.set_header("Cache-Control", found->immutable ? "max-age=31536000, immutable" : "no-cache");
    response.set_content(found->bytes, found->type);
  }

  const Site& site_;
  const std::vector<std::unique_ptr<View>>& views_;
  const ServerOptions& options_;
  loopback::Admission admission_;
  SteadyClock clock_;
  std::atomic<double> asked_s_{clock_.seconds()};
  std::atomic<bool> resting_{false};
};

}  // namespace

Status serve(const Site& site, const std::vector<std::unique_ptr<View>>& views, const ServerOptions& options,
             const std::atomic<bool>& stop, const std::function<void(const std::string& url)>& on_ready) {
  loopback::Server http;
  Door door(site, views, options);
  http.set_payload_max_length(kMaxBody);
  http.set_read_timeout(kPatience);
  http.set_write_timeout(kPatience);
  door.addTo(http);
  return loopback::listen(http, stop,
                          {.port = options.port,
                           .on_ready =
                               [&](int port) {
                                 door.setPort(port);
                                 on_ready(fmt::format("http://127.0.0.1:{}/#token={}", port, options.token));
                               },
                           .on_tick = [&] { door.look(); },
                           .on_stop =
                               [&] {
                                 for (const std::unique_ptr<View>& view : views) view->stop();
                               }});
}

}  // namespace ordo::web
