#include "policy/safetensors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "support/files.h"

namespace ordo::policy {
namespace {

// A file with this header and these numbers.
std::string fileOf(std::string_view header, const std::vector<float>& numbers) {
  const std::uint64_t length = header.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float));
  return bytes;
}

Error errorOf(std::string_view bytes) {
  const auto parsed = parseSafetensors(bytes, "w.safetensors");
  if (parsed) return {ErrorCode::kInternal, "it was read"};
  EXPECT_TRUE(parsed.error().message.starts_with("w.safetensors")) << parsed.error().message;
  return parsed.error();
}

TEST(SafetensorsTest, WhatIsWrittenIsReadBack) {
  const SafeTensors file{.metadata = {{"format", "1"}, {"text", "a\nb \"ü\""}},
                         .tensors = {{"z.weight", {2, 3}, {1, -2, 3.5f, 0, -0.0f, 1e-40f}},
                                     {"empty", {0, 7}, {}},
                                     {"nothing", {0}, {}},
                                     {"scalar", {}, {std::numeric_limits<float>::max()}}}};
  const std::string bytes = writeSafetensors(file);
  const auto parsed = parseSafetensors(bytes, "w");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(*parsed, file);
  EXPECT_TRUE(std::signbit(parsed->tensors[0].values[4]));
  EXPECT_EQ(writeSafetensors(*parsed), bytes);
  EXPECT_EQ(writeSafetensors({}), fileOf("{}      ", {}));
  EXPECT_TRUE(parseSafetensors(writeSafetensors({}), "empty"));
}

TEST(SafetensorsTest, TheHeaderMayNameTensorsInAnyOrder) {
  const auto parsed = parseSafetensors(fileOf(R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},)"
                                              R"("a":{"data_offsets":[0,4],"shape":[1],"dtype":"F32"}}  )",
                                              {1, 2}),
                                       "w");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->tensors, (std::vector<Tensor>{{"a", {1}, {1}}, {"b", {1}, {2}}}));
}

// tests/data/policy/make.py wrote it with NumPy.
TEST(SafetensorsTest, ReadsWhatNumpyWrote) {
  const auto bytes = readFile(ORDO_SOURCE_DIR "/tests/data/policy/numpy.safetensors");
  ASSERT_TRUE(bytes) << bytes.error().message;
  const auto parsed = parseSafetensors(*bytes, "numpy.safetensors");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->metadata.at("made_by"), "numpy");
  ASSERT_EQ(parsed->tensors.front().name, "blocks.0.down.bias")
      << "sorted by name, as the library writes them";
}

TEST(SafetensorsTest, AHeaderThatDoesNotHoldTogetherIsRefused) {
  const auto header = [](std::string_view text) { return errorOf(fileOf(text, {1, 2})).message; };
  EXPECT_EQ(errorOf("1234567").message, "w.safetensors is no safetensors file: it has 7 bytes");
  EXPECT_EQ(errorOf(std::string(8, '\xff')).message,
            "w.safetensors: the header should have 18446744073709551615 bytes; at most 131072 are read");
  EXPECT_EQ(errorOf(fileOf("{}", {}).substr(0, 9)).message,
            "w.safetensors: the header should have 2 bytes and the file ends after 1");
  EXPECT_EQ(header("[]"), "w.safetensors: the header is no JSON object");
  EXPECT_EQ(header(" {}"), "w.safetensors: the header is no JSON object");
  EXPECT_TRUE(header("{").starts_with("w.safetensors: the header is not JSON: parse error"));
  EXPECT_TRUE(header("{\"\xff\":1}").starts_with("w.safetensors: the header is not JSON: parse error"));
  EXPECT_EQ(header(R"({"a":1,"a":2})"), "w.safetensors: the header: the field 'a' comes twice");
  EXPECT_EQ(header(R"({"a":{"shape":[],"shape":[]}})"),
            "w.safetensors: the header: the field 'shape' comes twice");
  EXPECT_EQ(header(R"({"__metadata__":[]})"), "w.safetensors: __metadata__ is not a JSON object");
  EXPECT_EQ(header(R"({"__metadata__":{"k":1}})"),
            "w.safetensors: __metadata__: the field 'k' should be a string");
}

