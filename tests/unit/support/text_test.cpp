#include "support/text.h"

#include <gtest/gtest.h>

#include "support/rng.h"

namespace ordo {
namespace {

TEST(TextTest, DistancesCountTypingMistakes) {
  EXPECT_EQ(editDistance("", ""), 0u);
  EXPECT_EQ(editDistance("abc", ""), 3u);
  EXPECT_EQ(editDistance("gvn", "gvn"), 0u);
  EXPECT_EQ(editDistance("gvn", "gvm"), 1u);
  EXPECT_EQ(editDistance("gvn", "gn"), 1u);
  EXPECT_EQ(editDistance("gvn", "gvnn"), 1u);
  EXPECT_EQ(editDistance("gvn", "vgn"), 1u);
  EXPECT_EQ(editDistance("kitten", "sitting"), 3u);
}

TEST(TextTest, DistancesAreSymmetricAndBounded) {
  Rng rng(1);
  const auto word = [&] {
    std::string text(rng.below(9), ' ');
    for (char& c : text) c = static_cast<char>('a' + rng.below(3));
    return text;
  };
  for (int round = 0; round < 500; ++round) {
    const std::string a = word(), b = word();
    const std::size_t distance = editDistance(a, b);
    EXPECT_EQ(distance, editDistance(b, a));
    EXPECT_EQ(distance == 0, a == b);
    EXPECT_LE(distance, std::max(a.size(), b.size()));
    EXPECT_GE(distance, std::max(a.size(), b.size()) - std::min(a.size(), b.size()));
  }
}

TEST(TextTest, OnlyNamesThatCouldBeMeantAreSuggested) {
  const std::vector<std::string> names{"text_bytes", "object_bytes", "ir_instructions"};
  EXPECT_EQ(nearest("text_byte", names), "text_bytes");
  EXPECT_EQ(nearest("objet_bytes", names), "object_bytes");
  EXPECT_EQ(nearest("speed", names), "");
  EXPECT_EQ(nearest("x", {}), "");
}

TEST(TextTest, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  const std::vector<std::string> names{"beam", "greedy"};
  EXPECT_EQ(unknownName("searcher", "bean", names),
            "unknown searcher 'bean'; did you mean 'beam'? known: beam, greedy");
  EXPECT_EQ(unknownName("searcher", "quantum", names), "unknown searcher 'quantum'; known: beam, greedy");
  EXPECT_EQ(unknownName("action", "zzz", std::vector<std::string>(21, "gvn")), "unknown action 'zzz'");
}

TEST(TextTest, GroupsDigitsByThree) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1 000");
  EXPECT_EQ(grouped(1234567.4), "1 234 567");
  EXPECT_EQ(grouped(-1234), "-1 234");
}

TEST(TextTest, DurationsAreToldInTheUnitThatPeopleWouldUse) {
  EXPECT_EQ(duration(0), "0 s");
  EXPECT_EQ(duration(99), "99 s");
  EXPECT_EQ(duration(180), "3 min");
  EXPECT_EQ(duration(7200), "2.0 h");
}

TEST(TextTest, ChangesHaveASignUnlessThereIsNone) {
  EXPECT_EQ(change(1000, 957), "-4.30 %");
  EXPECT_EQ(change(1000, 1010), "+1.00 %");
  EXPECT_EQ(change(1000, 1000), "0.00 %");
  EXPECT_EQ(change(0, 0), "0.00 %");
  EXPECT_EQ(change(0, 5), "n/a");
}

}  // namespace
}  // namespace ordo
