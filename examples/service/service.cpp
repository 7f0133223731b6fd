// A service that computes: it compresses, parses and queries. It tells Prometheus how long its requests take,
// on the wall clock and in processor time.
//
//   service PORT POOL           serves on 127.0.0.1
//   service --stage KIND COUNT  does so many requests of a kind, or of `all`, and prints the answers' sum:
//   what a stage runs
//
// For trials of the loop, SERVICE_FAULT makes an instance misbehave: absent (it does not start), crash:N and
// hang:N from request N on, slow:US (each request takes so much longer), tail:US (each hundredth), error
// (each tenth is answered 500).
#include <httplib.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

#include "kernels.h"

namespace {

// Buckets that are finer than the effects that are looked for: 3 % wide from 20 us on.
constexpr std::size_t kBuckets = 320;
constexpr double kLeast = 20e-6, kGrowth = 1.03;

class Histogram {
 public:
  void add(double seconds) {
    const double place = seconds <= kLeast ? 0 : std::ceil(std::log(seconds / kLeast) / std::log(kGrowth));
    ++counts_[std::min<std::size_t>(kBuckets, static_cast<std::size_t>(place))];
    nanoseconds_ += static_cast<std::uint64_t>(seconds * 1e9);
  }
  std::string text(const std::string& name, const std::string& labels) const {
    std::string text = "# TYPE " + name + " histogram\n";
    std::uint64_t sum = 0;
    char line[256];
    for (std::size_t i = 0; i <= kBuckets; ++i) {
      sum += counts_[i];
      if (i < kBuckets) {
        std::snprintf(line, sizeof line, "%s_bucket{%s,le=\"%.6g\"} %llu\n", name.c_str(), labels.c_str(),
                      kLeast * std::pow(kGrowth, static_cast<double>(i)),
                      static_cast<unsigned long long>(sum));
      } else {
        std::snprintf(line, sizeof line, "%s_bucket{%s,le=\"+Inf\"} %llu\n", name.c_str(), labels.c_str(),
                      static_cast<unsigned long long>(sum));
      }
      text += line;
    }
    std::snprintf(line, sizeof line, "%s_sum{%s} %.9f\n%s_count{%s} %llu\n", name.c_str(), labels.c_str(),
                  static_cast<double>(nanoseconds_.load()) / 1e9, name.c_str(), labels.c_str(),
                  static_cast<unsigned long long>(sum));
    return text + line;
  }

 private:
  std::array<std::atomic<std::uint64_t>, kBuckets + 1> counts_{};
  std::atomic<std::uint64_t> nanoseconds_{0};
};

double now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

using Kernel = std::uint64_t (*)(const service::Data&, std::uint64_t);
constexpr std::array<std::pair<const char*, Kernel>, 3> kKinds = {
    {{"compress", service::compress}, {"parse", service::parse}, {"query", service::query}}};

struct Fault {
  std::string kind;
  std::uint64_t number = 0;
};

Fault faultOf(const char* text) {
  if (text == nullptr) return {};
  const std::string whole = text;
  const std::size_t colon = whole.find(':');
  return {whole.substr(0, colon),
          colon == std::string::npos ? 0 : std::strtoull(whole.c_str() + colon + 1, nullptr, 10)};
}

httplib::Server* serving = nullptr;

int serve(int port, const std::string& pool) {
  const service::Data data = service::makeData();
  const Fault fault = faultOf(std::getenv("SERVICE_FAULT"));
  if (fault.kind == "absent") return 70;
  const double began = now(CLOCK_REALTIME);
  Histogram wall, cpu;
  std::atomic<std::uint64_t> requests{0};
  httplib::Server server;
  server.set_tcp_nodelay(true);  // or every answer waits 40 ms for an acknowledgement
  server.new_task_queue = [] { return new httplib::ThreadPool(96); };  // each open connection takes one
  server.set_keep_alive_max_count(1'000'000);
  server.set_keep_alive_timeout(2);
  server.Get("/healthz", [](const httplib::Request&, httplib::Response& response) {
    response.set_content("ok\n", "text/plain");
  });
  server.Get("/metrics", [&](const httplib::Request&, httplib::Response& response) {
    const std::string labels = "pool=\"" + pool + "\"";
    char start[128];
    std::snprintf(start, sizeof start, "process_start_time_seconds{%s} %.3f\n", labels.c_str(), began);
    response.set_content(wall.text("service_request_duration_seconds", labels) +
                             cpu.text("service_request_cpu_seconds", labels) + start,
                         "text/plain; version=0.0.4");
  });
  for (const auto& [name, kernel] : kKinds) {
    server.Get(std::string("/") + name,
               [&, run = kernel](const httplib::Request& request, httplib::Response& response) {
                 const double begin_wall = now(CLOCK_MONOTONIC), begin_cpu = now(CLOCK_THREAD_CPUTIME_ID);
                 const std::uint64_t number = requests++;
                 if (fault.kind == "crash" && number >= fault.number) std::abort();
                 if (fault.kind == "hang" && number >= fault.number)
                   std::this_thread::sleep_for(std::chrono::hours(1));
                 const std::uint64_t id = std::strtoull(request.get_param_value("id").c_str(), nullptr, 10);
                 const std::uint64_t answer = run(data, id);
                 const bool slow = fault.kind == "slow" || (fault.kind == "tail" && number % 100 == 0);
                 const double until = begin_cpu + static_cast<double>(fault.number) * 1e-6;
                 while (slow && now(CLOCK_THREAD_CPUTIME_ID) < until) {
                 }
                 if (fault.kind == "error" && number % 10 == 0) response.status = 500;
                 response.set_content(std::to_string(answer) + "\n", "text/plain");
                 cpu.add(now(CLOCK_THREAD_CPUTIME_ID) - begin_cpu);
                 wall.add(now(CLOCK_MONOTONIC) - begin_wall);
               });
  }
  serving = &server;
  std::signal(SIGTERM, [](int) { serving->stop(); });
  if (!server.bind_to_port("127.0.0.1", port)) {
    std::fprintf(stderr, "service: port %d cannot be had\n", port);
    return 69;
  }
  std::printf("ready %d\n", getpid());  // it listens
  std::fflush(stdout);
  return server.listen_after_bind() ? 0 : 70;
}

int stage(const std::string& kind, std::uint64_t count) {
  const service::Data data = service::makeData();
  std::uint64_t sum = 0;
  bool known = false;
  for (const auto& [name, kernel] : kKinds) {
    if (kind != name && kind != "all") continue;
    known = true;
    for (std::uint64_t request = 0; request < count; ++request) sum += kernel(data, request);
  }
  if (!known) {
    std::fprintf(stderr, "service: there is no '%s'\n", kind.c_str());
    return 64;
  }
  std::printf("%llu\n", static_cast<unsigned long long>(sum));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "--stage")
    return stage(argv[2], std::strtoull(argv[3], nullptr, 10));
  if (argc == 3) return serve(std::atoi(argv[1]), argv[2]);
  std::fprintf(stderr, "usage: service PORT POOL | service --stage KIND COUNT\n");
  return 64;
}
