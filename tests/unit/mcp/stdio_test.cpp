#include "mcp/stdio.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "support/files.h"
#include "tests/fakes/engine_fixture.h"

namespace ordo::mcp {
namespace {

// What is said when `text` comes in, line by line.
std::vector<Json> said(const std::string& text, const std::vector<std::filesystem::path>& roots = {}) {
  const auto server = Server::start({.version = "1", .roots = roots});
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

// A client that dies closes both ends, and has a search that would take an hour.
TEST(StdioTest, WhatAClientThatIsGoneHasAskedForIsEnded) {
  const TempDir dir = *TempDir::create();
  ASSERT_TRUE(writeFile(dir.path() / "small.c", engine::kSmallProgram));
  const auto server = Server::start({.version = "1", .roots = {dir.path()}});
  ASSERT_TRUE(server);
  int in[2], out[2];
  ASSERT_EQ(::pipe(in) + ::pipe(out), 0);
  ::signal(SIGPIPE, SIG_IGN);
  const Json open{{"name", "open_program"},
                  {"arguments", {{"file", "small.c"}, {"compiles", 100000}, {"seconds", 3600}}}};
  const Json search{{"name", "search_sequences"},
                    {"arguments", {{"compiles", 100000}, {"method", "random"}}},
                    {"_meta", {{"progressToken", "t"}}}};
  const std::string lines =
      writeRequest(1, "tools/call", open) + "\n" + writeRequest(2, "tools/call", search) + "\n";
  ASSERT_EQ(::write(in[1], lines.data(), lines.size()), static_cast<ssize_t>(lines.size()));
  const std::atomic<bool> stop{false};
  std::thread serving([&] { EXPECT_TRUE(serveStdio(**server, in[0], out[1], stop)); });
  std::string heard;
  char buffer[4096];
  while (heard.find("notifications/progress") == std::string::npos) {
    const ssize_t size = ::read(out[0], buffer, sizeof buffer);
    ASSERT_GT(size, 0);
    heard.append(buffer, static_cast<std::size_t>(size));
  }
  ::close(in[1]);
  ::close(out[0]);
  serving.join();  // which would not come back for an hour
  EXPECT_TRUE((*server)->drain(std::chrono::seconds(60)));
  for (const int fd : {in[0], out[1]}) ::close(fd);
}

// The input ends, as the protocol has it, and somebody still listens: what was found so far is said.
TEST(StdioTest, WhatTakesLongAfterTheEndOfTheInputIsEndedAndAnswered) {
  const TempDir dir = *TempDir::create();
  const std::string file = (dir.path() / "small.c").string();
  ASSERT_TRUE(writeFile(file, engine::kSmallProgram));
  const auto lines = said(
      writeRequest(1, "tools/call",
                   {{"name", "open_program"},
                    {"arguments", {{"file", file}, {"compiles", 100000}, {"seconds", 3600}}}}) +
          "\n" +
          writeRequest(
              2, "tools/call",
              {{"name", "search_sequences"}, {"arguments", {{"compiles", 100000}, {"method", "random"}}}}) +
          "\n",
      {dir.path()});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(lines[1].contains("result") || lines[1].contains("error"));
}

}  // namespace
}  // namespace ordo::mcp
