#include "campaigns/collect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "datasets/harvest_store.h"
#include "experience/encode.h"
#include "experience/reader.h"
#include "notation/action.h"
#include "search/catalog/catalog.h"
#include "support/files.h"
#include "tests/unit/study/toy_host.h"

namespace ordo::campaigns {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Knows a program that is too large and one whose baseline cannot be measured in one of the metrics.
class Host final : public study::Host {
 public:
  Result<std::unique_ptr<study::Site>> openSite() override { return toys_.openSite(); }
  Result<study::Subject> prepare(const std::string& uri) override {
    ++prepared;
    if (uri == "toy/large" || uri == "toy/half") {
      study::Subject subject = study::toySubject(30, uri);
      if (uri == "toy/large") subject.program.references.push_back({"initial", "ir_instructions", 9000});
      if (uri == "toy/large") return subject;
      subject.program.references.push_back({"initial", "cost", 301});
      return subject;
    }
    ORDO_TRY_ASSIGN(study::Subject subject, toys_.prepare(uri));
    subject.program.references.push_back({"clang-Oz", "cost", 123});
    return subject;
  }

  std::atomic<int> prepared = 0;

 private:
  study::ToyHost toys_;
};

class CollectTest : public testing::Test {
 protected:
  CollectTest() {
    header_.backend = "toy";
    header_.baseline = "clang-Oz";
    header_.budget = "60evals";
    header_.max_length = 10;
    header_.max_instructions = 5000;
    header_.best = 3;
    for (const env::Action& action : study::toySubject(1).spec.actions)
      header_.actions.push_back(action.name);
    header_.observations = {{"counters", 1, DType::kInt64, 4}};
    options_.programs = {"toy/30", "toy/50"};
    options_.searchers = {search::find("random"), search::find("greedy")};
    options_.objectives = {{.metric = "count", .screen = ""}, {.metric = "cost", .screen = "count"}};
    options_.metrics = {"count", "cost"};
    options_.budget = {.evaluations = 60};
    options_.note = [&](std::string_view text) { notes_ += std::string(text) + "\n"; };
  }

  Result<CollectProgress> collectInto(const std::string& name) {
    ORDO_TRY_ASSIGN(const auto writer, experience::Writer::open(dir_.path() / name, header_));
    return collect(host_, header_, *writer, options_);
  }

  // The records of a file in some order, without what they took.
  std::vector<std::string> records(const std::string& name) {
    std::vector<std::string> lines;
    auto reader = experience::Reader::open(dir_.path() / name);
    EXPECT_TRUE(reader);
    for (;;) {
      auto record = reader->next();
      EXPECT_TRUE(record) << record.error().message;
      if (!record || !*record) break;
      if (auto* const run = std::get_if<experience::Run>(&**record)) run->cpu_s = 0;
      lines.push_back(experience::encode(**record));
    }
    std::ranges::sort(lines);
    return lines;
  }

  TempDir dir_ = *TempDir::create();
  Host host_;
  experience::Header header_;
  CollectOptions options_;
  std::string notes_;
};

TEST_F(CollectTest, MakesEveryRunOnceHoweverManyAtATime) {
  const auto one = collectInto("one");
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(one->made, 8u);
  EXPECT_FALSE(one->stopped);
  options_.jobs = 3;
  ASSERT_TRUE(collectInto("three"));
  EXPECT_EQ(records("one").size(), 8u);
  EXPECT_TRUE(records("one") == records("three"));  // too long to print

  const int prepared = host_.prepared;
  const auto again = collectInto("one");
  EXPECT_EQ(again->made, 0u);
  EXPECT_EQ(again->done, 8u);
  EXPECT_EQ(host_.prepared, prepared) << "nothing is compiled for nothing";
  options_.seeds = 2;
  EXPECT_EQ(collectInto("one")->made, 8u);
}

TEST_F(CollectTest, WhatIsStoppedGoesOn) {
  std::atomic<bool> stop = false;
  options_.stop = &stop;
  options_.on_run = [&](const CollectProgress& progress, const experience::RunKey&) {
    if (progress.made == 3) stop = true;
    EXPECT_EQ(progress.total, 8u);
  };
  const auto first = collectInto("e");
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_TRUE(first->stopped);
  EXPECT_EQ(records("e").size(), 3u);
  stop = false;
  options_.on_run = {};
  const auto rest = collectInto("e");
  EXPECT_EQ(rest->done, 8u);
  EXPECT_FALSE(rest->stopped);
  ASSERT_TRUE(collectInto("whole"));
  EXPECT_TRUE(records("e") == records("whole"));  // too long to print
}

TEST_F(CollectTest, WhatAProgramIsToBlameForIsLeftOutAndRemembered) {
  options_.programs = {"toy/bad", "toy/30", "toy/large", "toy/half"};
  options_.jobs = 2;
  const auto first = collectInto("e");
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->done, 6u);
  EXPECT_EQ(first->left_out, 10u);
  EXPECT_THAT(notes_, HasSubstr("toy/bad is left out: no program\n"));
  EXPECT_THAT(notes_, HasSubstr("toy/large is left out: it has 9000 instructions, more than 5000\n"));
  EXPECT_THAT(notes_, HasSubstr("toy/half is left out for cost: cost of it under clang-Oz cannot"));
  notes_.clear();
  const int prepared = host_.prepared;
  const auto again = collectInto("e");
  EXPECT_EQ(again->left_out, 10u);
  EXPECT_EQ(again->made, 0u);
  EXPECT_EQ(host_.prepared, prepared);
  EXPECT_EQ(notes_, "");
}

