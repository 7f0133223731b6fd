#include "campaigns/yardstick.h"

#include <gtest/gtest.h>

#include <cmath>

#include "policy/encoder.h"
#include "tests/unit/study/toy_host.h"

namespace ordo::campaigns {
namespace {

// Says how large programs are.
class SizedHost final : public study::Host {
 public:
  Result<std::unique_ptr<study::Site>> openSite() override { return toy_.openSite(); }
  Result<study::Subject> prepare(const std::string& uri) override {
    ORDO_TRY_ASSIGN(study::Subject subject, toy_.prepare(uri));
    subject.program.references.push_back({"initial", "ir_instructions", std::stod(uri.substr(4))});
    return subject;
  }

 private:
  study::ToyHost toy_;
};

class YardstickTest : public testing::Test {
 protected:
  YardstickTest() {
    const auto subject = host_.prepare("toy/100");
    for (const env::Action& action : subject->spec.actions) header_.actions.push_back(action.name);
  }

  std::uint32_t action(const std::string& name) const {
    return static_cast<std::uint32_t>(std::ranges::find(header_.actions, name) - header_.actions.begin());
  }

  // On programs of the experience with these names.
  Result<Yardstick> open(const std::vector<std::string>& uris, const YardstickOptions& options = {}) {
    std::vector<experience::Run> runs;
    for (const std::string& uri : uris) runs.emplace_back().key.uri = uri;
    Rng rng(1);
    return Yardstick::open(stage_, header_, runs, options, rng);
  }

  SizedHost host_;
  Stage stage_{host_, {.stop = nullptr}};
  experience::Header header_;
};

// The baseline takes 2, and 2 more of what is even then.
TEST_F(YardstickTest, CostsAreInUnitsOfTheBaseline) {
  auto yardstick = open({"toy/100"});
  ASSERT_TRUE(yardstick);
  const auto costs = yardstick->costs("count", {{action("dec")}, {action("crash")}}, 1);
  ASSERT_TRUE(costs) << costs.error().message;
  EXPECT_DOUBLE_EQ((*costs)[0][0], 99.0 / 96);
  EXPECT_TRUE(std::isinf((*costs)[1][0])) << "a failure is as bad as can be";
}

TEST_F(YardstickTest, OutcomesAreCostsAndWhatIsSeenOfTheProgram) {
  auto yardstick = open({"toy/100"});
  const auto outcomes =
      yardstick->outcomes("count", "autophase", {{action("dec")}, {action("halve-if-multiple-of-4")}});
  ASSERT_TRUE(outcomes) << outcomes.error().message;
  ASSERT_EQ(outcomes->size(), 1u);
  const search::Outcome& half = outcomes->front().at(1);
  EXPECT_DOUBLE_EQ(half.cost, 50.0 / 96);
  EXPECT_EQ(half.counts.size(), policy::kInputs.front().width);
  EXPECT_DOUBLE_EQ(half.counts.at(policy::kTotalInsts), 50.0 / 96) << "also in units of the baseline";
}

TEST_F(YardstickTest, AProgramOnWhichOneFailsHasNoOutcomes) {
  auto yardstick = open({"toy/100"});
  const auto outcomes = yardstick->outcomes("count", "autophase", {{action("dec")}, {action("crash")}});
  ASSERT_TRUE(outcomes);
  EXPECT_TRUE(outcomes->empty());
}

TEST_F(YardstickTest, AreOnProgramsThatSuit) {
  const std::vector<std::string> uris{"toy/60", "toy/70 enabled", "toy/80", "toy/bad"};
  EXPECT_EQ(open(uris)->programs(), 3u) << "one cannot be made ready";
  EXPECT_EQ(open(uris)->packages(), std::set<std::string>{"file"}) << "of no dataset";
  EXPECT_EQ(open(uris, {.programs = 2})->programs(), 2u);
  EXPECT_EQ(open(uris, {.kind = "linkonce"})->programs(), 1u);
  EXPECT_EQ(open(uris, {.from = {"toy/90"}})->programs(), 1u) << "those of the experience are not asked for";
  EXPECT_EQ(open(uris, {.max_instructions = 70})->programs(), 2u);
  EXPECT_EQ(open(uris, {.max_instructions = 59}).error().code, ErrorCode::kNotFound);
  header_.actions.pop_back();
  EXPECT_EQ(open(uris).error().code, ErrorCode::kNotFound) << "the experience is of other actions";
}

TEST_F(YardstickTest, SayHowTheyStand) {
  std::string last;
  auto yardstick = open({"toy/60", "toy/80"}, {.progress = [&](std::string_view text) { last = text; }});
  yardstick->say("try");
  ASSERT_TRUE(yardstick->costs("count", {{action("dec")}}, 2));
  EXPECT_EQ(last, "count: try; 1 sequences on 2 of 2 programs");
}

}  // namespace
}  // namespace ordo::campaigns
