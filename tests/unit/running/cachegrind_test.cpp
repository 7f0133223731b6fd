#include "running/cachegrind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "support/rng.h"

namespace ordo::running {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kFile =
    "desc: I1 cache:         32768 B, 64 B, 8-way associative\n"
    "cmd: program -l\n"
    "events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw Bc Bcm Bi Bim\n"
    "fl=./csu/libc-start.c\n"
    "fn=__libc_start_main\n"
    "128 2 1 1 2 0 0 0 0 0 0 0 0 0\n"
    "summary: 6111108 1259 1239 25825 1186 974 10596 378 349 1020469 2883 316 167\n";

std::array<std::int64_t, 13> allOf(const Cachegrind& counts) {
  return {counts.ir,   counts.i1mr, counts.ilmr, counts.dr,  counts.d1mr, counts.dlmr, counts.dw,
          counts.d1mw, counts.dlmw, counts.bc,   counts.bcm, counts.bi,   counts.bim};
}

TEST(CachegrindTest, ReadsTheSummaryOfWhatItWrites) {
  const Result<Cachegrind> counts = parseCachegrind(kFile);
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_THAT(allOf(*counts),
              ElementsAre(6111108, 1259, 1239, 25825, 1186, 974, 10596, 378, 349, 1020469, 2883, 316, 167));
}

TEST(CachegrindTest, EventsAreKnownByNameInWhateverOrder) {
  std::vector<std::string> names{"Ir",   "I1mr", "ILmr", "Dr",  "D1mr", "DLmr", "Dw",
                                 "D1mw", "DLmw", "Bc",   "Bcm", "Bi",   "Bim"};
  Rng rng(1);
  for (int round = 0; round < 100; ++round) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < names.size(); ++i)
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(rng.below(i + 1)), i);
    std::array<std::int64_t, 13> expected{};
    std::string events = "events: New", summary = "summary: 7";
    for (const std::size_t i : order) {
      expected[i] = static_cast<std::int64_t>(rng.below(std::uint64_t{1} << 62));
      events += " " + names[i];
      summary += fmt::format(" {}", expected[i]);
    }
    const Result<Cachegrind> counts = parseCachegrind(events + "\n" + summary);
    ASSERT_TRUE(counts) << counts.error().message;
    EXPECT_EQ(allOf(*counts), expected);
  }
}

TEST(CachegrindTest, SaysWhatIsWrongWithOther) {
  const auto complaint = [](std::string_view text) { return parseCachegrind(text).error().message; };
  EXPECT_THAT(complaint(""), HasSubstr("one line 'events:'"));
  EXPECT_THAT(complaint(kFile.substr(0, kFile.find("summary:"))), HasSubstr("one line 'summary:'"));
  // A command line with a line of its own in it.
  EXPECT_THAT(complaint("cmd: a\nsummary: 1\n" + std::string(kFile)), HasSubstr("one line"));
  EXPECT_THAT(complaint("events: Ir\nsummary: 1 2\n"), HasSubstr("another number"));
  EXPECT_THAT(complaint("events: Ir\nsummary: 1\n"), HasSubstr("does not count I1mr"));
  std::string negative(kFile);
  negative.replace(negative.find("6111108"), 7, "-611110");
  EXPECT_THAT(complaint(negative), HasSubstr("its Ir is no count"));
  std::string huge(kFile);
  huge.replace(huge.find("6111108"), 7, "99999999999999999999");
  EXPECT_THAT(complaint(huge), HasSubstr("its Ir is no count"));
}

TEST(CachegrindTest, WhateverItIsGivenItCountsOrComplains) {
  Rng rng(2);
  int counted = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string text(kFile);
    for (std::uint64_t edits = rng.between(1, 4); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = rng.below(text.size());
      if (rng.below(3) == 0) {
        text.erase(at, rng.below(20));
      } else if (rng.below(2) == 0) {
        text[at] = static_cast<char>(rng.below(256));
      } else {
        text.insert(at, text.substr(rng.below(text.size()), rng.below(40)));
      }
    }
    const Result<Cachegrind> counts = parseCachegrind(text);
    if (!counts) {
      EXPECT_EQ(counts.error().code, ErrorCode::kCorrupt);
      continue;
    }
    ++counted;
    for (const std::int64_t count : allOf(*counts)) EXPECT_GE(count, 0);
  }
  EXPECT_GT(counted, 500) << "what does not matter may be anything";
}

}  // namespace
}  // namespace ordo::running
