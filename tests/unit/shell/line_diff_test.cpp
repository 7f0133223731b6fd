#include "shell/line_diff.h"

#include <gtest/gtest.h>

#include "support/rng.h"

namespace ordo::shell {
namespace {

using Lines = std::vector<std::string>;

// What the edits make of `before`, taking inserted lines from `after`.
Lines patched(const Lines& before, const Lines& after, const std::vector<EditLine>& edits) {
  Lines result;
  for (const EditLine& line : edits) {
    if (line.edit == Edit::kKeep) result.push_back(before[line.before]);
    if (line.edit == Edit::kInsert) result.push_back(after[line.after]);
  }
  return result;
}

std::size_t changes(const std::vector<EditLine>& edits) {
  std::size_t count = 0;
  for (const EditLine& line : edits) count += line.edit == Edit::kKeep ? 0 : 1;
  return count;
}

// The length of a longest common subsequence, the slow way.
std::size_t common(const Lines& a, const Lines& b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      table[i + 1][j + 1] = a[i] == b[j] ? table[i][j] + 1 : std::max(table[i][j + 1], table[i + 1][j]);
    }
  }
  return table[a.size()][b.size()];
}

TEST(LineDiffTest, SplitsLines) {
  EXPECT_TRUE(linesOf("").empty());
  EXPECT_EQ(linesOf("a\n\nb"), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_EQ(linesOf("a\n").size(), 1u);
}

TEST(LineDiffTest, EditsAreShortestAndMakeTheOtherText) {
  Rng rng(3);
  const auto text = [&] {
    Lines lines(rng.below(12));
    for (std::string& line : lines) line = std::string(1, static_cast<char>('a' + rng.below(4)));
    return lines;
  };
  for (int round = 0; round < 2000; ++round) {
    const Lines before = text(), after = text();
    const std::vector<EditLine> edits = diffLines(before, after);
    EXPECT_EQ(patched(before, after, edits), after);
    EXPECT_EQ(changes(edits), before.size() + after.size() - 2 * common(before, after));
  }
}

TEST(LineDiffTest, TextsWithNothingInCommonAreReplacedInGoodTime) {
  Lines before, after;
  for (int i = 0; i < 30000; ++i) {
    before.push_back("old " + std::to_string(i));
    after.push_back("new " + std::to_string(i));
  }
  before.front() = after.front() = "same";
  before.back() = after.back() = "same";
  const std::vector<EditLine> edits = diffLines(before, after);
  EXPECT_EQ(patched(before, after, edits), after);
  EXPECT_EQ(edits.front().edit, Edit::kKeep);
  EXPECT_EQ(edits.back().edit, Edit::kKeep);
}

}  // namespace
}  // namespace ordo::shell
