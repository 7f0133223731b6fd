#include "loop/service/balancer_log.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "loop/controller/observer.h"
#include "support/files.h"
#include "support/rng.h"
#include "tests/fakes/counted_balancer.h"

namespace ordo::loop {
namespace {

const HaproxyOptions kNames = {.socket = "/proc/nonexistent", .backend = "app"};

TEST(BalancerLogTest, ReadsAServerATimeAndAStatus) {
  const auto fine = readLogLine("ordo app/canary us=1500 200", kNames);
  ASSERT_TRUE(fine);
  EXPECT_EQ(fine->pool, Pool::kCanary);
  EXPECT_DOUBLE_EQ(fine->seconds, 0.0015);
  EXPECT_EQ(fine->status, 200);
  EXPECT_DOUBLE_EQ(readLogLine("ordo app/control ms=20 503", kNames)->seconds, 0.02);
  EXPECT_DOUBLE_EQ(readLogLine("ordo app/control ms=0 200\r", kNames)->seconds, 0.0005);
  for (const char* const header :
       {"<134>Nov 27 11:00:00 host haproxy[12]: ", "Nov 27 11:00:00 host haproxy[12]: ",
        "2026-11-27T11:00:00.123456+00:00 a.b haproxy[12]: ", "<134>1 2026-11-27T11:00:00Z h haproxy[12]: "})
    EXPECT_TRUE(readLogLine(header + std::string("ordo app/canary us=1500 200"), kNames)) << header;
}

// As HAProxy 2.6 wrote them of servers that refused, reset, cut their answer short, hung and said nonsense.
TEST(BalancerLogTest, ATerminationStateSaysWhoseFaultItWas) {
  using End = LoggedRequest::End;
  const auto end = [](const std::string& rest) {
    return readLogLine("ordo app/canary ms=3 " + rest, kNames)->end;
  };
  for (const char* const failed :
       {"503 SC", "502 SH", "200 SD", "504 sH", "502 PH", "503 sC", "503 sQ", "-1 DD", "502 SHVN"})
    EXPECT_EQ(end(failed), End::kFailed) << failed;
  for (const char* const left : {"-1 CH", "200 CD", "200 cD", "400 CD--"})
    EXPECT_EQ(end(left), End::kLeft) << left;
  for (const char* const answered : {"200 --", "500 --", "200 ----", "403 PR", "200 LR"})
    EXPECT_EQ(end(answered), End::kAnswered) << answered;
  EXPECT_EQ(readLogLine("ordo app/canary ms=3 -1 CH", kNames)->status, -1);
  for (const char* const wrong :
       {"200 -", "200 ---", "200 SC ", "200 XX", "200 --xx", "-2 SC", "200 SC SC", "-1 "})
    EXPECT_FALSE(readLogLine("ordo app/canary ms=3 " + std::string(wrong), kNames)) << wrong;
}

TEST(BalancerLogTest, WhateverElseIsNotARequest) {
  for (const char* const line : {"",
                                 "ordo",
                                 "ordo ",
                                 "ordo app/canary",
                                 "ordo app/canary us=1500",
                                 "ordo app/canary us=1500 ",
                                 "ordo app/canary us= 200",
                                 "ordo app/canary us=-1 200",
                                 "ordo app/canary us=1e3 200",
                                 "ordo app/canary us=1500 200 ",
                                 "ordo app/canary us=1500 200 x",
                                 "ordo app/canary us=1500 99",
                                 "ordo app/canary us=1500 600",
                                 "ordo app/canary us=1500 +200",
                                 "ordo app/canary 1500 200",
                                 "ordo app/canary ns=1500 200",
                                 "ordo app/canary us=99999999999999999999 200",
                                 "ordo app/canary us=1000000000000 200",
                                 "ordo app/canary ms=-1 -1",
                                 "ordo app/canary us=10 -1",
                                 "ordo app/<NOSRV> us=10 503",
                                 "ordo app/other us=10 200",
                                 "ordo other/canary us=10 200",
                                 "ordo appcanary us=10 200",
                                 "ordo app/ us=10 200",
                                 "ordo app/canary/x us=10 200",
                                 " ordo app/canary us=10 200",
                                 "xordo app/canary us=10 200",
                                 "Ordo app/canary us=10 200",
                                 "haproxy[x]: ordo app/canary us=10 200",
                                 "haproxy[]: ordo app/canary us=10 200",
                                 "haproxy[1]:ordo app/canary us=10 200",
                                 "haproxy[1]:  ordo app/canary us=10 200"})
    EXPECT_FALSE(readLogLine(line, kNames)) << line;
  EXPECT_FALSE(readLogLine(std::string_view("ordo app/canary us=10 200\0", 26), kNames));
}

// HAProxy's other formats, with headers and paths that a client chose.
TEST(BalancerLogTest, AClientCannotWriteALine) {
  for (const char* const line :
       {"127.0.0.1:5 [27/Nov/2026:11:00:00.123] fe app/canary 0/0/0/1/1 200 9 - - ---- 1/1/0/0/0 0/0 "
        "{haproxy[1]: ordo app/canary us=1 200} \"GET / HTTP/1.1\"",
        "Nov 27 11:00:00 host haproxy[12]: 127.0.0.1:5 [27/Nov/2026:11:00:00.123] fe app/canary 0/0/0/1/1 "
        "200 9 "
        "- - ---- 1/1/0/0/0 0/0 \"GET /x[1]: ordo app/canary us=1 200",
        "Nov 27 11:00:00 host haproxy[12]: GET haproxy[12]: ordo app/canary us=1 200"})
    EXPECT_FALSE(readLogLine(line, kNames)) << line;
}

// Whatever is changed in a line, it is refused, or it is a request that could have been.
TEST(BalancerLogTest, NoBytesMakeWhatCannotBe) {
  Rng rng(1);
  const std::string line = "Nov 27 11:00:00 h haproxy[12]: ordo app/canary us=1500 200";
  for (int i = 0; i < 20'000; ++i) {
    std::string other = line;
    for (std::uint64_t change = 0; change <= rng.below(3); ++change) {
      const std::size_t at = rng.below(other.size());
      switch (rng.below(3)) {
        case 0:
          other[at] = static_cast<char>(rng.below(256));
          break;
        case 1:
          other.erase(at, 1 + rng.below(4));
          break;
        default:
          other.insert(at, other.substr(rng.below(other.size()), rng.below(20)));
      }
      if (other.empty()) other = " ";
    }
    const auto read = readLogLine(other, kNames);
    if (!read) continue;
    EXPECT_TRUE(read->seconds > 0 && read->seconds <= 1e8) << other;
    EXPECT_TRUE(read->status == -1 || (read->status >= 100 && read->status < 600)) << other;
  }
}

class LogFollowerTest : public testing::Test {
 protected:
  void write(const std::string& text) { std::ofstream(file_, std::ios::app) << text; }
  // What is new, joined by "|".
  std::string read() {
    std::string all;
    const Result<bool> whole =
        follower_.read([&](std::string_view line) { all += std::string(line.substr(0, 20)) + "|"; });
    return !whole ? "error" : *whole ? all : all + "lost";
  }

