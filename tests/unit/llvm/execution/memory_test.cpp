#include "llvm/execution/memory.h"

#include <gtest/gtest.h>

#include <cstring>

namespace ordo::execution {
namespace {

std::uintptr_t at(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

class MemoryTest : public testing::Test {
 protected:
  MemoryTest() { memory_.beginInput(Rng(1), 0, {}, false, {}); }
  Memory memory_;
};

TEST_F(MemoryTest, MakesAnInputWhenItIsReadAndKeepsIt) {
  std::byte* buffer = memory_.newBuffer();
  EXPECT_EQ(memory_.read(at(buffer), 8, Kind::kPointer), nullptr);
  std::uint64_t first = 0, again = 0;
  std::memcpy(&first, buffer, sizeof first);
  EXPECT_TRUE(first == 0 || memory_.isInput(first));
  EXPECT_EQ(memory_.write(at(buffer), 8), nullptr);
  std::memset(buffer, 0x55, 8);
  memory_.beginRun({});
  std::memcpy(&again, buffer, sizeof again);
  EXPECT_EQ(again, first);
}

TEST_F(MemoryTest, OutputsAreUnknownInEveryRun) {
  std::byte* output = memory_.newBuffer(true);
  EXPECT_NE(memory_.read(at(output), 1, Kind::kInteger), nullptr);
  EXPECT_EQ(memory_.write(at(output), 1), nullptr);
  memory_.beginRun({});
  EXPECT_NE(memory_.read(at(output), 1, Kind::kInteger), nullptr);
}

TEST_F(MemoryTest, KnowsWhereObjectsEnd) {
  std::byte* buffer = memory_.newBuffer();
  EXPECT_EQ(memory_.read(at(buffer) + Memory::kBufferBytes - 4, 4, Kind::kInteger), nullptr);
  EXPECT_NE(memory_.read(at(buffer) + Memory::kBufferBytes - 3, 4, Kind::kInteger), nullptr);
  EXPECT_NE(memory_.read(at(memory_.buffer(1)), 1, Kind::kInteger), nullptr) << "nobody has that buffer";
  EXPECT_NE(memory_.write(0, 1), nullptr);
}

TEST_F(MemoryTest, KnowsWhatWasWritten) {
  std::byte* block = memory_.allocate(8, 16);
  EXPECT_NE(memory_.read(at(block), 4, Kind::kInteger), nullptr);
  EXPECT_EQ(memory_.write(at(block), 4), nullptr);
  EXPECT_EQ(memory_.read(at(block), 4, Kind::kInteger), nullptr);
  EXPECT_NE(memory_.read(at(block), 5, Kind::kInteger), nullptr);
  // A copy is as unknown as what it is a copy of.
  std::byte* other = memory_.allocate(8, 16);
  EXPECT_EQ(memory_.copy(at(other), at(block), 8), nullptr);
  EXPECT_EQ(memory_.read(at(other), 4, Kind::kInteger), nullptr);
  EXPECT_NE(memory_.read(at(other) + 4, 4, Kind::kInteger), nullptr);
}

TEST_F(MemoryTest, FreesOnce) {
  std::byte* block = memory_.allocate(8, 16);
  EXPECT_NE(memory_.release(at(block) + 1), nullptr);
  EXPECT_EQ(memory_.release(at(block)), nullptr);
  EXPECT_NE(memory_.release(at(block)), nullptr);
  EXPECT_NE(memory_.write(at(block), 1), nullptr);
  EXPECT_EQ(memory_.release(0), nullptr);
}

TEST_F(MemoryTest, LocalsGoWithTheirFunction) {
  const std::size_t before = memory_.locals();
  std::byte* local = memory_.pushLocal(4, 4);
  EXPECT_EQ(memory_.write(at(local), 4), nullptr);
  memory_.popLocals(before);
  EXPECT_NE(memory_.read(at(local), 4, Kind::kInteger), nullptr);
}

TEST_F(MemoryTest, VariablesCanBeInputsOfAnyImage) {
  std::uint32_t of_original = 7, of_other = 7;
  const Variable original{at(&of_original), 4, true, true}, other{at(&of_other), 4, true, true};
  memory_.beginInput(Rng(3), 0, {&original, 1}, true, {});
  EXPECT_EQ(memory_.read(at(&of_original), 4, Kind::kInteger), nullptr);
  memory_.beginRun({&other, 1});
  EXPECT_EQ(of_other, of_original);
}

TEST_F(MemoryTest, TriesIntegersInARange) {
  for (int i = 0; i < 200; ++i) {
    std::array<std::byte, 4> bytes;
    memory_.makeValue(bytes, Kind::kInteger, -2, 3);
    std::int32_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    EXPECT_GE(value, -2);
    EXPECT_LE(value, 3);
  }
}

// As of an i64 that may be anything but 0.
TEST_F(MemoryTest, TriesIntegersInARangeOfAllThereAre) {
  std::array<std::byte, 8> bytes{}, before{};
  memory_.makeValue(before, Kind::kInteger, INT64_MIN, INT64_MAX);
  bool another = false;
  for (int i = 0; i < 20; ++i) {
    memory_.makeValue(bytes, Kind::kInteger, INT64_MIN, INT64_MAX);
    another = another || bytes != before;
  }
  EXPECT_TRUE(another);
}

TEST_F(MemoryTest, RunsOutOfBuffersWithoutHarm) {
  std::size_t buffers = 0;
  while (memory_.newBuffer() != nullptr) ++buffers;
  EXPECT_GT(buffers, 100u);
  EXPECT_EQ(memory_.allocate(std::size_t{1} << 40, 16), nullptr);
}

}  // namespace
}  // namespace ordo::execution
