#include "shell/line_diff.h"

#include <algorithm>
#include <optional>

namespace ordo::shell {
namespace {

// Insertions and deletions that are searched for: the work and the memory grow with their square.
constexpr std::ptrdiff_t kMaxEdits = 2000;

using Lines = std::vector<std::string>;

// The middle parts of two texts, without what they have in common at their ends.
struct Middle {
  const Lines& before;
  const Lines& after;
  std::size_t first;  // lines in common at the beginning
  std::ptrdiff_t n;   // lines between beginning and end, in `before` ...
  std::ptrdiff_t m;   // ... and in `after`

  bool same(std::ptrdiff_t x, std::ptrdiff_t y) const {
    return before[first + static_cast<std::size_t>(x)] == after[first + static_cast<std::size_t>(y)];
  }
};

// For each number of edits d how far down each diagonal k = x - y one gets with them; entry k + d of row d.
using Trace = std::vector<std::vector<std::ptrdiff_t>>;

// Whether the best way to diagonal k with d edits ends with an insertion.
bool inserts(const std::vector<std::ptrdiff_t>& last, std::ptrdiff_t k, std::ptrdiff_t d) {
  // Diagonal j of d - 1 edits is entry j + d - 1.
  return k == -d ||
         (k != d && last[static_cast<std::size_t>(k + d - 2)] < last[static_cast<std::size_t>(k + d)]);
}

std::optional<Trace> search(const Middle& middle) {
  Trace trace;
  for (std::ptrdiff_t d = 0; d <= std::min(middle.n + middle.m, kMaxEdits); ++d) {
    std::vector<std::ptrdiff_t> row(static_cast<std::size_t>(2 * d + 1));
    for (std::ptrdiff_t k = -d; k <= d; k += 2) {
      std::ptrdiff_t x = 0;
      if (d > 0) {
        const std::vector<std::ptrdiff_t>& last = trace.back();
        x = inserts(last, k, d) ? last[static_cast<std::size_t>(k + d)]
                                : last[static_cast<std::size_t>(k + d - 2)] + 1;
      }
      while (x < middle.n && x - k < middle.m && middle.same(x, x - k)) ++x;
      row[static_cast<std::size_t>(k + d)] = x;
      if (x >= middle.n && x - k >= middle.m) {
        trace.push_back(std::move(row));
        return trace;
      }
    }
    trace.push_back(std::move(row));
  }
  return std::nullopt;
}

// The edits of `middle` from the last to the first.
std::vector<Edit> backwards(const Middle& middle, const Trace& trace) {
  std::vector<Edit> edits;
  std::ptrdiff_t x = middle.n, y = middle.m;
  for (auto d = static_cast<std::ptrdiff_t>(trace.size()) - 1; d > 0; --d) {
    const std::vector<std::ptrdiff_t>& last = trace[static_cast<std::size_t>(d - 1)];
    const std::ptrdiff_t k = x - y;
    const bool insert = inserts(last, k, d);
    const std::ptrdiff_t from_x =
        insert ? last[static_cast<std::size_t>(k + d)] : last[static_cast<std::size_t>(k + d - 2)];
    const std::ptrdiff_t start_x = insert ? from_x : from_x + 1;
    for (; x > start_x; --x, --y) edits.push_back(Edit::kKeep);
    edits.push_back(insert ? Edit::kInsert : Edit::kDelete);
    (insert ? y : x) -= 1;
  }
  edits.insert(edits.end(), static_cast<std::size_t>(x), Edit::kKeep);
  return edits;
}

}  // namespace

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::vector<EditLine> diffLines(const Lines& before, const Lines& after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t first = 0, last = 0;
  while (first < shorter && before[first] == after[first]) ++first;
  while (last < shorter - first && before[before.size() - 1 - last] == after[after.size() - 1 - last]) ++last;
  const Middle middle{before, after, first, static_cast<std::ptrdiff_t>(before.size() - first - last),
                      static_cast<std::ptrdiff_t>(after.size() - first - last)};

  std::vector<Edit> edits(first, Edit::kKeep);
  if (const std::optional<Trace> trace = search(middle)) {
    const std::vector<Edit> reversed = backwards(middle, *trace);
    edits.insert(edits.end(), reversed.rbegin(), reversed.rend());
  } else {
    edits.insert(edits.end(), static_cast<std::size_t>(middle.n), Edit::kDelete);
    edits.insert(edits.end(), static_cast<std::size_t>(middle.m), Edit::kInsert);
  }
  edits.insert(edits.end(), last, Edit::kKeep);

  std::vector<EditLine> lines;
  std::size_t x = 0, y = 0;
  for (const Edit edit : edits) {
    lines.push_back({edit, x, y});
    if (edit != Edit::kInsert) ++x;
    if (edit != Edit::kDelete) ++y;
  }
  return lines;
}

}  // namespace ordo::shell
