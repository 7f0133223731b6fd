#include "web/loop_view.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "loop/service/settings.h"
#include "loop/store/store.h"
#include "support/files.h"

namespace ordo::web {
namespace {

class LoopViewTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(writeFile(file_, std::string(loop::settingsTemplate())));
    auto store = loop::Store::open(dir_.path() / "loop.sqlite", true);
    ASSERT_TRUE(store) << store.error().message;
    store_.emplace(*std::move(store));
    ASSERT_TRUE(store_->lease("me", 0, 1000));
    auto view = openLoop(file_);
    ASSERT_TRUE(view) << view.error().message;
    view_ = *std::move(view);
  }

  Result<Json> ask(std::string_view name, const Json& body = nullptr) {
    const std::vector<Endpoint> endpoints = view_->endpoints();
    return std::ranges::find(endpoints, name, &Endpoint::name)->answer(body);
  }

  TempDir dir_ = *TempDir::create();
  std::filesystem::path file_ = dir_.path() / "loop.toml";
  std::optional<loop::Store> store_;
  std::unique_ptr<View> view_;
};

TEST_F(LoopViewTest, OfALoopThatHasNotBegunThereAreCandidatesOnly) {
  const Json status = *ask("status");
  EXPECT_TRUE(status["experiments"].empty());
  EXPECT_TRUE(status["budget"]["curve"].empty());
  EXPECT_EQ(status["budget"]["left"], 1);
  EXPECT_EQ(status["controller"], false);
  EXPECT_EQ(status["candidates"].size(), loop::loadSettings(file_)->candidates.size() + 1);
}

TEST_F(LoopViewTest, AnExperimentHasItsStepsAndWindowsAsTheControllerWritesThem) {
  loop::Experiment experiment{.id = "abc", .candidate = "fast", .probability = 0.25, .policy = "p1"};
  ASSERT_TRUE(store_->add("me", experiment));
  experiment.state = loop::State::kBuilt;
  experiment.cause = "because";
  ASSERT_TRUE(store_->advance("me", loop::State::kProposed, experiment, 7));
  loop::Window window{.begin_s = 10, .end_s = 20, .share = 0.1};
  window.control.latency.add(0.010, 400);
  window.canary.errors = 3;
  ASSERT_TRUE(store_->addWindow("me", "abc", window));
  EXPECT_EQ((*ask("status"))["experiments"][0]["state"], "built");

  const Json seen = *ask("experiment", {{"id", "abc"}});
  EXPECT_EQ(seen["steps"][0]["cause"], "because");
  ASSERT_EQ(seen["windows"].size(), 1u);
  const Json& control = seen["windows"][0]["control"];
  EXPECT_NEAR(control["value"].get<double>(), 0.010, 0.0005);
  EXPECT_LE(control["low"], control["value"]);
  EXPECT_GE(control["high"], control["value"]);
  EXPECT_EQ(control["requests"], 400);
  EXPECT_TRUE(seen["windows"][0]["canary"]["value"].is_null()) << "nothing was answered";
  EXPECT_EQ(seen["windows"][0]["canary"]["errors"], 3);
}

TEST_F(LoopViewTest, WhatIsAskedWronglyIsRefused) {
  EXPECT_EQ(ask("experiment", {{"id", "none"}}).error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(ask("experiment", {{"id", 1}}));
  EXPECT_FALSE(ask("experiment", {{"id", "x"}, {"more", 1}}));
  EXPECT_EQ(openLoop(dir_.path() / "no.toml").error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace ordo::web
