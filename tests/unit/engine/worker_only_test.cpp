#include "engine/worker_only.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/toolchain.h"
#include "support/files.h"
#include "tests/fakes/schedule_session.h"

namespace ordo::engine {
namespace {

class WorkerOnlyTest : public testing::Test {
 protected:
  const env::BackendInfo info_ = *fakes::ScheduleBackend().describe();
};

TEST_F(WorkerOnlyTest, AFileIsAProgramAsItStands) {
  const TempDir dir = *TempDir::create();
  ASSERT_TRUE(writeFile(dir.path() / "k.loop", "loop 8\n"));
  const Result<Input> input = readProgram(info_, (dir.path() / "k.loop").string(), "none");
  ASSERT_TRUE(input) << input.error().message;
  EXPECT_EQ(input->compiled.bytes, "loop 8\n");
  EXPECT_EQ(input->program.name, "k");
  EXPECT_EQ(input->settings(), "");
  EXPECT_EQ(input->toolchain->baselineName(*input), "none");
  EXPECT_EQ(input->toolchain->baseline(*input).text, "unroll 1");
  EXPECT_FALSE(input->toolchain->reference(*input));
  EXPECT_EQ(*input->toolchain->emit(*input, "made", {}), "made");
  EXPECT_FALSE(*input->toolchain->codeBytes("made"));
  EXPECT_EQ(input->toolchain->link(*input, "made", dir.path() / "k").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(readProgram(info_, (dir.path() / "gone").string(), "").error().code, ErrorCode::kNotFound);
}

TEST_F(WorkerOnlyTest, BaselinesAreTheBackends) {
  EXPECT_EQ(ownBaseline(info_, "")->name, "usual");
  EXPECT_THAT(ownBaseline(info_, "usul").error().message, testing::HasSubstr("'usual'"));
  EXPECT_EQ(ownBaseline({}, "").error().code, ErrorCode::kUnsupported);
}

TEST_F(WorkerOnlyTest, TheSpaceIsAllThatItCanDo) {
  const Result<spaces::Space> space = wholeSpace(info_);
  ASSERT_TRUE(space);
  EXPECT_EQ(space->actions.size(), info_.actions.size());
  EXPECT_EQ(space->hash, spaces::spaceHash(info_.actions));
  EXPECT_EQ(wholeSpace({}).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace ordo::engine
