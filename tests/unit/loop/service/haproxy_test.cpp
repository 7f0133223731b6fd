#include "loop/service/haproxy.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <mutex>
#include <thread>

#include "support/files.h"

namespace ordo::loop {
namespace {

// A socket that answers as HAProxy does: one command, one answer, and it closes.
class FakeHaproxy {
 public:
  explicit FakeHaproxy(const std::filesystem::path& path) : socket_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(socket_, 8), 0);
    thread_ = std::thread([this] { serve(); });
  }
  ~FakeHaproxy() {
    ::shutdown(socket_, SHUT_RDWR);
    thread_.join();
    ::close(socket_);
  }

  std::map<std::string, int> weights = {{"app/production", 100}, {"app/control", 0}, {"app/canary", 0}};
  std::string refuse;  // a server whose weight is not taken
  bool forgets = false;
  std::vector<std::string> commands;

 private:
  void serve() {
    for (;;) {
      const int client = ::accept(socket_, nullptr, nullptr);
      if (client < 0) return;
      char buffer[512];
      const ssize_t size = ::recv(client, buffer, sizeof buffer, 0);
      const std::string answer =
          answerTo(std::string(buffer, size > 0 ? static_cast<std::size_t>(size) - 1 : 0));
      ::send(client, answer.data(), answer.size(), MSG_NOSIGNAL);
      ::close(client);
    }
  }
  std::string answerTo(const std::string& command) {
    commands.push_back(command);
    char server[64];
    int weight = 0;
    if (std::sscanf(command.c_str(), "set weight %63s %d", server, &weight) == 2) {
      if (!weights.contains(server) || server == refuse) return "No such server.\n\n";
      if (!forgets) weights[server] = weight;
      return "\n";
    }
    if (std::sscanf(command.c_str(), "get weight %63s", server) == 1)
      return weights.contains(server) ? std::to_string(weights[server]) + " (initial 0)\n\n"
                                      : "No such server.\n\n";
    return "Unknown command\n";
  }
  int socket_;
  std::thread thread_;
};

class LoopHaproxyTest : public testing::Test {
 protected:
  TempDir dir_ = *TempDir::create();
  HaproxyOptions options_{.socket = dir_.path() / "s", .backend = "app", .timeout_s = 2};
};

TEST_F(LoopHaproxyTest, SetsTheCanaryFirstAndLooksAgain) {
  FakeHaproxy fake(options_.socket);
  Haproxy haproxy = *Haproxy::create(options_);
  ASSERT_TRUE(haproxy.set({.control = 0.1, .canary = 0.1}));
  EXPECT_EQ(fake.commands[0], "set weight app/canary 26");
  EXPECT_EQ(fake.weights.at("app/production"), 204);
  EXPECT_NEAR((*haproxy.get()).canary, 0.1, 0.005);
  ASSERT_TRUE(haproxy.set({}));
  EXPECT_EQ(fake.weights.at("app/canary"), 0);
  EXPECT_EQ(fake.weights.at("app/production"), 256);
}

TEST_F(LoopHaproxyTest, SaysWhatHaproxySaid) {
  FakeHaproxy fake(options_.socket);
  fake.refuse = "app/control";
  Haproxy haproxy = *Haproxy::create(options_);
  EXPECT_NE(haproxy.set({.control = 0.1, .canary = 0.1}).error().message.find("No such server"),
            std::string::npos);
  fake.refuse.clear();
  fake.forgets = true;
  EXPECT_NE(haproxy.set({.control = 0.2, .canary = 0.2}).error().message.find("not"), std::string::npos);
}

TEST_F(LoopHaproxyTest, ASocketThatIsNotThereIsAnError) {
  Haproxy haproxy = *Haproxy::create(options_);
  EXPECT_EQ(haproxy.set({}).error().code, ErrorCode::kUnavailable);
  EXPECT_FALSE(haproxy.get());
}

