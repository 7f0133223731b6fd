// httplib gives each read its time, so that who sends a byte now and then is waited for without end. So a
// second thread has the clock, and shuts the connection when the time of the whole is over.
#include "loop/service/fetch.h"

#include <httplib.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace ordo::loop {
namespace {

// Ends what `client` does once `seconds` are over, until it is destroyed.
class Deadline {
 public:
  Deadline(httplib::Client& client, double seconds)
      : thread_([this, &client, seconds] {
          std::unique_lock lock(mutex_);
          if (done_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return ended_; })) return;
          over_ = true;
          // Again and again: it may just have been about to connect.
          while (!done_.wait_for(lock, std::chrono::milliseconds(20), [this] { return ended_; }))
            client.stop();
        }) {}
  ~Deadline() { end(); }

  // Whether it had to.
  bool end() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    done_.notify_all();
    if (thread_.joinable()) thread_.join();
    return over_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  bool ended_ = false, over_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace

Result<Fetched> fetch(const FetchRequest& request) {
  httplib::Client client(request.host, request.port);
  const auto seconds = static_cast<time_t>(request.timeout_s);
  const auto microseconds = static_cast<time_t>((request.timeout_s - static_cast<double>(seconds)) * 1e6);
  client.set_connection_timeout(seconds, microseconds);
  client.set_read_timeout(seconds, microseconds);
  client.set_write_timeout(seconds, microseconds);
  client.set_tcp_nodelay(true);
  client.set_url_encode(false);
  client.set_decompress(false);
  Fetched fetched;
  httplib::Request asked;
  asked.method = request.method;
  asked.path = request.path;
  asked.headers.insert(request.headers.begin(), request.headers.end());
  asked.body = request.body;
  asked.content_receiver = [&](const char* data, std::size_t size, std::uint64_t, std::uint64_t) {
    const std::size_t taken = std::min(size, request.most_bytes - fetched.body.size());
    fetched.body.append(data, taken);
    fetched.cut = taken < size;
    return !fetched.cut;
  };
  asked.response_handler = [&](const httplib::Response& response) {
    fetched.status = response.status;
    return true;
  };
  httplib::Response response;
  httplib::Error error = httplib::Error::Success;
  Deadline deadline(client, request.timeout_s);
  const bool answered = client.send(asked, response, error);
  const bool late = deadline.end();
  // A connection that was shut looks like the end of an answer that does not say how long it is.
  if (late && !fetched.cut)
    return fail(ErrorCode::kUnavailable, "{}:{} has not answered whole in {:g} s", request.host, request.port,
                request.timeout_s);
  if (answered || fetched.cut) {
    if (answered) fetched.status = response.status;
    return fetched;
  }
  return fail(ErrorCode::kUnavailable, "{}:{}: {}", request.host, request.port, httplib::to_string(error));
}

}  // namespace ordo::loop
