#include "web/follow_view.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "support/files.h"
#include "support/followed_file.h"

namespace ordo::web {
namespace {

constexpr const char* kBegin = R"({"event":"begin","program":"p","objective":"o","baseline":"b"})"
                               "\n";
constexpr const char* kBest =
    R"({"event":"best","compiles":2,"seconds":1.5,"value":7,"baseline":9,"actions":["a"]})"
    "\n";

class FollowViewTest : public testing::Test {
 protected:
  Endpoint endpoint(const std::string& name) {
    for (Endpoint& one : view_->endpoints()) {
      if (one.name == name) return one;
    }
    ADD_FAILURE() << name;
    return {};
  }
  void open(std::string_view text) {
    ASSERT_TRUE(writeFile(file_, text));
    view_ = *openFollowed(file_);
  }

  const TempDir dir_ = *TempDir::create();
  const std::filesystem::path file_ = dir_.path() / "told.jsonl";
  std::unique_ptr<View> view_;
};

TEST_F(FollowViewTest, TheFirstLineSaysWhatIsFollowed) {
  open("");
  EXPECT_EQ(view_->kind(), "tune");
  open(kBegin);
  EXPECT_EQ(view_->kind(), "tune");
  EXPECT_EQ(view_->title(), "told.jsonl");
  open("{\"stage\":\"clone\",\"epoch\":1,\"loss\":2}\n");
  EXPECT_EQ(view_->kind(), "train");
  open("{\"step\":1,\"loss\":2}\n");
  EXPECT_EQ(view_->kind(), "train");
  ASSERT_TRUE(writeFile(file_, "{\"event\":\"best\"}\n"));
  EXPECT_EQ(openFollowed(file_).error().code, ErrorCode::kCorrupt);
}

TEST_F(FollowViewTest, WhatIsNewIsToldAndAFileThatIsBegunAnewIsAnotherTuning) {
  open(kBegin);
  const Endpoint journal = endpoint("journal");
  EXPECT_EQ((*journal.answer(nullptr))["best"].size(), 0u);
  ASSERT_TRUE(writeFile(file_, std::string(kBegin) + kBest + kBest));
  EXPECT_EQ((*journal.answer(nullptr))["best"].size(), 2u);
  ASSERT_TRUE(writeFile(file_, std::string(kBest) + kBegin));
  const Json told = *journal.answer(nullptr);
  EXPECT_EQ(told["best"].size(), 0u);
  EXPECT_EQ(told["programs"], 1);
  EXPECT_EQ(told["writer"], "unknown");
}

TEST_F(FollowViewTest, WhoFollowsIsToldUntilNobodyWritesIt) {
  open(std::string(kBegin) + kBest);
  const Endpoint follow = endpoint("follow");
  EXPECT_FALSE(follow.check(Json::parse(R"({"more":1})")));
  ASSERT_TRUE(follow.check(Json::object()));
  std::vector<std::string> events;
  ASSERT_TRUE(follow.stream(Json::object(), [&](std::string_view event, const Json&) {
    events.emplace_back(event);
    return true;
  }));
  EXPECT_EQ(events, (std::vector<std::string>{"told", "done"}));
}

TEST_F(FollowViewTest, AProcessThatTheFileOnlyNamesIsNotSignalled) {
  // This process has the file open for writing, but the view takes nobody for itself; the parent does not
  // have it.
  Json writer = thisWriter();
  for (const std::int64_t pid : {std::int64_t{::getpid()}, std::int64_t{::getppid()}, std::int64_t{1}}) {
    writer["pid"] = pid;
    open(writeJson({{"event", "writer"}, {"writer", writer}}) + "\n");
    const std::ofstream held(file_, std::ios::app);
    const Result<Json> stopped = endpoint("stop").answer(Json::object());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::kUnsupported);
    EXPECT_EQ((*endpoint("journal").answer(nullptr))["writer"], "gone");
  }
  EXPECT_EQ(endpoint("stop").answer(Json::array()).error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace ordo::web