TEST(SafetensorsTest, ATensorThatDoesNotHoldTogetherIsRefused) {
  const auto tensor = [](std::string_view fields) {
    return errorOf(fileOf(fmt::format(R"({{"t":{{{}}}}})", fields), {1, 2})).message;
  };
  const std::string prefix = "w.safetensors: tensor 't': ", whole = "a list of whole numbers from 0 on";
  EXPECT_EQ(tensor(R"("shape":[2],"data_offsets":[0,8])"), prefix + "the field 'dtype' is missing");
  EXPECT_EQ(tensor(R"("dtype":"F32","data_offsets":[0,8])"), prefix + "the field 'shape' is missing");
  EXPECT_EQ(tensor(R"("dtype":"F32","shape":[2])"), prefix + "the field 'data_offsets' is missing");
  EXPECT_EQ(tensor(R"("dtype":"F32","shape":[2],"data_offsets":[0,8],"more":1)"),
            prefix + "unknown field 'more'");
  EXPECT_EQ(tensor(R"("dtype":"F32","shape":2,"data_offsets":[0,8])"),
            prefix + "the field 'shape' should be " + whole);
  EXPECT_EQ(tensor(R"("dtype":"F32","shape":[-2],"data_offsets":[0,8])"),
            prefix + "the field 'shape' should be " + whole);
  EXPECT_EQ(tensor(R"("dtype":"F32","shape":[2.0],"data_offsets":[0,8])"),
            prefix + "the field 'shape' should be " + whole);
  EXPECT_EQ(tensor(R"("dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8])"),
            prefix + "the field 'shape' is too large");
  EXPECT_EQ(tensor(R"("dtype":"F32","shape":[3],"data_offsets":[0,8])"),
            prefix + "'shape' needs 12 bytes and 'data_offsets' has 8");
  for (const char* offsets : {"[8,0]", "[0]", "[0,4,8]", "[]"}) {
    EXPECT_EQ(tensor(fmt::format(R"("dtype":"F32","shape":[2],"data_offsets":{})", offsets)),
              prefix + "the field 'data_offsets' should be where it begins and ends");
  }
  const Error type = errorOf(fileOf(R"({"t":{"dtype":"BF16","shape":[4],"data_offsets":[0,8]}})", {1, 2}));
  EXPECT_EQ(type.code, ErrorCode::kUnsupported);
  EXPECT_EQ(type.message, prefix + "the field 'dtype' is BF16; only F32 is read here");
}

TEST(SafetensorsTest, NumbersLieOneAfterTheOtherAndFillTheFile) {
  const auto pair = [](std::string_view a, std::string_view b) {
    return errorOf(fileOf(fmt::format(R"({{"a":{{"dtype":"F32","shape":[1],"data_offsets":{}}},)"
                                      R"("b":{{"dtype":"F32","shape":[1],"data_offsets":{}}}}})",
                                      a, b),
                          {1, 2}))
        .message;
  };
  EXPECT_EQ(pair("[0,4]", "[0,4]"),
            "w.safetensors: tensor 'b': 'data_offsets' begins at 0, the one before ends at 4");
  EXPECT_EQ(pair("[0,4]", "[8,12]"),
            "w.safetensors: tensor 'b': 'data_offsets' begins at 8, the one before ends at 4");
  EXPECT_EQ(pair("[4,8]", "[8,12]"),
            "w.safetensors: tensor 'a': 'data_offsets' begins at 4, the one before ends at 0");
  EXPECT_EQ(errorOf(fileOf(R"({"t":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}})", {1, 2})).message,
            "w.safetensors: tensor 't' ends at byte 12 of the data, and there are 8: the file is cut off");
  EXPECT_EQ(errorOf(fileOf(R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", {1, 2})).message,
            "w.safetensors: 4 bytes after the last tensor");
}

TEST(SafetensorsTest, WhatIsNoNumberIsRefused) {
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    const Error error =
        errorOf(fileOf(R"({"t":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", {1, bad}));
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    EXPECT_TRUE(error.message.starts_with("w.safetensors: tensor 't': value 1 is ")) << error.message;
  }
}

TEST(SafetensorsTest, EveryTruncationIsRefused) {
  const std::string bytes = writeSafetensors({{{"k", "v"}}, {{"t", {2}, {1, 2}}}});
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(errorOf(std::string_view(bytes).substr(0, size)).code, ErrorCode::kCorrupt) << size;
  EXPECT_EQ(errorOf(bytes + '\0').code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace ordo::policy
