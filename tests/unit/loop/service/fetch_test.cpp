#include "loop/service/fetch.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

namespace ordo::loop {
namespace {

// Answers one connection with these bytes, and then leaves it open or sends a byte now and then, for ever.
class OneAnswer {
 public:
  explicit OneAnswer(std::string bytes, bool drips = false) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(socket_, 1), 0);
    socklen_t size = sizeof address;
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port = ntohs(address.sin_port);
    thread_ = std::thread([this, bytes = std::move(bytes), drips] {
      const int client = ::accept(socket_, nullptr, nullptr);
      char buffer[4096];
      const ssize_t got = ::recv(client, buffer, sizeof buffer, 0);
      asked.assign(buffer, got > 0 ? static_cast<std::size_t>(got) : 0);
      ::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      while (drips && ::send(client, "x", 1, MSG_NOSIGNAL) == 1) ::usleep(10'000);
      ::close(client);
    });
  }
  ~OneAnswer() {
    thread_.join();
    ::close(socket_);
  }
  int port = 0;
  std::string asked;

 private:
  int socket_;
  std::thread thread_;
};

FetchRequest request(int port) {
  return {.host = "127.0.0.1", .port = port, .path = "/x?a=%20b", .timeout_s = 20};
}

TEST(LoopFetchTest, SendsWhatItIsToldAndGivesTheAnswer) {
  std::string asked;
  {
    OneAnswer server("HTTP/1.1 404 No\r\nContent-Length: 3\r\n\r\nabc");
    FetchRequest one = request(server.port);
    one.headers = {{"Host", "shop.example"}};
    const auto answer = fetch(one);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, 404);
    EXPECT_EQ(answer->body, "abc");
    EXPECT_FALSE(answer->cut);
    asked = server.asked;
  }
  EXPECT_TRUE(asked.starts_with("GET /x?a=%20b HTTP/1.1\r\n")) << asked;
  EXPECT_NE(asked.find("Host: shop.example"), std::string::npos);
}

TEST(LoopFetchTest, TakesNoMoreThanItWants) {
  OneAnswer server("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + std::string(5000, 'a'));
  FetchRequest one = request(server.port);
  one.most_bytes = 100;
  const auto answer = fetch(one);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body, std::string(100, 'a'));
  EXPECT_TRUE(answer->cut);
}

TEST(LoopFetchTest, WhoDripsIsNotWaitedFor) {
  for (const char* const begin : {"HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 OK\r\n\r\n"}) {
    OneAnswer server(begin, true);
    FetchRequest one = request(server.port);
    one.timeout_s = 0.2;
    const auto answer = fetch(one);
    ASSERT_FALSE(answer) << begin;
    EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
    EXPECT_NE(answer.error().message.find(std::to_string(server.port)), std::string::npos);
  }
}

TEST(LoopFetchTest, HalfAnAnswerIsNone) {
  OneAnswer server("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nabc");
  EXPECT_FALSE(fetch(request(server.port)));
}

TEST(LoopFetchTest, WithoutAnybodyThereItIsAnError) {
  const auto answer = fetch(request(1));
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().message.find("127.0.0.1:1"), std::string::npos);
}

}  // namespace
}  // namespace ordo::loop