TEST_F(CollectTest, OurOwnFailureEndsItAndKeepsWhatIsDone) {
  options_.programs = {"toy/30", "toy/broken", "toy/50"};
  EXPECT_EQ(collectInto("e").error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(records("e").size(), 4u);
  header_.actions.pop_back();
  options_.programs = {"toy/30"};
  EXPECT_EQ(collectInto("other").error().code, ErrorCode::kInternal) << "sequences would mean something else";
}

TEST(CollectHeaderTest, SaysWhatRunsHaveInCommon) {
  const env::BackendInfo info = *fakes::ToyBackend().describe();
  spaces::Space space;
  space.name = "small";
  space.actions = {{"a", notation::kPipeline, "a"}, {"b", notation::kPipeline, "b"}};
  CollectSettings settings;
  settings.observations = {"counters"};
  settings.budget = {.evaluations = 50, .passes = 1000};
  const auto header = collectHeader(info, space, settings);
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_THAT(header->actions, ElementsAre("a", "b", "clang-Oz"));
  EXPECT_EQ(header->budget, "50evals,1000passes");
  EXPECT_EQ(header->knowledge, "none");
  EXPECT_EQ(header->observations[0].width, 4u);
  settings.knowledge = "of others";
  EXPECT_EQ(collectHeader(info, space, settings)->knowledge, "of others");

  settings.observations = {"text"};
  EXPECT_THAT(collectHeader(info, space, settings).error().message, HasSubstr("text is none"));
  settings.observations = {"counter"};
  EXPECT_THAT(collectHeader(info, space, settings).error().message, HasSubstr("did you mean 'counters'"));
  settings.observations = {};
  settings.budget = {.seconds = 3};
  EXPECT_THAT(collectHeader(info, space, settings).error().message, HasSubstr("--budget 1000evals"));
  settings.budget = {};
  EXPECT_FALSE(collectHeader(info, space, settings));
}

TEST(TrainingProgramsTest, OnlyTheTrainingPartOfADatasetIsTaken) {
  const TempDir dir = *TempDir::create();
  ASSERT_TRUE(writeFile(dir.path() / "a.c", "int x;"));
  const std::string file = (dir.path() / "a.c").string();
  EXPECT_THAT(*trainingPrograms({file, file}), ElementsAre(file));
  EXPECT_EQ(trainingPrograms({file, "nowhere.c"}).error().code, ErrorCode::kNotFound);

  const auto manifest = datasets::loadHarvestManifest(dataDir());
  ASSERT_TRUE(manifest) << manifest.error().message;
  const datasets::HarvestStore store(dir.path() / "harvest");
  ASSERT_TRUE(store.prepare());
  const std::string bitcode = "BC\xC0\xDE";
  ASSERT_TRUE(store.addModule(hashBytes(bitcode), bitcode));
  ::setenv("ORDO_DATASETS", store.dir().c_str(), 1);
  for (const datasets::Split split :
       {datasets::Split::kTrain, datasets::Split::kValidation, datasets::Split::kTest}) {
    const auto package = std::ranges::find_if(manifest->packages, [&](const datasets::HarvestPackage& each) {
      return each.split == split && each.reserved.empty();
    });
    ASSERT_NE(package, manifest->packages.end());
    datasets::PackageRecord record;
    record.package = package->name;
    record.modules.push_back({"a.c", hashBytes(bitcode), "c", {}});
    ASSERT_TRUE(store.addRecord(record));
    const auto programs = trainingPrograms({fmt::format("debian/{}/a.c", package->name)});
    EXPECT_EQ(programs.has_value(), split == datasets::Split::kTrain) << package->name;
    EXPECT_TRUE(programs || programs.error().code == ErrorCode::kInvalidArgument);
  }
  ::unsetenv("ORDO_DATASETS");
}

}  // namespace
}  // namespace ordo::campaigns
