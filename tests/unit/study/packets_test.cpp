#include "study/packets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "support/files.h"
#include "tests/unit/study/toy_host.h"

namespace ordo::study {
namespace {

using testing::HasSubstr;

// Makes packets here, one after the other, and hands them back in the other order.
class ToyCourier final : public Courier {
 public:
  explicit ToyCourier(const Plan& plan) : plan_(plan) {}

  bool hasRoom() override { return away_.size() < 2; }

  Status send(std::size_t number, const RunPacket& packet) override {
    Plan plan = plan_;
    plan.programs = {{packet.front().program, "elsewhere"}};
    std::erase_if(plan.objectives, [&](const auto& one) { return one.metric != packet.front().objective; });
    std::erase_if(plan.methods, [&](const Method& method) {
      return std::ranges::none_of(packet, [&](const RunKey& key) { return key.method == method.name; });
    });
    plan.first_seed = packet.front().seed;
    plan.seeds = 1;
    const std::filesystem::path file = dir_.path() / std::to_string(number);
    {
      auto writer = StudyWriter::open(file, settings, {});
      ToyHost host;
      EXPECT_TRUE(runPlan(host, **writer, plan, {}));
    }
    away_.push_front({number, *readStudy(file)});
    return {};
  }

  Result<Arrival> receive() override {
    if (failing == 0) return fail(ErrorCode::kUnavailable, "the cluster is gone");
    --failing;
    Arrival arrival = std::move(away_.front());
    away_.pop_front();
    return arrival;
  }

  Settings settings = toySettings();
  int failing = 1000;  // after so many

 private:
  const Plan plan_;
  TempDir dir_ = *TempDir::create();
  std::deque<Arrival> away_;
};

class PacketsTest : public testing::Test {
 protected:
  Result<Outcome> run(const Plan& plan, ToyCourier& courier) {
    auto writer = StudyWriter::open(file_, toySettings(), {});
    EXPECT_TRUE(writer) << writer.error().message;
    return runPackets(courier, **writer, toySettings(), plan, {});
  }

  TempDir dir_ = *TempDir::create();
  const std::filesystem::path file_ = dir_.path() / "s.sqlite";
};

TEST_F(PacketsTest, APacketIsOfOneProgramObjectiveAndSeed) {
  const Plan plan = toyPlan({"toy/100", "toy/60"});
  const std::vector<RunPacket> packets = packetsOf(plan, {});
  std::vector<RunKey> all;
  for (const RunPacket& packet : packets) {
    for (const RunKey& key : packet) {
      EXPECT_EQ(key.program, packet.front().program);
      EXPECT_EQ(key.seed, packet.front().seed);
      all.push_back(key);
    }
  }
  EXPECT_EQ(all, plan.runs());
  EXPECT_EQ(packets.size(), 4u);
  EXPECT_EQ(packetsOf(plan, {all.begin(), all.end() - 1}), std::vector<RunPacket>{{all.back()}});
}

TEST_F(PacketsTest, TheRunsAreThoseThatAreMadeHere) {
  const Plan plan = toyPlan({"toy/100", "toy/60"});
  ToyCourier courier(plan);
  const auto outcome = run(plan, courier);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->progress.made, 8u);
  const Study made = *readStudy(file_);

  auto writer = StudyWriter::open(dir_.path() / "here", toySettings(), {});
  ToyHost host;
  ASSERT_TRUE(runPlan(host, **writer, plan, {}));
  const Study here = *readStudy(dir_.path() / "here");
  ASSERT_EQ(made.runs.size(), here.runs.size());
  for (std::size_t i = 0; i < here.runs.size(); ++i) {
    EXPECT_EQ(made.runs[i].key, here.runs[i].key);
    EXPECT_EQ(made.runs[i].statistics.passes, here.runs[i].statistics.passes);
    EXPECT_EQ(made.runs[i].improvements.size(), here.runs[i].improvements.size());
  }
  ASSERT_EQ(made.programs.size(), here.programs.size());
  EXPECT_EQ(made.programs.front().suite, here.programs.front().suite);
}

TEST_F(PacketsTest, GoesOnWhereTheClusterWasLost) {
  const Plan plan = toyPlan({"toy/100", "toy/60"});
  ToyCourier lost(plan);
  lost.failing = 2;
  EXPECT_THAT(run(plan, lost).error().message, HasSubstr("the cluster is gone"));
  ToyCourier again(plan);
  const auto outcome = run(plan, again);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->progress.made, 4u);
  EXPECT_EQ(readStudy(file_)->runs.size(), 8u);
}

TEST_F(PacketsTest, WhatWasMadeWithAnotherCompilerIsRefused) {
  const Plan plan = toyPlan({"toy/60"});
  ToyCourier courier(plan);
  courier.settings.backend = "llvm 23";
  const auto outcome = run(plan, courier);
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message, HasSubstr("llvm 23"));
  EXPECT_TRUE(readStudy(file_)->runs.empty());
}

}  // namespace
}  // namespace ordo::study
