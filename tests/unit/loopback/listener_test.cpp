#include "loopback/listener.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <chrono>
#include <future>
#include <thread>

namespace ordo::loopback {
namespace {

TEST(ListenerTest, ServesUntilItIsToldToStopAndEndsWhatTakesLong) {
  Server http;
  std::atomic<bool> stop{false}, ended{false}, ticked{false};
  http.Get("/", [](const httplib::Request&, httplib::Response& response) {
    response.set_content("x", "text/plain");
  });
  std::promise<int> ready;
  Status served;
  std::thread server([&] {
    served = listen(http, stop,
                    {.on_ready = [&](int port) { ready.set_value(port); },
                     .on_tick = [&] { ticked = true; },
                     .on_stop = [&] { ended = true; }});
  });
  const int port = ready.get_future().get();
  httplib::Client client("127.0.0.1", port);
  EXPECT_EQ(client.Get("/")->body, "x");
  while (!ticked) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  stop = true;
  server.join();
  EXPECT_TRUE(served);
  EXPECT_TRUE(ended);
}

TEST(ListenerTest, APortThatIsTakenIsAnErrorThatNamesIt) {
  Server first;
  const int port = first.bind_to_any_port("127.0.0.1");
  Server second;
  const std::atomic<bool> stop{false};
  const Status served = listen(second, stop, {.port = port});
  ASSERT_FALSE(served);
  EXPECT_EQ(served.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(served.error().message, testing::HasSubstr(std::to_string(port)));
}

}  // namespace
}  // namespace ordo::loopback
