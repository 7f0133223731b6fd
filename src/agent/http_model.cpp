#include "agent/http_model.h"

#include <httplib.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "agent/foreign_text.h"
#include "support/clock.h"

namespace ordo::agent {
namespace {

constexpr std::size_t kMostBytes = std::size_t{8} << 20;  // of an answer
constexpr std::size_t kQuoted = 300;                      // of one that is an error
constexpr int kTries = 3;                                 // of what may pass: no connection, too busy

struct Address {
  std::string origin;  // http://127.0.0.1:8080
  std::string path;    // /v1/chat/completions
  std::string name;    // of the model
  bool mayHaveKey = false;
};

Result<Address> parse(const std::string& address) {
  const std::size_t hash = address.rfind('#');
  const std::size_t scheme = address.find("://");
  const bool known = address.starts_with("http://") || address.starts_with("https://");
  if (!known || hash == std::string::npos || hash + 1 == address.size() || hash < scheme)
    return fail(ErrorCode::kInvalidArgument,
                "'{}' is no address of a model: say openai:http://127.0.0.1:8080/v1#NAME", address);
  Address result;
  result.name = address.substr(hash + 1);
  const std::string url = address.substr(0, hash);
  const std::size_t slash = url.find('/', scheme + 3);
  result.origin = url.substr(0, slash);
  result.path = slash == std::string::npos ? "" : url.substr(slash);
  while (result.path.ends_with('/')) result.path.pop_back();
  result.path += "/chat/completions";
  const std::string host = result.origin.substr(scheme + 3);
  const bool here = host == "localhost" || host == "127.0.0.1" || host.starts_with("localhost:") ||
                    host.starts_with("127.0.0.1:");
  result.mayHaveKey = here || address.starts_with("https://");
  return result;
}

// Whether it may go better in a moment: a certificate that is wrong, say, stays so.
bool mayPass(httplib::Error error) {
  return error == httplib::Error::Connection || error == httplib::Error::ConnectionTimeout ||
         error == httplib::Error::Read || error == httplib::Error::Write;
}

bool mayPass(int status) {
  constexpr auto kPassing = std::to_array<int>({408, 425, 429, 500, 502, 503, 504});
  return std::ranges::find(kPassing, status) != kPassing.end();
}

class HttpModel final : public Model {
 public:
  HttpModel(Address address, const ModelOptions& options)
      : address_(std::move(address)), options_(options), client_(address_.origin) {
    client_.set_connection_timeout(10);
    client_.set_read_timeout(static_cast<time_t>(options_.reply_s) + 1);
    client_.set_write_timeout(30);
    const char* const key = std::getenv("OPENAI_API_KEY");
    if (key != nullptr && *key != '\0' && address_.mayHaveKey) client_.set_bearer_token_auth(key);
  }

  const std::string& name() const override { return address_.name; }

  Result<Reply> reply(const Json& messages, const Json& tools, const Sampling& sampling) override {
    const Json request{{"model", address_.name},
                       {"messages", messages},
                       {"tools", tools},
                       {"tool_choice", "auto"},
                       {"temperature", sampling.temperature},
                       {"seed", sampling.seed},
                       {"max_tokens", sampling.max_tokens}};
    const std::string body = writeJson(request);
    const SteadyClock clock;
    const double began_s = clock.seconds();
    Error last{ErrorCode::kUnavailable, "it was not asked"};
    for (int i = 0; i < kTries; ++i) {
      if (i > 0 && pause(i)) break;
      std::string answer;
      bool too_late = false, too_large = false;
      httplib::Request post;
      post.method = "POST";
      post.path = address_.path;
      post.body = body;
      post.headers = {{"Content-Type", "application/json"}, {"Accept", "application/json"}};
      post.content_receiver = [&](const char* data, std::size_t size, std::uint64_t, std::uint64_t) {
        too_late = stopped() || clock.seconds() - began_s > options_.reply_s;
        too_large = answer.size() + size > kMostBytes;
        if (!too_large) answer.append(data, size);
        return !too_late && !too_large;
      };
      const httplib::Result result = client_.send(post);
      if (too_late || stopped() || clock.seconds() - began_s > options_.reply_s)
        return fail(ErrorCode::kDeadlineExceeded, "{} did not answer within {:.0f} s", address_.name,
                    options_.reply_s);
      // It would say the same again.
      if (too_large)
        return fail(ErrorCode::kCorrupt, "{} answers with more than {} MiB: --max-tokens bounds what it says",
                    address_.origin, kMostBytes >> 20);
      if (!result) {
        last = {ErrorCode::kUnavailable,
                fmt::format("cannot reach {}: {}", address_.origin, httplib::to_string(result.error()))};
        if (!mayPass(result.error())) break;
        continue;
      }
      if (result->status == 200) return readCompletion(answer);
      last = {ErrorCode::kUnavailable, fmt::format("{} answers with status {}: {}", address_.origin,
                                                   result->status, foreignText(answer, kQuoted))};
      if (!mayPass(result->status)) break;
    }
    return fail(std::move(last));
  }

 private:
  bool stopped() const { return options_.stop != nullptr && *options_.stop; }

  // Longer each time; whether it was stopped meanwhile.
  bool pause(int times) const {
    for (int i = 0; i < 10 * times && !stopped(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return stopped();
  }

  const Address address_;
  const ModelOptions options_;
  httplib::Client client_;
};

}  // namespace

Result<std::unique_ptr<Model>> openHttpModel(const std::string& address, const ModelOptions& options) {
  ORDO_TRY_ASSIGN(Address parsed, parse(address));
  return std::make_unique<HttpModel>(std::move(parsed), options);
}

Result<Reply> readCompletion(std::string_view body) {
  const Json json = Json::parse(body, nullptr, false);
  const auto choices = json.is_object() ? json.find("choices") : json.end();
  const bool has = json.is_object() && choices != json.end() && choices->is_array() && !choices->empty() &&
                   choices->front().is_object() && choices->front().contains("message") &&
                   choices->front()["message"].is_object();
  if (!has)
    return fail(ErrorCode::kCorrupt, "the model's answer is no completion: {}", foreignText(body, kQuoted));
  Reply reply;
  reply.message = choices->front()["message"];
  readUsage(json.value("usage", Json()), reply);
  return reply;
}

}  // namespace ordo::agent
