#include "support/followed_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "support/files.h"
#include "support/rng.h"

namespace ordo {
namespace {

class FollowedFileTest : public testing::Test {
 protected:
  void add(std::string_view text) { std::ofstream(file_, std::ios::app) << text; }
  std::vector<int> numbers(FollowedFile& followed) {
    std::vector<int> found;
    const FollowedFile::News news = *followed.read();
    for (const Json& line : news.lines) found.push_back(line["n"].get<int>());
    return found;
  }

  TempDir dir_ = *TempDir::create();
  std::filesystem::path file_ = dir_.path() / "lines.jsonl";
};

TEST_F(FollowedFileTest, EachLineIsReadOnceWhenItIsWhole) {
  FollowedFile followed(file_);
  EXPECT_EQ(followed.read().error().code, ErrorCode::kNotFound);
  add("{\"n\":1}\n{\"n\":2}\n{\"n\"");
  EXPECT_EQ(numbers(followed), (std::vector{1, 2}));
  EXPECT_TRUE(numbers(followed).empty());
  add(":3}\n");
  EXPECT_EQ(numbers(followed), (std::vector{3}));
}

TEST_F(FollowedFileTest, AFileThatIsBegunAnewIsReadFromItsStart) {
  FollowedFile followed(file_);
  add("{\"n\":1}\n{\"n\":2}\n");
  EXPECT_FALSE(followed.read()->anew);
  ASSERT_TRUE(writeFile(file_, "{\"n\":7}\n"));
  EXPECT_EQ(numbers(followed), (std::vector{7})) << "it is shorter";
  ASSERT_TRUE(writeFile(file_, "{\"n\":8}\n{\"n\":9}\n{\"n\":10}\n"));
  const FollowedFile::News news = *followed.read();
  EXPECT_TRUE(news.anew) << "it is longer, but begins with something else";
  EXPECT_EQ(news.lines.size(), 3u);
}

TEST_F(FollowedFileTest, WhateverIsWrittenAndHoweverItIsCutLinesComeOut) {
  Rng rng(1);
  FollowedFile followed(file_);
  add("");
  std::string rest;
  int sent = 0, got = 0;
  for (int i = 0; i < 300; ++i) {
    if (rng.chance(0.7))
      rest += fmt::format("{{\"n\":{},\"x\":\"{}\"}}\n", sent++, std::string(rng.below(40), 'x'));
    const std::size_t part = rng.below(rest.size() + 1);
    add(rest.substr(0, part));
    rest.erase(0, part);
    for (const int n : numbers(followed)) EXPECT_EQ(n, got++);
  }
  add(rest);
  for (const int n : numbers(followed)) EXPECT_EQ(n, got++);
  EXPECT_EQ(got, sent);
}

TEST_F(FollowedFileTest, WhatIsNoObjectIsAnErrorThatNamesTheLine) {
  for (const char* wrong : {"{}\nnonsense\n", "{}\n[]\n", "{}\n3\n", "{}\n\n"}) {
    ASSERT_TRUE(writeFile(file_, wrong));
    FollowedFile followed(file_);
    EXPECT_THAT(followed.read().error().message, testing::HasSubstr("lines.jsonl, line 2")) << wrong;
  }
  ASSERT_TRUE(writeFile(file_, std::string(std::size_t{2} << 20, 'x')));
  EXPECT_EQ(FollowedFile(file_).read().error().code, ErrorCode::kCorrupt) << "a line without an end";
}

// A child that has the file open, and waits for a signal. How it ended, once it was ended.
class Process {
 public:
  Process(const std::filesystem::path& file, int flags) {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::signal(SIGINT, SIG_DFL);
      ::alarm(60);
      const int open = ::open(file.c_str(), flags | O_CREAT, 0600);
      const std::string told = writeJson(thisWriter());
      if (open < 0 || ::write(ready[1], told.data(), told.size()) < 0) ::_exit(1);
      ::close(ready[1]);
      for (;;) ::pause();
    }
    ::close(ready[1]);
    char bytes[256];
    std::string told;
    for (ssize_t got = 0; (got = ::read(ready[0], bytes, sizeof bytes)) > 0;)
      told.append(bytes, static_cast<std::size_t>(got));
    ::close(ready[0]);
    told_ = *parseJson(told, "what the child says");
  }
  Process(const Process&) = delete;
  ~Process() { end(SIGKILL); }

  const Json& told() const { return told_; }
  int end(int signal = 0) {
    int status = 0;
    if (pid_ < 0) return 0;
    if (signal != 0) ::kill(pid_, signal);
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }

 private:
  int pid_ = -1;
  Json told_;
};

TEST_F(FollowedFileTest, TheWriterIsFoundAndCanBeInterrupted) {
  Process process(file_, O_WRONLY | O_APPEND);
  const std::optional<Writer> writer = Writer::find(process.told(), file_);
  ASSERT_TRUE(writer);
  EXPECT_TRUE(writer->interrupt());
  EXPECT_EQ(process.end(), SIGINT);
  EXPECT_FALSE(Writer::find(process.told(), file_)) << "it has ended";
  EXPECT_EQ(writer->interrupt().error().code, ErrorCode::kNotFound);
}

TEST_F(FollowedFileTest, NobodyElseIsTakenForTheWriter) {
  const Process reader(file_, O_RDONLY), other(dir_.path() / "other", O_WRONLY), writer(file_, O_WRONLY);
  EXPECT_FALSE(Writer::find(reader.told(), file_)) << "only reads it";
  EXPECT_FALSE(Writer::find(other.told(), file_)) << "writes another file";
  Json later = writer.told();
  later["started"] = later["started"].get<std::int64_t>() + 1;
  EXPECT_FALSE(Writer::find(later, file_)) << "a number that was somebody else's when the file was written";
  EXPECT_FALSE(Writer::find(thisWriter(), file_)) << "ourselves";
  EXPECT_FALSE(Writer::find(writer.told(), dir_.path() / "none"));
  for (const char* wrong : {"null", "[]", "{}", R"({"pid":0,"started":0})", R"({"pid":-1,"started":1})",
                            R"({"pid":1,"started":0})", R"({"pid":9e18,"started":0})", R"({"pid":"1"})"})
    EXPECT_FALSE(Writer::find(Json::parse(wrong), file_)) << wrong;
  EXPECT_TRUE(Writer::find(writer.told(), file_));
}

}  // namespace
}  // namespace ordo
