#include "loopback/server.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace ordo::loopback {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPause = std::chrono::milliseconds(10);
constexpr auto kPatience = std::chrono::milliseconds(100);
// A request has twice its patience; the rest is for machines that others use.
constexpr auto kSoon = std::chrono::seconds(4);

int dial(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  return socket;
}

class LoopbackServerTest : public testing::Test {
 protected:
  explicit LoopbackServerTest(std::chrono::milliseconds patience = kPatience) : patience_(patience) {}

  void SetUp() override {
    http_.set_read_timeout(patience_);
    http_.set_write_timeout(patience_);
    http_.set_payload_max_length(1 << 20);
    http_.Get("/small", [](const httplib::Request& request, httplib::Response& response) {
      response.set_content(request.remote_addr, "text/plain");
    });
    http_.Get("/large", [](const httplib::Request&, httplib::Response& response) {
      response.set_content(std::string(std::size_t{16} << 20, 'x'), "text/plain");
    });
    http_.Post("/length", [](const httplib::Request& request, httplib::Response& response) {
      response.set_content(std::to_string(request.body.size()), "text/plain");
    });
    port_ = http_.bind_to_any_port("127.0.0.1");
    http_.letManyWait();
    thread_ = std::thread([this] { http_.listen_after_bind(); });
    while (!http_.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  void TearDown() override {
    http_.stop();
    thread_.join();
  }

  int dial() const { return ordo::loopback::dial(port_); }

  // Says `head`, then a byte now and then, for as long as it may: whether it was hung up on.
  bool dripsInVain(const std::string& head) const {
    const int socket = dial();
    EXPECT_GT(::send(socket, head.data(), head.size(), MSG_NOSIGNAL), 0);
    const auto until = Clock::now() + kSoon;
    bool ended = false;
    while (!ended && Clock::now() < until) {
      std::this_thread::sleep_for(kPause);
      ::send(socket, "x", 1, MSG_NOSIGNAL);
      char bytes[4096];  // a word of refusal may come first
      const ssize_t got = ::recv(socket, bytes, sizeof bytes, MSG_DONTWAIT);
      ended = got == 0 || (got < 0 && errno != EAGAIN);
    }
    ::close(socket);
    return ended;
  }

  const std::chrono::milliseconds patience_;
  Server http_;
  int port_ = 0;
  std::thread thread_;
};

TEST_F(LoopbackServerTest, AnswersManyRequestsOnOneConnection) {
  httplib::Client client("127.0.0.1", port_);
  client.set_keep_alive(true);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(client.Get("/small")->body, "127.0.0.1");
  EXPECT_EQ(client.Post("/length", std::string(100'000, 'x'), "text/plain")->body, "100000");
  EXPECT_EQ(client.Get("/large")->body.size(), std::size_t{16} << 20);
}

TEST_F(LoopbackServerTest, RequestsThatComeTogetherAreAllAnswered) {
  const int socket = dial();
  const std::string one = "GET /small HTTP/1.1\r\nHost: x\r\n\r\n";
  const std::string last = "GET /small HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  ASSERT_GT(::send(socket, (one + one + last).data(), 2 * one.size() + last.size(), MSG_NOSIGNAL), 0);
  std::string said;
  char bytes[4096];
  for (ssize_t got = 0; (got = ::recv(socket, bytes, sizeof bytes, 0)) > 0;)
    said.append(bytes, static_cast<std::size_t>(got));
  ::close(socket);
  std::size_t answers = 0;
  for (std::size_t at = 0; (at = said.find("HTTP/1.1 200", at)) != std::string::npos; ++at) ++answers;
  EXPECT_EQ(answers, 3u) << said;
}

TEST_F(LoopbackServerTest, AnswersAreNotCompressed) {
  httplib::Client client("127.0.0.1", port_);
  client.set_decompress(false);
  const httplib::Result answer = client.Get("/large", {{"Accept-Encoding", "gzip, deflate, br"}});
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->has_header("Content-Encoding"));
  EXPECT_EQ(answer->body.size(), std::size_t{16} << 20);
}

TEST_F(LoopbackServerTest, ContentThatNobodyReadsIsNoRequest) {
  for (const char* bytes :
       {"GET /small HTTP/1.1\r\nHost: x\r\nContent-Length: 31\r\n\r\nGET /large HTTP/1.1\r\nHost: x\r\n\r\n",
        "what is no request\r\n\r\nGET /large HTTP/1.1\r\nHost: x\r\n\r\n"}) {
    const int socket = dial();
    const std::string_view all = bytes;
    ASSERT_EQ(::send(socket, all.data(), all.size(), MSG_NOSIGNAL), static_cast<ssize_t>(all.size()));
    std::string said;
    char piece[4096];
    for (ssize_t got = 0; (got = ::recv(socket, piece, sizeof piece, 0)) > 0;)
      said.append(piece, static_cast<std::size_t>(got));
    ::close(socket);
    EXPECT_LT(said.size(), 4096u) << "one answer, and then the end";
    EXPECT_EQ(said.find("HTTP/1.1", 1), std::string::npos);
  }
}

TEST_F(LoopbackServerTest, WhoSendsAByteNowAndThenIsHungUpOn) {
  EXPECT_TRUE(dripsInVain("GET /small")) << "in the first line";
  EXPECT_TRUE(dripsInVain("GET /small HTTP/1.1\r\nHost: x")) << "in a header";
  EXPECT_TRUE(dripsInVain("POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n")) << "in a body";
}

// Longer than the test takes.
class PatientServerTest : public LoopbackServerTest {
 protected:
  PatientServerTest() : LoopbackServerTest(std::chrono::minutes(5)) {}
};

TEST_F(PatientServerTest, WhoeverIsSlowKeepsNobodyWaiting) {
  std::vector<int> slow;
  for (int i = 0; i < 200; ++i) {
    slow.push_back(dial());
    const std::string_view head =
        i % 2 == 0 ? "GET /small" : "POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n";
    ASSERT_GT(::send(slow.back(), head.data(), head.size(), MSG_NOSIGNAL), 0);
  }
  httplib::Client client("127.0.0.1", port_);
  client.set_read_timeout(60);
  const httplib::Result answer = client.Get("/small");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body, "127.0.0.1");
  // All of them are still at it: nobody had to be hung up on for that.
  for (const int socket : slow) {
    char byte = 0;
    EXPECT_LT(::recv(socket, &byte, 1, MSG_DONTWAIT), 0);
    ::close(socket);
  }
}

TEST(LoopbackBacklogTest, ManyMayComeBeforeAnyIsAccepted) {
  Server http;
  const int port = http.bind_to_any_port("127.0.0.1");
  http.letManyWait();
  std::vector<int> sockets;
  for (int i = 0; i < 60; ++i) sockets.push_back(dial(port));  // nobody accepts them
  for (const int socket : sockets) ::close(socket);
}

TEST_F(LoopbackServerTest, WhoDoesNotTakeTheAnswerIsHungUpOn) {
  const int socket = dial();
  const std::string question = "GET /large HTTP/1.1\r\nHost: x\r\n\r\n";
  const int small = 4096;
  ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
  ASSERT_GT(::send(socket, question.data(), question.size(), MSG_NOSIGNAL), 0);
  http_.stop();  // returns from listening once every request has ended
  const auto began = Clock::now();
  thread_.join();
  EXPECT_LT(Clock::now() - began, kSoon);
  ::close(socket);
  thread_ = std::thread([] {});
}

}  // namespace
}  // namespace ordo::loopback
