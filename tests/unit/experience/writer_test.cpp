#include "experience/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experience/encode.h"
#include "support/files.h"
#include "tests/unit/experience/samples.h"

namespace ordo::experience {
namespace {

using testing::HasSubstr;

class WriterTest : public testing::Test {
 protected:
  std::unique_ptr<Writer> open() {
    auto writer = Writer::open(path_, sampleHeader());
    EXPECT_TRUE(writer) << writer.error().message;
    return writer ? *std::move(writer) : nullptr;
  }

  TempDir dir_ = *TempDir::create();
  const std::filesystem::path path_ = dir_.path() / "e.jsonl";
};

TEST_F(WriterTest, GoesOnWhereItWas) {
  ASSERT_TRUE(open()->add(sampleRun(1)));
  const auto writer = open();
  EXPECT_EQ(writer->runs(), (std::set<RunKey>{sampleRun(1).key}));
  ASSERT_TRUE(writer->add(Omission{"b", "count", "why"}));
  EXPECT_TRUE(writer->leavesOut("b", "count"));
  EXPECT_FALSE(writer->leavesOut("b", "cost"));
  ASSERT_TRUE(writer->add(Omission{"c", "", "why"}));
  EXPECT_TRUE(writer->leavesOut("c", "cost"));
  EXPECT_EQ(*readFile(path_), encode(sampleHeader()) + '\n' + encode(Record(sampleRun(1))) + '\n' +
                                  R"({"uri":"b","objective":"count","left_out":"why"})" + '\n' +
                                  R"({"uri":"c","left_out":"why"})" + '\n');
}

TEST_F(WriterTest, ATornFileIsMadeWholeWhereverItWasTorn) {
  const std::string header = encode(sampleHeader()) + '\n', first = encode(Record(sampleRun(1))) + '\n',
                    second = encode(Record(sampleRun(2))) + '\n', whole = header + first + second;
  // At some bytes of the header and the first line, because each try is synced, and at every one of the last.
  const std::size_t last = header.size() + first.size();
  for (std::size_t bytes = 0; bytes <= whole.size(); bytes += bytes < last ? 29 : 1) {
    ASSERT_TRUE(writeFile(path_, whole.substr(0, bytes)));
    const auto writer = open();
    ASSERT_TRUE(writer) << bytes;
    const bool torn = bytes > header.size() && whole[bytes - 1] != '\n';
    EXPECT_EQ(writer->droppedTorn(), torn) << bytes;
    for (const std::uint64_t seed : {1, 2}) {
      if (writer->runs().contains(sampleRun(seed).key)) continue;
      ASSERT_TRUE(writer->add(sampleRun(seed)));
    }
    ASSERT_EQ(*readFile(path_), whole) << bytes;
  }
}

TEST_F(WriterTest, DoesNotMixWhatWasCollectedDifferently) {
  open();
  Header other = sampleHeader();
  other.budget = "7evals";
  other.actions.pop_back();
  const auto refused = Writer::open(path_, other);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message,
              HasSubstr("another budget \"100evals\" than this command has \"7evals\""));
  other = sampleHeader();
  other.actions.pop_back();
  EXPECT_THAT(Writer::open(path_, other).error().message, HasSubstr("another actions than"));
  Header slim = sampleHeader();
  slim.sample = Sample{};
  EXPECT_THAT(Writer::open(path_, slim).error().message, HasSubstr("another sample"));
}

TEST_F(WriterTest, WhatIsNoExperienceIsLeftAsItIs) {
  for (const char* content : {"notes", "notes\n", "{\"format\":9}\n"}) {
    ASSERT_TRUE(writeFile(path_, content));
    EXPECT_FALSE(Writer::open(path_, sampleHeader())) << content;
    EXPECT_EQ(*readFile(path_), content);
  }
}

TEST_F(WriterTest, AFileHasOneWriter) {
  const auto writer = open();
  const auto second = Writer::open(path_, sampleHeader());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(Writer::open("/proc/nonexistent/folder/e.jsonl", sampleHeader()).error().code,
            ErrorCode::kUnavailable);
}

TEST_F(WriterTest, ARecordThatIsTooLongIsRefused) {
  const auto writer = open();
  const Omission absurd{"b", "", std::string(kMaxLineBytes, 'x')};
  EXPECT_EQ(writer->add(absurd).error().code, ErrorCode::kInvalidArgument);
  EXPECT_FALSE(writer->leavesOut("b", "count"));
}

}  // namespace
}  // namespace ordo::experience
