#include "mcp/stdio.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

namespace ordo::mcp {
namespace {

// What is said when `text` comes in, line by line.
std::vector<Json> said(const std::string& text) {
  const auto server = Server::start({.version = "1"});
  EXPECT_TRUE(server);
  int in[2], out[2];
  EXPECT_EQ(::pipe(in) + ::pipe(out), 0);
  const std::atomic<bool> stop{false};
  std::string all;
  std::thread reader([&] {
    char buffer[4096];
    for (ssize_t size; (size = ::read(out[0], buffer, sizeof buffer)) > 0;)
      all.append(buffer, static_cast<std::size_t>(size));
  });
  std::thread writer([&] {
    std::string_view rest = text;
    while (!rest.empty())
      rest.remove_prefix(static_cast<std::size_t>(::write(in[1], rest.data(), rest.size())));
    ::close(in[1]);
  });
  EXPECT_TRUE(serveStdio(**server, in[0], out[1], stop));
  ::close(out[1]);
  writer.join();
  reader.join();
  ::close(in[0]);
  ::close(out[0]);
  std::vector<Json> lines;
  std::istringstream stream(all);
  for (std::string line; std::getline(stream, line);) lines.push_back(Json::parse(line));
  return lines;
}

TEST(StdioTest, EachLineIsAMessageAndTheEndWaitsForAnswers) {
  const auto lines = said(writeRequest(1, "ping", Json::object()) + "\r\n\n" +
                          writeRequest(2, "tools/call", {{"name", "get_features"}}) + "\n");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["id"], 1);
  EXPECT_EQ(lines[1]["id"], 2);
}

TEST(StdioTest, ALineThatIsTooLongIsRefusedAndTheNextOneHeard) {
  const auto lines = said(std::string(3u << 20, 'x') + "\n" + writeRequest(1, "ping", Json::object()) + "\n");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["error"]["code"], kParseError);
  EXPECT_EQ(lines[1]["id"], 1);
}

TEST(StdioTest, WhoReadsNoMoreEndsIt) {
  const auto server = Server::start({.version = "1"});
  ASSERT_TRUE(server);
  int in[2], out[2];
  ASSERT_EQ(::pipe(in) + ::pipe(out), 0);
  ::close(out[0]);
  ::signal(SIGPIPE, SIG_IGN);
  const std::string line = writeRequest(1, "ping", Json::object()) + "\n";
  ASSERT_EQ(::write(in[1], line.data(), line.size()), static_cast<ssize_t>(line.size()));
  const std::atomic<bool> stop{false};
  EXPECT_TRUE(serveStdio(**server, in[0], out[1], stop)) << "it would not come back otherwise";
  for (const int fd : {in[0], in[1], out[1]}) ::close(fd);
}

}  // namespace
}  // namespace ordo::mcp
