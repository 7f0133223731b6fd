// Requests at a rate, whatever the answers do: who waits for an answer before the next request does not see
// what users see when a service is slow.
//
//   load PORT RATE SECONDS MIX [MIX…]   MIX is compress,parse,query as in 3,1,1; several share the time
//
// Prints what came of all requests when it ends, also by SIGTERM; exit code 1 if any was lost.
#include <httplib.h>
#include <signal.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr unsigned kConnections = 16;
std::atomic<bool> stopped{false};

using Mix = std::array<double, 3>;

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: load PORT RATE SECONDS MIX [MIX...]\n");
    return 64;
  }
  const int port = std::atoi(argv[1]);
  const double rate = std::atof(argv[2]), seconds = std::atof(argv[3]);
  std::vector<Mix> mixes;
  for (int i = 4; i < argc; ++i) {
    Mix mix{};
    if (std::sscanf(argv[i], "%lf,%lf,%lf", &mix[0], &mix[1], &mix[2]) != 3) return 64;
    mixes.push_back(mix);
  }
  std::signal(SIGTERM, [](int) { stopped = true; });
  std::signal(SIGINT, [](int) { stopped = true; });
  std::atomic<std::uint64_t> sent{0}, lost{0}, late{0};
  const auto began = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kConnections; ++t) {
    threads.emplace_back([&, t] {
      httplib::Client client("127.0.0.1", port);
      client.set_keep_alive(true);
      client.set_tcp_nodelay(true);
      client.set_read_timeout(15);
      std::mt19937_64 random(t + 1);
      std::exponential_distribution<double> gap(rate / kConnections);
      constexpr std::array<const char*, 3> kPaths = {"/compress", "/parse", "/query"};
      double due = gap(random);
      while (!stopped && due < seconds) {
        const auto at = began + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                    std::chrono::duration<double>(due));
        if (std::chrono::steady_clock::now() > at + std::chrono::milliseconds(100)) ++late;
        std::this_thread::sleep_until(at);
        const auto part = static_cast<std::size_t>(due / seconds * static_cast<double>(mixes.size()));
        const Mix& mix = mixes[std::min(part, mixes.size() - 1)];
        std::discrete_distribution<std::size_t> kind(mix.begin(), mix.end());
        const std::string path =
            std::string(kPaths[kind(random)]) + "?id=" + std::to_string(random() % 100000);
        const auto answer = client.Get(path.c_str());
        ++sent;
        if (!answer || answer->status != 200) ++lost;
        due += gap(random);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::printf("load: %llu requests, %llu lost, %llu sent more than 0.1 s late\n",
              static_cast<unsigned long long>(sent), static_cast<unsigned long long>(lost),
              static_cast<unsigned long long>(late));
  return lost > 0 ? 1 : 0;
}
