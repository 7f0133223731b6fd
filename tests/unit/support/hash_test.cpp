#include "support/hash.h"

#include <gtest/gtest.h>

#include <unordered_set>

#include "support/rng.h"

namespace ordo {
namespace {

// Hashes are stored in ledgers, recipes and checkpoints: they may never change.
TEST(HashTest, IsXxh3Forever) {
  EXPECT_EQ(hashBytes("").hex(), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(hashBytes("ordo").hex(), "e8dbfe289ccdb3f1bea50470048bbe7e");
}

TEST(HashTest, HexIsReadBack) {
  Rng rng(1);
  for (int round = 0; round < 100; ++round) {
    const Hash128 hash{rng.next(), rng.next() >> rng.below(64)};
    EXPECT_EQ(hash.hex().size(), 32u);
    EXPECT_EQ(Hash128::fromHex(hash.hex()), hash);
  }
}

TEST(HashTest, NothingElseIsReadAsHex) {
  const std::string good = hashBytes("x").hex();
  EXPECT_FALSE(Hash128::fromHex(""));
  EXPECT_FALSE(Hash128::fromHex(good.substr(1)));
  EXPECT_FALSE(Hash128::fromHex(good + "0"));
  for (const char c : {'G', 'A', ' ', '-', '+', 'x', '\0'}) {
    std::string bad = good;
    bad[7] = c;
    EXPECT_FALSE(Hash128::fromHex(bad)) << c;
  }
}

TEST(HashTest, EveryBitOfTheInputMatters) {
  std::string text(200, 'a');
  std::unordered_set<Hash128> seen{hashBytes(text)};
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_TRUE(seen.insert(hashBytes(text)).second);
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << (bit % 8)));
  }
}

}  // namespace
}  // namespace ordo
