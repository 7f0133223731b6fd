// textsearch - finds words in a text with three algorithms.
//
// Standard input is a list of patterns, one per line, then a line "--", then the text. Every pattern is
// searched with Knuth-Morris-Pratt and with Boyer-Moore-Horspool, and all of them at once with an
// Aho-Corasick automaton; the three must agree. It prints how often each pattern occurs and on which lines
// first, then the longest repeated substring of the text, found with a suffix array.

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <queue>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Positions = std::vector<size_t>;

Positions find_kmp(std::string_view text, std::string_view pattern) {
  std::vector<size_t> border(pattern.size() + 1, 0);
  for (size_t i = 1, k = 0; i < pattern.size(); i++) {
    while (k > 0 && pattern[i] != pattern[k]) k = border[k];
    if (pattern[i] == pattern[k]) k++;
    border[i + 1] = k;
  }
  Positions found;
  for (size_t i = 0, k = 0; i < text.size(); i++) {
    while (k > 0 && (k == pattern.size() || text[i] != pattern[k])) k = border[k];
    if (text[i] == pattern[k]) k++;
    if (k == pattern.size()) found.push_back(i + 1 - k);
  }
  return found;
}

Positions find_horspool(std::string_view text, std::string_view pattern) {
  std::array<size_t, 256> skip;
  skip.fill(pattern.size());
  for (size_t i = 0; i + 1 < pattern.size(); i++) {
    skip[static_cast<unsigned char>(pattern[i])] = pattern.size() - 1 - i;
  }
  Positions found;
  for (size_t at = 0; at + pattern.size() <= text.size();) {
    if (text.substr(at, pattern.size()) == pattern) found.push_back(at);
    at += skip[static_cast<unsigned char>(text[at + pattern.size() - 1])];
  }
  return found;
}

class AhoCorasick {
 public:
  explicit AhoCorasick(const std::vector<std::string>& patterns) : nodes_(1) {
    for (size_t i = 0; i < patterns.size(); i++) add(patterns[i], static_cast<int>(i));
    link();
  }

  // Calls found(pattern number, end position) for every occurrence.
  template <typename Found>
  void scan(std::string_view text, Found found) const {
    int state = 0;
    for (size_t i = 0; i < text.size(); i++) {
      state = step(state, text[i]);
      for (int at = state; at > 0; at = node(at).report) {
        if (node(at).pattern >= 0) found(node(at).pattern, i + 1);
      }
    }
  }

  size_t size() const { return nodes_.size(); }

 private:
  struct Node {
    std::vector<std::pair<char, int>> next;  // sorted by character
    int fail = 0;
    int report = 0;  // the nearest node on the failure path that ends a pattern
    int pattern = -1;
  };

  Node& node(int i) { return nodes_[static_cast<size_t>(i)]; }
  const Node& node(int i) const { return nodes_[static_cast<size_t>(i)]; }

  int child(int at, char c) const {
    const auto& next = node(at).next;
    auto it =
        std::lower_bound(next.begin(), next.end(), c, [](const auto& e, char key) { return e.first < key; });
    return it != next.end() && it->first == c ? it->second : -1;
  }

  int step(int state, char c) const {
    for (;;) {
      int next = child(state, c);
      if (next >= 0) return next;
      if (state == 0) return 0;
      state = node(state).fail;
    }
  }

  void add(const std::string& pattern, int number) {
    int at = 0;
    for (char c : pattern) {
      int next = child(at, c);
      if (next < 0) {
        next = static_cast<int>(nodes_.size());
        nodes_.emplace_back();
        auto& edges = node(at).next;
        edges.insert(std::upper_bound(edges.begin(), edges.end(), std::make_pair(c, 0)), {c, next});
      }
      at = next;
    }
    node(at).pattern = number;
  }

  // Breadth first, so that the shorter suffixes a node falls back to are already linked.
  void link() {
    std::queue<int> todo;
    for (const auto& edge : nodes_[0].next) todo.push(edge.second);
    while (!todo.empty()) {
      int at = todo.front();
      todo.pop();
      for (const auto& [c, next] : node(at).next) {
        int fail = step(node(at).fail, c);
        node(next).fail = fail;
        node(next).report = node(fail).pattern >= 0 ? fail : node(fail).report;
        todo.push(next);
      }
    }
  }

