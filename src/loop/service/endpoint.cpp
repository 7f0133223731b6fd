#include "loop/service/endpoint.h"

#include <httplib.h>

#include "loop/service/errands.h"
#include "loop/service/exposition.h"
#include "loopback/admission.h"
#include "loopback/listener.h"
#include "loopback/server.h"

namespace ordo::loop {
namespace {

constexpr std::size_t kMostBody = 64u << 10;

int statusOf(const Error& error) { return error.code == ErrorCode::kNotFound ? 404 : 503; }

class Views {
 public:
  Views(const Settings& settings, loopback::Admission& admission)
      : settings_(settings), admission_(admission) {}

  void metrics(const httplib::Request& request, httplib::Response& response) const {
    if (refuses(request, response)) return;
    const Result<std::string> text = [&]() -> Result<std::string> {
      ORDO_TRY_ASSIGN(const Store store, Store::open(settings_.store));
      return metricsText(settings_, store, wallSeconds());
    }();
    if (!text) return say(response, statusOf(text.error()), {{"error", text.error().message}});
    response.set_content(*text, "text/plain; version=0.0.4");
  }

  void verdict(const httplib::Request& request, httplib::Response& response, const std::string& id) const {
    if (refuses(request, response)) return;
    const Result<Json> json = known(id);
    if (!json) return say(response, statusOf(json.error()), {{"error", json.error().message}});
    say(response, 200, *json);
  }

  // A gate: open if the newest experiment's verdict is `wanted`.
  void gate(const httplib::Request& request, httplib::Response& response, std::string_view wanted) const {
    if (refuses(request, response)) return;
    const Result<Json> json = known("");
    if (!json) return say(response, statusOf(json.error()), {{"error", json.error().message}});
    say(response, (*json)["verdict"] == wanted ? 200 : 409, *json);
  }

 private:
  Result<Json> known(const std::string& id) const {
    ORDO_TRY_ASSIGN(const Store store, Store::open(settings_.store));
    return verdictOn(settings_, store, id);
  }
  bool refuses(const httplib::Request& request, httplib::Response& response) const {
    if (admission_.isOurs(request.get_header_value("Host"), request.get_header_value("Origin"))) return false;
    say(response, 403, {{"error", "this endpoint is for this machine only"}});
    return true;
  }
  static void say(httplib::Response& response, int status, const Json& json) {
    response.status = status;
    response.set_content(writeJson(json) + "\n", "application/json");
  }

  const Settings& settings_;
  loopback::Admission& admission_;
};

}  // namespace

Status serveEndpoint(const Settings& settings, const EndpointOptions& options,
                     const std::atomic<bool>& stop) {
  loopback::Admission admission(loopback::newToken());
  const Views views(settings, admission);
  loopback::Server http;
  http.set_payload_max_length(kMostBody);
  using Request = httplib::Request;
  using Response = httplib::Response;
  http.Get("/metrics", [&](const Request& request, Response& response) { views.metrics(request, response); });
  http.Get("/verdict",
           [&](const Request& request, Response& response) { views.verdict(request, response, ""); });
  http.Get("/verdict/([A-Za-z0-9-]{1,64})", [&](const Request& request, Response& response) {
    views.verdict(request, response, request.matches[1]);
  });
  http.Post("/flagger/promote",
            [&](const Request& request, Response& response) { views.gate(request, response, "promote"); });
  http.Post("/flagger/rollback",
            [&](const Request& request, Response& response) { views.gate(request, response, "reject"); });
  return loopback::listen(http, stop, {.port = options.port, .on_ready = [&](int port) {
                                         admission.setPort(port);
                                         if (options.on_ready) options.on_ready(port);
                                       }});
}

}  // namespace ordo::loop
