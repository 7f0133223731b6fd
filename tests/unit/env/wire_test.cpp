#include "env/wire.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>

#include "support/rng.h"

namespace ordo::env {
namespace {

std::string randomText(Rng& rng, std::size_t max_size = 40) {
  std::string text(rng.below(max_size + 1), '\0');
  for (char& c : text) c = static_cast<char>(rng.below(256));  // zeros and invalid UTF-8 included
  return text;
}

SessionSpec randomSpec(Rng& rng) {
  SessionSpec spec{randomText(rng), randomText(rng, 2000), {}, {}};
  for (std::size_t i = rng.below(20); i > 0; --i) {
    spec.actions.push_back({randomText(rng), randomText(rng), randomText(rng)});
  }
  spec.settings = randomText(rng);
  return spec;
}

BackendInfo randomInfo(Rng& rng) {
  BackendInfo info{randomText(rng), randomText(rng), randomText(rng), randomText(rng), {}, {}, {}};
  for (std::size_t i = rng.below(9); i > 0; --i) {
    info.observations.push_back({randomText(rng),
                                 static_cast<int>(rng.below(9)),
                                 static_cast<DType>(rng.below(3)),
                                 static_cast<std::uint32_t>(rng.next()),
                                 randomText(rng),
                                 static_cast<std::uint32_t>(rng.next()),
                                 rng.chance(0.5),
                                 {randomText(rng), randomText(rng)}});
    info.metrics.push_back({randomText(rng), randomText(rng), rng.chance(0.5), randomText(rng)});
    info.transforms.push_back({randomText(rng), randomText(rng), randomText(rng)});
  }
  return info;
}

StepOutcome randomOutcome(Rng& rng) {
  return {static_cast<StepStatus>(rng.below(7)), static_cast<std::uint32_t>(rng.next()), rng.chance(0.5),
          randomText(rng)};
}

StepRequest randomRequest(Rng& rng) {
  return {rng.chance(0.5),
          {static_cast<ActionIndex>(rng.next()), kPipe},
          rng.chance(0.5),
          rng.chance(0.5),
          {randomText(rng)},
          rng.chance(0.5),
          {randomText(rng), randomText(rng)}};
}

StepReport randomReport(Rng& rng) {
  StepReport report;
  report.outcome = randomOutcome(rng);
  report.hash = hashBytes(randomText(rng));
  for (std::size_t i = rng.below(9); i > 0; --i) report.legal.push_back(rng.chance(0.5));
  report.measurements = {{StepStatus::kOk, rng.uniform(), randomText(rng)}};
  return report;
}

// What was written for one value, as exactly as many bytes.
template <typename T>
std::vector<std::byte> written(const T& value) {
  std::vector<std::byte> buffer(1 << 16);
  Writer writer(buffer);
  put(writer, value);
  EXPECT_TRUE(writer.ok());
  buffer.resize(writer.size());
  return buffer;
}

// Equal bytes are equal values, because the encoding has no padding and no choice.
template <typename T, typename Get>
void expectRoundTrip(const T& value, Get get) {
  const std::vector<std::byte> bytes = written(value);
  Reader reader(bytes);
  const T read = get(reader);
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(written(read), bytes);
  reader.get<std::byte>();
  EXPECT_FALSE(reader.ok()) << "not everything was read";
}

TEST(WireTest, WhateverIsWrittenIsReadBackEqual) {
  Rng rng(1);
  for (int i = 0; i < 500; ++i) {
    expectRoundTrip(randomSpec(rng), getSpec);
    expectRoundTrip(randomInfo(rng), getInfo);
    expectRoundTrip(randomOutcome(rng), getOutcome);
    expectRoundTrip(randomRequest(rng), getStepRequest);
    expectRoundTrip(randomReport(rng), getStepReport);
    expectRoundTrip(Measurement{static_cast<StepStatus>(rng.below(7)), rng.uniform(), randomText(rng)},
                    getMeasurement);
  }
}

TEST(WireTest, FieldsArriveInTheirPlaces) {
  const SessionSpec spec{"name", "program", {{"a", "attribute", "+a"}}, "its settings"};
  const std::vector<std::byte> bytes = written(spec);
  Reader reader(bytes);
  const SessionSpec read = getSpec(reader);
  EXPECT_EQ(read.name, "name");
  EXPECT_EQ(read.program, "program");
  ASSERT_EQ(read.actions.size(), 1u);
  EXPECT_EQ(read.actions[0].name, "a");
  EXPECT_EQ(read.actions[0].kind, "attribute");
  EXPECT_EQ(read.actions[0].text, "+a");
  EXPECT_EQ(read.settings, "its settings");
}

TEST(WireTest, NumbersThatAreSpecialSurvive) {
  for (const double number : {0.0, -0.0, 1e-310, HUGE_VAL}) {
    const std::vector<std::byte> bytes = written(Measurement{StepStatus::kOk, number, ""});
    Reader reader(bytes);
    const double read = getMeasurement(reader).value;
    EXPECT_EQ(std::memcmp(&read, &number, sizeof number), 0) << number;
  }
}

TEST(WireTest, ArraysLieAlignedBehindAnythingOdd) {
  alignas(kArrayAlignment) std::array<std::byte, 256> buffer{};
  for (std::size_t odd = 0; odd < 2 * kArrayAlignment; ++odd) {
    Writer writer(buffer);
    for (std::size_t i = 0; i < odd; ++i) writer.put(std::byte{1});
    const std::array<std::uint32_t, 3> shape{2, 3, 4};
    const std::array<std::int64_t, 2> values{-5, 6};
    writer.putArray(std::span<const std::uint32_t>(shape));
    writer.putArray(std::span<const std::int64_t>(values));
    ASSERT_TRUE(writer.ok());
    Reader reader(std::span<const std::byte>(buffer).first(writer.size()));
    for (std::size_t i = 0; i < odd; ++i) reader.get<std::byte>();
    EXPECT_EQ(reader.getArray<std::uint32_t>(), (std::vector<std::uint32_t>{2, 3, 4}));
    const std::span<const std::int64_t> view = reader.getArrayView<std::int64_t>();
    ASSERT_TRUE(reader.ok());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view.data()) % kArrayAlignment, 0u);
    EXPECT_EQ(view[0], -5);
    EXPECT_EQ(view[1], 6);
  }
}

