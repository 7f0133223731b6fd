#include "advice/serve.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "advice/mlgo.h"
#include "support/files.h"
#include "tests/fakes/toy_advisor.h"

namespace ordo::advice {
namespace {

// A compiler at the other end: asks what `log` has, and gives the answers. As LLVM opens the pipes.
std::vector<std::int64_t> compile(const std::string& base, const std::string& questions, std::size_t cases) {
  const int in = ::open((base + ".in").c_str(), O_RDONLY), out = ::open((base + ".out").c_str(), O_WRONLY);
  EXPECT_EQ(::write(out, questions.data(), questions.size()), static_cast<ssize_t>(questions.size()));
  std::vector<std::int64_t> answers(cases);
  for (std::int64_t& answer : answers) EXPECT_EQ(::read(in, &answer, sizeof answer), 8);
  ::close(in);
  ::close(out);
  return answers;
}

TEST(ServeTest, CompilersAreAnsweredOneAfterTheOther) {
  const Result<TempDir> dir = TempDir::create();
  const std::string base = (dir->path() / "channel").string();
  fakes::ToyAdvisor toy;
  const std::string questions =
      writeMlgoLog({toy.spec(), {{"a", {3, 0}, 0, 0}, {"a", {50, 0}, 0, 0}, {"a", {11, 0}, 0, 0}}});
  std::atomic<bool> stop = false;
  Result<Served> served = Served{};
  std::thread server([&] { served = serveChannel(base, toy, stop, [] { return false; }); });
  while (!std::filesystem::exists(base + ".out")) std::this_thread::yield();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(compile(base, questions, 3), (std::vector<std::int64_t>{1, 0, 1})) << "compile " << i;
  stop = true;
  server.join();
  ASSERT_TRUE(served) << served.error().message;
  EXPECT_EQ(served->answers, 9u);
  EXPECT_FALSE(std::filesystem::exists(base + ".in")) << "the pipes are removed";
}

TEST(ServeTest, WhatIsNoQuestionIsAnError) {
  const Result<TempDir> dir = TempDir::create();
  const std::string base = (dir->path() / "channel").string();
  fakes::ToyAdvisor toy;
  std::atomic<bool> stop = false;
  Result<Served> served = Served{};
  std::thread server([&] { served = serveChannel(base, toy, stop, [] { return false; }); });
  while (!std::filesystem::exists(base + ".out")) std::this_thread::yield();
  compile(base, "{\"features\":[]}\n", 0);
  server.join();
  ASSERT_FALSE(served);
  EXPECT_NE(served.error().message.find("0 of the 2 features"), std::string::npos) << served.error().message;
}

}  // namespace
}  // namespace ordo::advice