  std::vector<Node> nodes_;
};

// Sorts all suffixes by doubling the length that is compared.
std::vector<int> suffix_array(std::string_view text) {
  int n = static_cast<int>(text.size());
  std::vector<int> order(text.size()), rank(text.begin(), text.end()), next(text.size());
  std::iota(order.begin(), order.end(), 0);
  for (int step = 1;; step *= 2) {
    auto key = [&](int i) {
      return std::make_pair(rank[static_cast<size_t>(i)],
                            i + step < n ? rank[static_cast<size_t>(i + step)] : -1000);
    };
    std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
    int classes = 0;
    for (size_t i = 0; i < order.size(); i++) {
      if (i > 0 && key(order[i - 1]) != key(order[i])) classes++;
      next[static_cast<size_t>(order[i])] = classes;
    }
    rank = next;
    if (classes == n - 1 || step >= n) return order;
  }
}

std::string_view longest_repeat(std::string_view text) {
  std::string_view best;
  std::vector<int> order = suffix_array(text);
  for (size_t i = 1; i < order.size(); i++) {
    std::string_view a = text.substr(static_cast<size_t>(order[i - 1]));
    std::string_view b = text.substr(static_cast<size_t>(order[i]));
    size_t limit = std::min(a.size(), b.size());
    size_t same = static_cast<size_t>(
        std::mismatch(a.begin(), a.begin() + static_cast<long>(limit), b.begin()).first - a.begin());
    if (same > best.size()) best = a.substr(0, same);
  }
  return best;
}

std::vector<size_t> line_starts(std::string_view text) {
  std::vector<size_t> starts{0};
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] == '\n') starts.push_back(i + 1);
  }
  return starts;
}

void print_occurrences(const std::string& pattern, const Positions& at, const std::vector<size_t>& lines) {
  std::printf("%-14s %4zu", pattern.c_str(), at.size());
  size_t last = 0;
  int printed = 0;
  for (size_t position : at) {
    size_t line = static_cast<size_t>(std::upper_bound(lines.begin(), lines.end(), position) - lines.begin());
    if (line == last) continue;
    last = line;
    if (printed++ == 6) {
      std::printf(" ...");
      break;
    }
    std::printf(" %zu", line);
  }
  std::printf("\n");
}

std::string printable(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

int main() {
  std::vector<std::string> patterns;
  std::string line, text;
  bool separated = false;
  while (std::getline(std::cin, line)) {
    if (separated) {
      text += line + "\n";
    } else if (line == "--") {
      separated = true;
    } else if (!line.empty()) {
      patterns.push_back(line);
    }
  }
  if (!separated || patterns.empty()) {
    std::puts("textsearch: patterns, a line \"--\" and a text wanted");
    return 1;
  }
  std::sort(patterns.begin(), patterns.end());
  patterns.erase(std::unique(patterns.begin(), patterns.end()), patterns.end());

  AhoCorasick automaton(patterns);
  std::vector<Positions> found(patterns.size());
  automaton.scan(text, [&](int pattern, size_t end) {
    found[static_cast<size_t>(pattern)].push_back(end - patterns[static_cast<size_t>(pattern)].size());
  });
  std::vector<size_t> lines = line_starts(text);
  int missing = 0;
  for (size_t i = 0; i < patterns.size(); i++) {
    if (found[i] != find_kmp(text, patterns[i]) || found[i] != find_horspool(text, patterns[i])) {
      std::printf("%s: the algorithms disagree\n", patterns[i].c_str());
      return 2;
    }
    print_occurrences(patterns[i], found[i], lines);
    missing += found[i].empty();
  }
  std::printf("%zu states, %d patterns missing\n", automaton.size(), missing);
  std::printf("longest repeat \"%s\"\n", printable(longest_repeat(text)).c_str());
  return missing > 0 ? 3 : 0;
}
