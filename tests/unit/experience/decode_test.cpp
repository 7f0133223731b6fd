#include "experience/decode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "experience/encode.h"
#include "tests/unit/experience/samples.h"

namespace ordo::experience {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// The complaint about a sample run in which `from` became `to`.
std::string complaint(std::string_view from, std::string_view to) {
  const auto read =
      decodeRecord(replaced(encode(Record(sampleRun())), from, to), sampleHeader(), "e.jsonl:7");
  if (read) return "none";
  EXPECT_EQ(read.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(read.error().message, StartsWith("e.jsonl:7"));
  return read.error().message;
}

TEST(DecodeTest, HeadersComeBack) {
  Header header = sampleHeader();
  EXPECT_EQ(*decodeHeader(encode(header), "h"), header);
  header.sample = Sample{8, 16, 1};
  header.observations.clear();
  EXPECT_EQ(*decodeHeader(encode(header), "h"), header);
}

TEST(DecodeTest, AHeaderThatDoesNotHoldTogetherIsRefused) {
  const auto code = [](std::string_view from, std::string_view to) {
    const auto read = decodeHeader(replaced(encode(sampleHeader()), from, to), "h");
    return read ? ErrorCode::kInternal : read.error().code;
  };
  EXPECT_EQ(code("\"format\":1", "\"format\":2"), ErrorCode::kUnsupported);
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"\"format\":1", "\"format\":0"},
                                                        {"\"space\"", "\"spice\""},
                                                        {"\"dec\",\"inc\"", "\"dec\",\"dec\""},
                                                        {"[\"base\",\"dec\",\"inc\"]", "[]"},
                                                        {"int64", "int32"},
                                                        {"\"width\":2", "\"width\":-1"},
                                                        {"\"width\":2", "\"width\":1e30"},
                                                        {"\"max_length\":60", "\"max_length\":-60"},
                                                        {"\"best\":8", "\"best\":8,\"sample\":3"},
                                                        {"\"space_hash\":\"", "\"space_hash\":\"z"}}) {
    EXPECT_EQ(code(from, to), ErrorCode::kCorrupt) << to;
  }
}

TEST(DecodeTest, RandomRunsComeBackBitByBit) {
  Rng rng(7);
  const Header header = sampleHeader();
  for (int i = 0; i < 300; ++i) {
    const experience::Run run = randomRun(rng);
    const std::string line = encode(Record(run));
    const auto read = decodeRecord(line, header, "r");
    ASSERT_TRUE(read) << read.error().message;
    const experience::Run& back = std::get<experience::Run>(*read);
    ASSERT_EQ(encode(*read), line);
    EXPECT_EQ(back.key, run.key);
    ASSERT_EQ(back.states.size(), run.states.size());
    for (std::size_t state = 0; state < run.states.size(); ++state) {
      EXPECT_EQ(back.states[state][0], run.states[state][0]);
      const auto& before = std::get<std::vector<float>>(run.states[state][1]);
      const auto& after = std::get<std::vector<float>>(back.states[state][1]);
      for (std::size_t j = 0; j < before.size(); ++j)
        EXPECT_EQ(std::bit_cast<std::uint32_t>(after[j]), std::bit_cast<std::uint32_t>(before[j]));
    }
    for (std::size_t j = 0; j < run.tried.size(); ++j) {
      EXPECT_EQ(back.tried[j].value, run.tried[j].value);
      EXPECT_EQ(back.tried[j].screen, run.tried[j].screen);
    }
  }
}

TEST(DecodeTest, TheLargestAndTheSmallestFloatsComeBack) {
  experience::Run run = sampleRun();
  const std::vector<float> extremes{std::numeric_limits<float>::max(), -std::numeric_limits<float>::max(),
                                    std::numeric_limits<float>::denorm_min()};
  run.states[0][1] = extremes;
  const auto read = decodeRecord(encode(Record(run)), sampleHeader(), "r");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(std::get<std::vector<float>>(std::get<experience::Run>(*read).states[0][1]), extremes);
  EXPECT_THAT(complaint("[1,2,3]]]", "[1,2,3.40282357e38]]]"), HasSubstr("no float32"));
}