TEST(WireTest, AWriterThatRunsFullSaysSoAndStaysInside) {
  Rng rng(2);
  const SessionSpec spec = randomSpec(rng);
  const std::vector<std::byte> whole = written(spec);
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    const std::vector<std::byte> guard(16, std::byte{0xaa});
    std::vector<std::byte> buffer(size + guard.size(), std::byte{0xaa});
    const std::span<std::byte> space(buffer.data(), size);
    Writer writer(space);
    put(writer, spec);
    EXPECT_FALSE(writer.ok());
    EXPECT_TRUE(
        std::equal(guard.begin(), guard.end(), buffer.end() - static_cast<std::ptrdiff_t>(guard.size())));
  }
}

// Every reader, over one message. The bytes are copied to where the address sanitizer sees a step
// over either end.
bool readAs(std::size_t kind, std::span<const std::byte> bytes) {
  const std::vector<std::byte> exact(bytes.begin(), bytes.end());
  Reader reader(exact);
  switch (kind % 7) {
    case 0:
      getSpec(reader);
      break;
    case 1:
      getInfo(reader);
      break;
    case 2:
      getOutcome(reader);
      break;
    case 3:
      getMeasurement(reader);
      break;
    case 4:
      static_cast<void>(getStatus(reader).has_value());
      break;
    case 5:
      reader.getArray<std::int64_t>();
      break;
    default:
      reader.get<DType>();
      reader.getArray<std::uint32_t>();
      reader.getArrayView<std::byte>();
      break;
  }
  return reader.ok();
}

TEST(WireTest, ATruncatedMessageIsNeverOk) {
  Rng rng(3);
  const std::vector<std::byte> spec = written(randomSpec(rng));
  const std::vector<std::byte> info = written(randomInfo(rng));
  const std::vector<std::byte> outcome = written(randomOutcome(rng));
  const auto expectBroken = [](std::size_t kind, std::span<const std::byte> whole) {
    ASSERT_TRUE(readAs(kind, whole));
    for (std::size_t size = 0; size < whole.size(); ++size)
      ASSERT_FALSE(readAs(kind, whole.first(size))) << size;
  };
  expectBroken(0, spec);
  expectBroken(1, info);
  expectBroken(2, outcome);
}

TEST(WireTest, RandomBytesAreReadWithinTheirBounds) {
  Rng rng(4);
  for (int i = 0; i < 20000; ++i) {
    std::vector<std::byte> bytes(rng.below(200));
    // Small numbers are likelier to be taken for a length that almost fits.
    const std::uint64_t bound = rng.chance(0.5) ? 256 : 4;
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(rng.below(bound));
    readAs(rng.below(7), bytes);
  }
}

TEST(WireTest, AMessageWithFlippedBytesIsReadWithinItsBounds) {
  Rng rng(5);
  for (int i = 0; i < 2000; ++i) {
    const std::size_t kind = rng.below(2);
    std::vector<std::byte> bytes = kind == 0 ? written(randomSpec(rng)) : written(randomInfo(rng));
    for (std::size_t flips = rng.between(1, 8); flips > 0; --flips) {
      bytes[rng.below(bytes.size())] = static_cast<std::byte>(rng.below(256));
    }
    readAs(kind, bytes);
  }
}

TEST(WireTest, AReaderThatFailedYieldsZerosFromThenOn) {
  const std::array<std::byte, 3> bytes{std::byte{9}, std::byte{9}, std::byte{9}};
  Reader reader(bytes);
  EXPECT_EQ(reader.get<std::uint64_t>(), 0u);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.get<std::uint8_t>(), 0u);
  EXPECT_EQ(reader.getBytes(), "");
  EXPECT_TRUE(reader.getArray<int>().empty());
}

TEST(WireTest, AnyByteIsABool) {
  const std::array<std::byte, 3> bytes{std::byte{0}, std::byte{1}, std::byte{77}};
  Reader reader(bytes);
  EXPECT_FALSE(reader.get<bool>());
  EXPECT_TRUE(reader.get<bool>());
  EXPECT_TRUE(reader.get<bool>());
}

TEST(WireTest, ErrorsTravel) {
  std::array<std::byte, 256> buffer{};
  Writer writer(buffer);
  putError(writer, {ErrorCode::kCorrupt, "no such thing"});
  Reader reader(std::span<const std::byte>(buffer).first(writer.size()));
  const Status status = getStatus(reader);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(status.error().message, "no such thing");
}

TEST(WireTest, AnErrorWithAnImpossibleCodeIsAnInternalOne) {
  std::array<std::byte, 256> buffer{};
  Writer writer(buffer);
  putError(writer, {static_cast<ErrorCode>(1000), "no such thing"});
  Reader reader(std::span<const std::byte>(buffer).first(writer.size()));
  const Status status = getStatus(reader);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kInternal);
}

}  // namespace
}  // namespace ordo::env
