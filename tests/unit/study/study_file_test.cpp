#include "study/study_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"
#include "tests/unit/study/toy_host.h"

namespace ordo::study {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class StudyFileTest : public testing::Test {
 protected:
  TempDir dir_ = *TempDir::create();
  const std::filesystem::path file_ = dir_.path() / "s.sqlite";
};

Program program() { return {"toy/a", "toy", "hash", {{"clang-Oz", "count", 10}}, ""}; }

Run madeUp(std::uint64_t seed) {
  Run run;
  run.key = {"random", "toy/a", "count", seed};
  run.improvements = {{3, 7, 0.1, 0.2, 9, {"dec", "inc"}}, {5, 9, 0.2, 0.3, 8, {}}};
  run.checkpoints = {{10, 9, 11, 0.4, 0.5, {{"count", 8}, {"cost", 80}}}};
  return run;
}

TEST_F(StudyFileTest, OneWriterAtATime) {
  const auto writer = StudyWriter::open(file_, toySettings(), {});
  ASSERT_TRUE(writer);
  const auto second = StudyWriter::open(file_, toySettings(), {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
}

TEST_F(StudyFileTest, OtherSettingsAreRefusedByName) {
  ASSERT_TRUE(StudyWriter::open(file_, toySettings(), {}));
  Settings other = toySettings();
  other.space_hash = "another";
  const auto refused = StudyWriter::open(file_, other, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message,
              AllOf(HasSubstr("space_hash"), HasSubstr("another"), HasSubstr("0000")));
}

TEST_F(StudyFileTest, SomebodyElsesFileIsLeftAlone) {
  {
    Database database = *Database::open(file_, Database::Access::kWrite);
    ASSERT_TRUE(database.run("CREATE TABLE theirs (a)"));
  }
  const std::string before = *readFile(file_);
  EXPECT_FALSE(StudyWriter::open(file_, toySettings(), {}));
  EXPECT_EQ(*readFile(file_), before);
  ASSERT_TRUE(writeFile(file_, "not a database at all, but text"));
  EXPECT_EQ(StudyWriter::open(file_, toySettings(), {}).error().code, ErrorCode::kCorrupt);
}

TEST_F(StudyFileTest, ARunIsThereOnceAndWhole) {
  {
    const auto writer = *StudyWriter::open(file_, toySettings(), {});
    ASSERT_TRUE(writer->add(program()));
    ASSERT_TRUE(writer->add(program()));
    ASSERT_TRUE(writer->add(madeUp(1)));
    // The second half of it is impossible, so nothing of it is there.
    study::Run wrong = madeUp(2);
    wrong.improvements[1].evaluation = wrong.improvements[0].evaluation;
    EXPECT_FALSE(writer->add(wrong));
    EXPECT_FALSE(writer->add(madeUp(1)));
    EXPECT_EQ(writer->finished().size(), 1u);
  }
  const auto writer = *StudyWriter::open(file_, toySettings(), {});
  EXPECT_EQ(writer->finished(), (std::set<RunKey>{{"random", "toy/a", "count", 1}}));
  ASSERT_TRUE(writer->add(madeUp(2)));
}

TEST_F(StudyFileTest, ClosingLeavesOneFile) {
  const auto writer = *StudyWriter::open(file_, toySettings(), {});
  ASSERT_TRUE(writer->add(program()));
  ASSERT_TRUE(writer->close());
  EXPECT_FALSE(std::filesystem::exists(file_.string() + "-wal"));
  EXPECT_FALSE(readStudy(file_)->in_progress);
}

}  // namespace
}  // namespace ordo::study