TEST_F(LoopHaproxyTest, NamesAreNames) {
  for (const char* name : {"", "a b", "a;b", "a/b", "a\nb"}) {
    HaproxyOptions options = options_;
    options.backend = name;
    EXPECT_FALSE(Haproxy::create(options)) << name;
    options = options_;
    options.servers[2] = name;
    EXPECT_FALSE(Haproxy::create(options)) << name;
  }
}

// The canary's weight would be production's.
TEST_F(LoopHaproxyTest, ServersAreThree) {
  HaproxyOptions options = options_;
  options.servers[2] = options.servers[0];
  EXPECT_FALSE(Haproxy::create(options));
}

TEST_F(LoopHaproxyTest, ReadsStatisticsByTheirHeading) {
  const std::string csv =
      "# pxname,svname,status,eresp,wredis,hrsp_5xx,\nfe,FRONTEND,OPEN,,,,\napp,production,UP,1,2,3,\n"
      "app,control,UP 1/2,0,0,0,\nother,canary,UP,9,9,9,\napp,canary,DOWN,4,5,6,\n\n";
  const auto counts = readStatistics(csv, options_);
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_TRUE((*counts)[0].up);
  EXPECT_EQ((*counts)[0].errors, 4u);
  EXPECT_TRUE((*counts)[1].up);
  EXPECT_FALSE((*counts)[2].up);
  EXPECT_EQ((*counts)[2].redispatches, 5u);
  for (const char* wrong :
       {"", "# pxname,svname\napp\n", "app,canary,UP\n", "# pxname,svname,status,\napp,control,UP,\n"})
    EXPECT_FALSE(readStatistics(wrong, options_)) << wrong;
}

// As HAProxy 2.6 counted 60 requests to each kind of canary, with its default settings unless it says
// otherwise.
TEST_F(LoopHaproxyTest, AllThatTellsOfAFailureIsCounted) {
  const auto canary = [&](const std::string& fields) {
    const std::string heading =
        "# "
        "pxname,svname,status,qcur,stot,econ,eresp,wretr,wredis,cli_abrt,srv_abrt,hrsp_5xx,chkfail,chkdown,"
        "\n";
    return (
        *readStatistics(heading + "app,production,UP\napp,control,UP\napp,canary," + fields, options_))[2];
  };
  EXPECT_EQ(canary("UP,0,60,31,0,93,0,0,0,0,0,0,").errors, 31u)
      << "refused: HAProxy answers itself, with 503";
  EXPECT_EQ(canary("UP,0,60,31,0,93,0,0,0,0,0,0,").redispatches, 93u) << "and tries three times before";
  EXPECT_EQ(canary("UP,0,60,0,0,0,59,0,0,0,0,0,").redispatches, 59u) << "refused, with redispatch";
  EXPECT_EQ(canary("UP,0,60,0,20,0,0,0,20,0,0,0,").errors, 20u) << "cut short";
  EXPECT_EQ(canary("UP,0,60,0,20,0,0,0,0,0,0,0,").errors, 20u) << "not in time";
  EXPECT_EQ(canary("UP,0,60,0,0,0,0,0,0,20,0,0,").errors, 20u) << "answered with 500";
  const ServerCounts slow = canary("DOWN,7,60,0,0,0,0,5,0,0,3,1,");
  EXPECT_FALSE(slow.up);
  EXPECT_EQ(slow.queued, 7u);
  EXPECT_EQ(slow.tries, 60u);
  EXPECT_EQ(slow.aborts, 5u);
  EXPECT_EQ(slow.failed_checks, 3u);
  EXPECT_EQ(slow.falls, 1u);
}

TEST_F(LoopHaproxyTest, WeightsAddUp) {
  for (const double share : {0.0, 0.001, 0.01, 0.05, 0.1, 0.4}) {
    const auto weights = weightsOf({share, share});
    EXPECT_EQ(weights[0] + weights[1] + weights[2], 256);
    EXPECT_EQ(weights[2] > 0, share > 0);
    EXPECT_EQ(weights[1], weights[2]);
  }
}

}  // namespace
}  // namespace ordo::loop