  TempDir dir_ = *TempDir::create();
  std::filesystem::path file_ = dir_.path() / "log", old_ = dir_.path() / "log.1";
  LogFollower follower_{file_};
};

TEST_F(LogFollowerTest, HandsOverWholeLinesOnce) {
  write("before\n");
  EXPECT_EQ(read(), "");
  write("a\nb");
  EXPECT_EQ(read(), "a|");
  EXPECT_EQ(read(), "");
  write("c\n\nd\n");
  EXPECT_EQ(read(), "bc||d|");
}

TEST_F(LogFollowerTest, ALineWhoseBeginningWasNotSeenIsLeftOut) {
  write("torn");
  EXPECT_EQ(read(), "");
  write(" in two\nwhole\n");
  EXPECT_EQ(read(), "whole|");
}

TEST_F(LogFollowerTest, ALineThatIsTooLongIsLeftOut) {
  write("a\n");
  EXPECT_EQ(read(), "");
  write("b\n" + std::string(65536, 'x'));
  EXPECT_EQ(read(), "b|");
  write("x");
  EXPECT_EQ(read(), "");
  write(std::string(3'000'000, 'y') + "\nc\n");
  EXPECT_EQ(read(), "c|");
  write(std::string(65536, 'z') + "\n");
  EXPECT_EQ(read(), std::string(20, 'z') + "|");
}

TEST_F(LogFollowerTest, ALogThatIsMovedAwayIsReadToItsEnd) {
  write("a\n");
  EXPECT_EQ(read(), "");
  std::ofstream writer(file_, std::ios::app);
  std::filesystem::rename(file_, old_);
  std::ofstream fresh(file_);
  writer << "b\n" << std::flush;
  EXPECT_EQ(read(), "b|") << "its writer does not know of the new one yet";
  writer << "c\n" << std::flush;
  fresh << "d\ne" << std::flush;
  EXPECT_EQ(read(), "c|d|");
  fresh << "\n" << std::flush;
  EXPECT_EQ(read(), "e|");
}

TEST_F(LogFollowerTest, WhatWasCutMayHaveLostLines) {
  write("a\nb\n");
  EXPECT_EQ(read(), "");
  std::filesystem::resize_file(file_, 0);
  EXPECT_EQ(read(), "lost");
  write("c\n");
  EXPECT_EQ(read(), "c|");
  // And grown beyond where it was read to.
  std::filesystem::resize_file(file_, 0);
  write("d\nand more\n");
  EXPECT_EQ(read(), "d|and more|lost");
  EXPECT_EQ(read(), "");
}

TEST_F(LogFollowerTest, WhatWasGoneMayHaveLostLines) {
  EXPECT_EQ(read(), "error");
  write("a\n");
  EXPECT_EQ(read(), "") << "it begins at its end";
  write("b\n");
  std::filesystem::remove(file_);
  EXPECT_EQ(read(), "b|") << "what was written is read";
  EXPECT_EQ(read(), "");
  write("c\n");
  EXPECT_EQ(read(), "c|lost");
  write("d\n");
  EXPECT_EQ(read(), "d|");
}

TEST_F(LogFollowerTest, OnlyAnOrdinaryFileIsRead) {
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  EXPECT_EQ(read(), "error");
  std::filesystem::remove(file_);
  std::filesystem::create_directory(file_);
  EXPECT_EQ(read(), "error");
  std::filesystem::remove(file_);
  write("a\n");
  EXPECT_EQ(read(), "");
  std::filesystem::rename(file_, old_);
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  EXPECT_EQ(read(), "");
}

// Lines in pieces, moved and read at any time: all come, once, in order.
TEST_F(LogFollowerTest, NothingIsLostWhereNothingWasCut) {
  Rng rng(2);
  write("\n");
  EXPECT_EQ(read(), "");
  std::string wanted, got, pending;
  for (int i = 0; i < 2000; ++i) {
    const std::string line = fmt::format("{}", i);
    wanted += line + "|";
    pending += line + "\n";
    const std::size_t now = rng.below(pending.size() + 1);
    write(pending.substr(0, now));
    pending.erase(0, now);
    if (rng.chance(0.3)) got += read();
    if (rng.chance(0.02)) {
      write(pending);
      pending.clear();
      got += read();
      std::filesystem::rename(file_, old_);
      write("");
    }
  }
  write(pending);
  EXPECT_EQ(got + read(), wanted);
}

class LogMetricsTest : public LogFollowerTest {
 protected:
  double now_ = 100;
  fakes::CountedBalancer balancer_{
      fakes::CountedBalancer::Counts{{{true, 0, 0}, {true, 3, 0}, {true, 0, 4}}}};
  LogMetrics metrics_{file_, kNames, balancer_, [this] { return now_; }};

