#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/study_file.h"
#include "support/files.h"
#include "support/rng.h"
#include "support/sqlite.h"
#include "tests/unit/study/toy_host.h"

namespace ordo::study {
namespace {

TEST(StudyReaderTest, EverythingThatIsWrittenIsRead) {
  const TempDir dir = *TempDir::create();
  const std::filesystem::path file = dir.path() / "s.sqlite";
  ToySite site;
  const Subject subject = toySubject(1000);
  study::Run run = *runMethod(site, subject, toyOptions("random", 50));
  run.failure = "made up";
  run.start_cpu_s = 0.25;
  run.talk =
      Talk{"the model submitted", true, "why", {"dec", "inc"}, 7, 3, 4, 1, 100, 20, 1e9, "the model", 2, 5};
  run.statistics.failures[static_cast<std::size_t>(env::StepStatus::kCrashed)] = 3;
  const auto writer = *StudyWriter::open(file, toySettings(), {{"machine", "a small one"}});
  ASSERT_TRUE(writer->add(subject.program));
  ASSERT_TRUE(writer->add(run));

  const Result<Study> study = readStudy(file);  // while it is being written
  ASSERT_TRUE(study) << study.error().message;
  EXPECT_TRUE(study->in_progress);
  EXPECT_EQ(study->settings, toySettings());
  EXPECT_EQ(study->notes, (Notes{{"machine", "a small one"}}));
  ASSERT_NE(study->program("toy/a"), nullptr);
  EXPECT_EQ(study->program("toy/b"), nullptr);
  EXPECT_EQ(study->program("toy/a")->hash, subject.program.hash);
  EXPECT_EQ(valueOf(*study->program("toy/a"), "clang-Oz", "count"), 1000);
  ASSERT_EQ(study->runs.size(), 1u);
  const study::Run& back = study->runs[0];
  EXPECT_EQ(back.key, run.key);
  EXPECT_EQ(back.failure, run.failure);
  EXPECT_EQ(back.seed_value, run.seed_value);
  EXPECT_EQ(back.statistics.evaluations, run.statistics.evaluations);
  EXPECT_EQ(back.statistics.passes, run.statistics.passes);
  EXPECT_EQ(back.statistics.sequence_hits, run.statistics.sequence_hits);
  EXPECT_EQ(back.statistics.failures, run.statistics.failures);
  EXPECT_EQ(back.start_cpu_s, 0.25);
  EXPECT_EQ(back.talk, run.talk);
  EXPECT_EQ(back.harness_cpu_s, run.harness_cpu_s);
  EXPECT_EQ(back.peak_bytes, run.peak_bytes);
  ASSERT_EQ(back.improvements.size(), run.improvements.size());
  EXPECT_EQ(back.improvements.back().actions, run.improvements.back().actions);
  EXPECT_EQ(back.improvements.back().wall_s, run.improvements.back().wall_s);
  const Study slim = *readStudy(file, Reading::kWithoutActions);
  EXPECT_TRUE(slim.runs[0].improvements.back().actions.empty());
  EXPECT_EQ(slim.runs[0].improvements.back().value, run.improvements.back().value);
  ASSERT_EQ(back.checkpoints.size(), run.checkpoints.size());
  EXPECT_EQ(back.checkpoints[0].compiles, 10u);
  EXPECT_EQ(valueOf(back.checkpoints[1].own, "cost"), valueOf(run.checkpoints[1].own, "cost"));
}

// Bits flipped, or the end cut off: a study is read, or it is said what is wrong, but nothing is made up and
// nothing dies.
TEST(StudyReaderTest, ADamagedStudyIsReadOrRefused) {
  const TempDir dir = *TempDir::create();
  const std::filesystem::path file = dir.path() / "s.sqlite", damaged = dir.path() / "d.sqlite";
  ToySite site;
  const Subject subject = toySubject(1000);
  {
    const auto writer = *StudyWriter::open(file, toySettings(), {});
    ASSERT_TRUE(writer->add(subject.program));
    ASSERT_TRUE(writer->add(*runMethod(site, subject, toyOptions("random", 50))));
  }
  const std::string whole = *readFile(file);
  Rng rng(2);
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    std::string bytes = whole;
    if (rng.chance(0.1)) bytes.resize(rng.below(bytes.size()));
    for (std::uint64_t flips = 1 + rng.below(30); flips > 0 && !bytes.empty(); --flips) {
      char& byte = bytes[rng.below(bytes.size())];
      byte = static_cast<char>(byte ^ (1 << rng.below(8)));
    }
    ASSERT_TRUE(writeFile(damaged, bytes));
    const Result<Study> study = readStudy(damaged);
    if (study) continue;
    ++refused;
    EXPECT_NE(study.error().code, ErrorCode::kInternal) << study.error().message;
  }
  EXPECT_GT(refused, 20);
}

TEST(StudyReaderTest, ARunOfNoProgramIsDamage) {
  const TempDir dir = *TempDir::create();
  const std::filesystem::path file = dir.path() / "s.sqlite";
  {
    const auto writer = *StudyWriter::open(file, toySettings(), {});
    ASSERT_TRUE(writer->add(toySubject(1000).program));
  }
  Database database = *Database::open(file, Database::Access::kWrite);
  ASSERT_TRUE(database.run("PRAGMA foreign_keys = OFF; DELETE FROM program"));
  const Result<Study> study = readStudy(file);
  ASSERT_FALSE(study);
  EXPECT_EQ(study.error().code, ErrorCode::kCorrupt);
}

// Made before methods could be processes.
TEST(StudyReaderTest, AStudyWithoutStartsIsReadAndGoesOn) {
  const TempDir dir = *TempDir::create();
  const std::filesystem::path file = dir.path() / "s.sqlite";
  study::Run run;
  run.key = {"random", "toy/a", "count", 1};
  {
    const auto writer = *StudyWriter::open(file, toySettings(), {});
    ASSERT_TRUE(writer->add(toySubject(1000).program));
    ASSERT_TRUE(writer->add(run));
    ASSERT_TRUE(writer->close());
    ASSERT_TRUE(Database::open(file, Database::Access::kWrite)->run("DROP TABLE method_start"));
  }
  EXPECT_EQ(readStudy(file)->runs.size(), 1u);
  const auto writer = *StudyWriter::open(file, toySettings(), {});
  run.key.seed = 2;
  run.start_cpu_s = 0.5;
  ASSERT_TRUE(writer->add(run));
  EXPECT_EQ(readStudy(file)->runs[1].start_cpu_s, 0.5);
}

TEST(StudyReaderTest, WhatIsNoStudyIsNotRead) {
  const TempDir dir = *TempDir::create();
  EXPECT_EQ(readStudy(dir.path() / "none").error().code, ErrorCode::kNotFound);
  {
    Database database = *Database::open(dir.path() / "other", Database::Access::kWrite);
    ASSERT_TRUE(database.run("CREATE TABLE meta (key, value); INSERT INTO meta VALUES ('format', '9')"));
  }
  EXPECT_EQ(readStudy(dir.path() / "other").error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace ordo::study
