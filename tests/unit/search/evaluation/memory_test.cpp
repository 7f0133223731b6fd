#include "search/evaluation/memory.h"

#include <gtest/gtest.h>

#include "search/evaluation/prefix_cache.h"

namespace ordo::search {
namespace {

Evaluation measured(double value, std::uint64_t state) {
  Evaluation result;
  result.verdict = Verdict::kMeasured;
  result.value = value;
  result.state = {1, state};
  return result;
}

TEST(MemoryTest, KnowsASequenceAndItsProgram) {
  Memory memory;
  const auto prefixes = prefixHashes(Sequence{1, 2});
  memory.remember(prefixes.back(), measured(5, 7));
  Evaluation sequence;
  ASSERT_TRUE(memory.recallSequence(prefixes, Effort::kFull, sequence));
  EXPECT_EQ(sequence.value, 5);
  EXPECT_TRUE(sequence.cached);
  Evaluation program;
  program.state = {1, 7};
  ASSERT_TRUE(memory.recallState(Effort::kFull, program));
  EXPECT_EQ(program.value, 5);
  EXPECT_FALSE(memory.recallSequence(prefixHashes(Sequence{1}), Effort::kFull, sequence));
}

TEST(MemoryTest, AScreenedAnswerDoesNotSatisfyFullEffort) {
  Memory memory;
  Evaluation screened = measured(5, 7);
  screened.verdict = Verdict::kScreened;
  const auto prefixes = prefixHashes(Sequence{1});
  memory.remember(prefixes.back(), screened);
  Evaluation result;
  EXPECT_TRUE(memory.recallSequence(prefixes, Effort::kScreened, result));
  EXPECT_FALSE(memory.recallSequence(prefixes, Effort::kFull, result));
}

TEST(MemoryTest, EverythingBehindAFatalPrefixFails) {
  Memory memory;
  Evaluation crash;
  crash.verdict = Verdict::kFailed;
  crash.status = env::StepStatus::kCrashed;
  memory.rememberFatal(prefixHashes(Sequence{1, 2}).back(), crash);
  Evaluation result;
  ASSERT_TRUE(memory.recallSequence(prefixHashes(Sequence{1, 2, 3, 4}), Effort::kScreened, result));
  EXPECT_EQ(result.status, env::StepStatus::kCrashed);
  EXPECT_FALSE(memory.recallSequence(prefixHashes(Sequence{1, 3, 2}), Effort::kScreened, result));
}

TEST(MemoryTest, AnotherProgramOrValueIsAContradiction) {
  Memory memory;
  const Hash128 sequence = prefixHashes(Sequence{1}).back();
  EXPECT_FALSE(memory.contradicts(sequence, measured(5, 7)));
  memory.remember(sequence, measured(5, 7));
  EXPECT_FALSE(memory.contradicts(sequence, measured(5, 7)));
  EXPECT_TRUE(memory.contradicts(sequence, measured(6, 7)));
  EXPECT_TRUE(memory.contradicts(sequence, measured(5, 8)));
}

}  // namespace
}  // namespace ordo::search