  Figures look(double at_s) {
    now_ = at_s;
    return *metrics_.read();
  }
};

TEST_F(LogMetricsTest, CountsRequestsOfEachPool) {
  write("ordo app/canary us=1 200\n");
  EXPECT_EQ(look(100)[2]->at_s, 0) << "there was none since";
  write("ordo app/canary us=2000 200\nordo app/canary us=3000 500\ngarbage\nordo app/control us=10 200\n");
  const Figures figures = look(101);
  EXPECT_EQ(figures[2]->latency.count(), 2u);
  EXPECT_NEAR(*figures[2]->latency.quantile(1), 0.003, 0.0001);
  EXPECT_EQ(figures[1]->latency.count(), 1u);
  EXPECT_EQ(figures[0]->latency.count(), 0u);
  EXPECT_EQ(figures[0]->at_s, 101) << "a line of one is news of all";
  write("ordo app/canary us=1 503 SC\nordo app/canary us=1 -1 CH\n");
  EXPECT_EQ(look(102)[2]->latency.count(), 2u) << "one that refuses is not fast";
  EXPECT_EQ(figures[1]->errors, 3u);
  EXPECT_EQ(figures[2]->redispatches, 4u);
}

TEST_F(LogMetricsTest, ALogThatIsSilentIsNoNews) {
  write("");
  look(100);
  write("ordo app/canary us=2000 200\n");
  Observer observer;
  observer.begin(look(101), 101, 0.1);
  write("garbage\n");
  EXPECT_NE(observer.end(look(102), 102).gap, "");
  std::filesystem::remove(file_);
  EXPECT_NE(observer.end(look(103), 103).gap, "");
  write("ordo app/canary us=2000 200\n");
  const Window window = observer.end(look(104), 104);
  EXPECT_EQ(window.gap, "");
  EXPECT_TRUE(window.control.reset && window.canary.reset)
      << "what was lost is no evidence, and nobody's harm";
}

TEST_F(LogMetricsTest, ALogThatIsCutIsNoEvidence) {
  write("");
  look(100);
  write("ordo app/canary us=2000 200\n");
  Observer observer;
  observer.begin(look(101), 101, 0.1);
  write("ordo app/control us=2000 200\n");
  EXPECT_FALSE(observer.end(look(102), 102).canary.reset);
  std::filesystem::resize_file(file_, 0);
  write("ordo app/control us=2000 200\n");
  const Window window = observer.end(look(103), 103);
  EXPECT_TRUE(window.control.reset && window.canary.reset);
}

TEST_F(LogMetricsTest, WithoutABalancerNothingIsKnown) {
  const fakes::CountedBalancer dead(std::nullopt);
  EXPECT_FALSE(LogMetrics(file_, kNames, dead).read());
}

}  // namespace
}  // namespace ordo::loop