TEST(DecodeTest, OmissionsComeBack) {
  for (const Omission& omission : {Omission{"b", "", "too large"}, Omission{"b", "count", "why"}}) {
    const auto read = decodeRecord(encode(Record(omission)), sampleHeader(), "o");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(std::get<Omission>(*read).objective, omission.objective);
    EXPECT_EQ(std::get<Omission>(*read).reason, omission.reason);
  }
  EXPECT_FALSE(decodeRecord(R"({"uri":"","left_out":"why"})", sampleHeader(), "o"));
  EXPECT_FALSE(decodeRecord(R"({"uri":"b","left_out":"why","seed":1})", sampleHeader(), "o"));
}

TEST(DecodeTest, EveryComplaintNamesTheField) {
  EXPECT_THAT(complaint("[12,[0]]", "[12,[3]]"), HasSubstr("tried[0]: has the index 3, and there are 3"));
  EXPECT_THAT(complaint("[12,[0]]", "[12,[-1]]"), HasSubstr("tried[0]: has the index -1"));
  EXPECT_THAT(complaint("[12,[0]]", "[12,[0.5]]"), HasSubstr("tried[0]"));
  EXPECT_THAT(complaint("[12,[0]]", "[12,[]]"), HasSubstr("tried[1]: a sequence that was there before"));
  EXPECT_THAT(complaint("[12,[0]]", "[12,[0],5]"), HasSubstr("has a value"));
  EXPECT_THAT(complaint("[12,[0]]", "[12]"), HasSubstr("tried[0]: should be"));
  EXPECT_THAT(complaint("[12,[0]]", "[1e999,[0]]"), HasSubstr("not JSON"));
  EXPECT_THAT(complaint("[12,[0]]", "[NaN,[0]]"), HasSubstr("not JSON"));
  EXPECT_THAT(complaint("[12,[0]]", "[\"12\",[0]]"), HasSubstr("tried[0]: should be a number"));
  EXPECT_THAT(complaint("\"tried\":", "\"tired\":"), HasSubstr("unknown field 'tired'"));
  EXPECT_THAT(complaint("\"seed\":1", "\"seed\":-1"), HasSubstr("'seed'"));
  EXPECT_THAT(complaint("\"hash\":\"", "\"hash\":\"x"), HasSubstr("'hash'"));
  EXPECT_THAT(complaint("\"states\":[0,1]", "\"states\":[0,2]"), HasSubstr("best[0]: states"));
  EXPECT_THAT(complaint("\"states\":[0,1]", "\"states\":[0]"), HasSubstr("before the first action"));
  EXPECT_THAT(complaint("{\"count\":12},\"states\"", "{\"cost\":12},\"states\""), HasSubstr("objective"));
  EXPECT_THAT(complaint("\"base\":{\"count\":12}", "\"base\":{\"count\":null}"),
              HasSubstr("references: base: count"));
  EXPECT_THAT(complaint("\"base\":{\"count\":12}", "\"base\":[]"), HasSubstr("references: base"));
  EXPECT_THAT(complaint("[1,2,3]]]", "[1,2]]]"), HasSubstr("states[1]: vector should be 3 numbers"));
  EXPECT_THAT(complaint("[1,2,3]]]", "[1,2,1e300]]]"), HasSubstr("no float32"));
  EXPECT_THAT(complaint("[3,4]", "[3,4.5]"), HasSubstr("states[1]: counters has 4.5, which is no int64"));
  EXPECT_THAT(complaint("[3,4]", "[3,18446744073709551615]"), HasSubstr("no int64"));
}

TEST(DecodeTest, AbsurdSizesAreRefused) {
  std::string zeros = "0";
  for (std::size_t i = 0; i < kMaxActions; ++i) zeros += ",0";
  EXPECT_THAT(complaint("[12,[0]]", fmt::format("[12,[{}]]", zeros)), HasSubstr("is longer than"));
  Header one_best = sampleHeader();
  one_best.best = 1;
  EXPECT_FALSE(decodeRecord(encode(Record(sampleRun())), one_best, "r"));
}

}  // namespace
}  // namespace ordo::experience
