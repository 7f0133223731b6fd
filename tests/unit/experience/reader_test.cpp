#include "experience/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experience/encode.h"
#include "support/files.h"
#include "tests/unit/experience/samples.h"

namespace ordo::experience {
namespace {

using testing::HasSubstr;

class ReaderTest : public testing::Test {
 protected:
  // The lines of a file with these records.
  static std::string text(const std::vector<Record>& records) {
    std::string all = encode(sampleHeader()) + '\n';
    for (const Record& record : records) all += encode(record) + '\n';
    return all;
  }

  // How many records a file with this content has.
  Result<std::size_t> read(const std::string& content, bool* torn = nullptr) {
    EXPECT_TRUE(writeFile(path_, content));
    ORDO_TRY_ASSIGN(Reader reader, Reader::open(path_));
    for (std::size_t count = 0;; ++count) {
      ORDO_TRY_ASSIGN(const std::optional<Record> record, reader.next());
      if (record) continue;
      if (torn != nullptr) *torn = reader.torn();
      EXPECT_EQ(reader.offset(), content.rfind('\n') + 1);
      return count;
    }
  }

  TempDir dir_ = *TempDir::create();
  const std::filesystem::path path_ = dir_.path() / "e.jsonl";
};

TEST_F(ReaderTest, ReadsRecordsInOrder) {
  ASSERT_TRUE(writeFile(path_, text({sampleRun(1), Omission{"b", "", "why"}, sampleRun(2)})));
  auto reader = Reader::open(path_);
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ(reader->header(), sampleHeader());
  EXPECT_EQ(std::get<experience::Run>(**reader->next()).key.seed, 1u);
  EXPECT_EQ(std::get<Omission>(**reader->next()).uri, "b");
  EXPECT_EQ(std::get<experience::Run>(**reader->next()).key.seed, 2u);
  EXPECT_FALSE(reader->next()->has_value());
  EXPECT_FALSE(reader->next()->has_value());
  EXPECT_FALSE(reader->torn());
}

TEST_F(ReaderTest, TrialsAreBesideTheRecords) {
  const Trial trial{.id = "one", .candidate = "a", .baseline = "", .among = {{"a", 1}}};
  const std::string content = text({sampleRun(1)}) + encode(trial) + '\n';
  ASSERT_TRUE(writeFile(path_, content));
  auto reader = Reader::open(path_);
  ASSERT_TRUE(reader->next()->has_value());
  EXPECT_FALSE(reader->next()->has_value());
  EXPECT_EQ(reader->trials(), std::vector<Trial>{trial});
  EXPECT_EQ(read(content + encode(trial) + '\n').error().code, ErrorCode::kCorrupt) << "it comes twice";
}

TEST_F(ReaderTest, DropsATornLastLineWhereverItWasTorn) {
  const std::string whole = text({sampleRun(1)}), last = encode(Record(sampleRun(2)));
  for (std::size_t bytes = 0; bytes <= last.size(); ++bytes) {
    bool torn = false;
    const auto count = read(whole + last.substr(0, bytes), &torn);
    ASSERT_TRUE(count) << bytes << ": " << count.error().message;
    EXPECT_EQ(*count, 1u) << bytes;
    EXPECT_EQ(torn, bytes > 0) << bytes;
  }
  EXPECT_EQ(*read(whole + last + '\n'), 2u);
}

TEST_F(ReaderTest, ReadsLinesThatAreLongerThanItsChunks) {
  experience::Run run = sampleRun();
  run.tried.clear();
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    Sequence bits;
    for (int bit = 0; bit < 17; ++bit) bits.push_back(i >> bit & 1);
    run.tried.push_back({std::move(bits), 1.0 * i, {}});
  }
  const std::string content = text({run, sampleRun(2)});
  EXPECT_GT(content.size(), std::size_t{3} << 20);
  EXPECT_EQ(*read(content), 2u);
}

TEST_F(ReaderTest, SaysWhichLineIsWrong) {
  const auto message = [&](const std::string& content) {
    const auto count = read(content);
    EXPECT_FALSE(count);
    return count ? "" : count.error().message;
  };
  EXPECT_THAT(message(text({sampleRun(1), sampleRun(1)})), HasSubstr("e.jsonl:3: a run of"));
  EXPECT_THAT(message(text({Omission{"b", "", "x"}, Omission{"b", "", "y"}})), HasSubstr("e.jsonl:3: b was"));
  EXPECT_THAT(message(text({sampleRun(1)}) + "\n"), HasSubstr("e.jsonl:3 is not JSON"));
  EXPECT_THAT(message(text({sampleRun(1)}) + "{}\n"), HasSubstr("e.jsonl:3: the field 'uri' is missing"));
  EXPECT_THAT(message(""), HasSubstr("no header"));
  EXPECT_THAT(message("notes without a newline"), HasSubstr("no header"));
  EXPECT_THAT(message("notes\n"), HasSubstr("e.jsonl:1 is not JSON"));
}

TEST_F(ReaderTest, ALineWithoutEndIsRefused) {
  const auto count = read(encode(sampleHeader()) + '\n' + std::string(kMaxLineBytes + (2u << 20), ' '));
  ASSERT_FALSE(count);
  EXPECT_THAT(count.error().message, HasSubstr("e.jsonl:2: a line of more than 64 MiB"));
}

TEST_F(ReaderTest, OpensFilesOnly) {
  EXPECT_EQ(Reader::open(dir_.path() / "none").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(Reader::open(dir_.path()).error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace ordo::experience
