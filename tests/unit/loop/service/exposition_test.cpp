#include "loop/service/exposition.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "support/files.h"

namespace ordo::loop {
namespace {

class LoopExpositionTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(store_.lease("me", 0, 100)); }

  // One that has ended so.
  void add(const std::string& id, const std::string& candidate, Outcome outcome) {
    Experiment experiment{.id = id, .candidate = candidate, .created_s = 1};
    ASSERT_TRUE(store_.add("me", experiment));
    experiment.outcome = outcome;
    experiment.state = State::kEnded;
    ASSERT_TRUE(store_.advance("me", State::kProposed, experiment, 2));
    Reward reward;
    reward.verdict = outcome == Outcome::kPromoted ? Verdict::kPromote : Verdict::kReject;
    reward.value = 0.25;
    reward.error = 0.01;
    reward.why = "because";
    ASSERT_TRUE(store_.addReward("me", id, reward, false, 3));
    experiment.state = State::kClosed;
    ASSERT_TRUE(store_.advance("me", State::kEnded, experiment, 4));
  }
  std::string metrics() { return *metricsText(settings_, store_, 50); }

  Settings settings_ = *parseSettings(settingsTemplate(), "/tmp/loop.toml");
  Store store_ = *Store::open(":memory:", true);
};

TEST_F(LoopExpositionTest, CountsWhatIsOverAndSaysWhatIsOpen) {
  add("one", "O2", Outcome::kPromoted);
  ASSERT_TRUE(store_.setProduction("me", "O2", "/O2"));
  ASSERT_TRUE(store_.add("me", {.id = "two", .candidate = "O1", .created_s = 5}));
  ASSERT_TRUE(store_.spend("me", {40, 1000, 2}));
  const std::string text = metrics();
  for (const char* line :
       {"ordo_loop_controller_running 1\n", "ordo_loop_experiments_total{outcome=\"promoted\"} 1\n",
        "ordo_loop_experiments_total{outcome=\"rolled back\"} 0\n", "ordo_loop_requests_total 1000\n",
        "ordo_loop_bad_requests_total 2\n",
        "ordo_loop_production_info{candidate=\"O2\",toolchain=\"clang-22\"} 1\n",
        "ordo_loop_experiment_state{experiment=\"two\",candidate=\"O1\",state=\"proposed\"} 1\n",
        "# TYPE ordo_loop_experiments_total counter\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  EXPECT_NE(metricsText(settings_, store_, 150)->find("ordo_loop_controller_running 0\n"), std::string::npos);
}

// Another program may have written to the store.
TEST_F(LoopExpositionTest, NamesOfOthersAreOnlyText) {
  ASSERT_TRUE(store_.add("me", {.id = "x", .candidate = "a\"} 1\nevil{b=\"\\", .created_s = 5}));
  EXPECT_NE(metrics().find("candidate=\"a\\\"} 1\\nevil{b=\\\"\\\\\""), std::string::npos);
  EXPECT_EQ(metrics().find("\nevil"), std::string::npos);
}

TEST_F(LoopExpositionTest, AVerdictIsPendingUntilThereIsAReward) {
  EXPECT_EQ(verdictOn(settings_, store_, "").error().code, ErrorCode::kNotFound);
  add("one", "O2", Outcome::kPromoted);
  ASSERT_TRUE(store_.add("me", {.id = "two", .candidate = "O1", .created_s = 5}));
  const Json open = *verdictOn(settings_, store_, "");
  EXPECT_EQ(open["experiment"], "two");
  EXPECT_EQ(open["verdict"], "pending");
  EXPECT_TRUE(open["reward"].is_null());
  const Json over = *verdictOn(settings_, store_, "one");
  EXPECT_EQ(over["verdict"], "promote");
  EXPECT_EQ(over["reward"], 0.25);
  EXPECT_EQ(over["outcome"], "promoted");
  EXPECT_EQ(verdictOn(settings_, store_, "three").error().code, ErrorCode::kNotFound);
}

// What we ship for Grafana and for Prometheus' alerts asks for what is exposed.
TEST_F(LoopExpositionTest, DashboardAndAlertsAskForWhatIsThere) {
  add("one", "O2", Outcome::kPromoted);
  const std::string text = metrics();
  const std::regex name("ordo_loop_[a-z_]+");
  for (const char* file : {"examples/loop/dashboard.json", "examples/loop/alerts.yml"}) {
    const std::string asked = *readFile(std::filesystem::path(ORDO_SOURCE_DIR) / file);
    std::set<std::string> names;
    for (std::sregex_iterator at(asked.begin(), asked.end(), name), end; at != end; ++at)
      names.insert(at->str());
    EXPECT_GT(names.size(), 3u) << file;
    for (const std::string& each : names)
      EXPECT_NE(text.find("# TYPE " + each + " "), std::string::npos) << file << ": " << each;
  }
  EXPECT_TRUE(
      parseJson(*readFile(std::filesystem::path(ORDO_SOURCE_DIR) / "examples/loop/dashboard.json"), "it"));
}

}  // namespace
}  // namespace ordo::loop
