#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/study_file.h"
#include "support/files.h"
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
  EXPECT_EQ(back.harness_cpu_s, run.harness_cpu_s);
  EXPECT_EQ(back.peak_bytes, run.peak_bytes);
  ASSERT_EQ(back.improvements.size(), run.improvements.size());
  EXPECT_EQ(back.improvements.back().actions, run.improvements.back().actions);
  EXPECT_EQ(back.improvements.back().wall_s, run.improvements.back().wall_s);
  ASSERT_EQ(back.checkpoints.size(), run.checkpoints.size());
  EXPECT_EQ(back.checkpoints[0].compiles, 10u);
  EXPECT_EQ(valueOf(back.checkpoints[1].own, "cost"), valueOf(run.checkpoints[1].own, "cost"));
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
