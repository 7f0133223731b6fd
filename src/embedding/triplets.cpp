#include "embedding/triplets.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace ordo::embedding {
namespace {

// The next line of `text`, which is shortened by it.
std::string_view takeLine(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// Takes a number and what must stand behind it.
bool takeNumber(std::string_view& line, std::string_view behind, std::uint32_t& number) {
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc{}) return false;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  if (!line.starts_with(behind)) return false;
  line.remove_prefix(behind.size());
  return true;
}

}  // namespace

Result<std::vector<std::string>> parseEntities(std::string_view text) {
  const auto wrong = [](std::size_t line) {
    return fail(ErrorCode::kCorrupt, "llvm-ir2vec entities: line {} is not as expected", line);
  };
  std::string_view line = takeLine(text);
  std::uint32_t count = 0;
  if (!takeNumber(line, "", count) || !line.empty()) return wrong(1);
  std::vector<std::string> names;
  while (!text.empty()) {
    line = takeLine(text);
    const std::size_t tab = line.find('\t');
    if (tab == 0 || tab == std::string_view::npos) return wrong(names.size() + 2);
    std::string_view rest = line.substr(tab + 1);
    std::uint32_t number = 0;
    if (!takeNumber(rest, "", number) || !rest.empty() || number != names.size()) {
      return wrong(names.size() + 2);
    }
    names.emplace_back(line.substr(0, tab));
  }
  if (names.size() != count) return wrong(names.size() + 2);
  return names;
}

Status TripletSet::add(std::string_view text, std::string_view name) {
  std::string_view line = takeLine(text);
  constexpr std::string_view kHeader = "MAX_RELATION=";
  std::uint32_t largest = 0;
  if (!line.starts_with(kHeader)) return fail(ErrorCode::kCorrupt, "{}: no triplets", name);
  line.remove_prefix(kHeader.size());
  if (!takeNumber(line, "", largest)) return fail(ErrorCode::kCorrupt, "{}: no triplets", name);
  std::size_t relations = relations_;
  std::vector<Triplet> added;
  while (!text.empty()) {
    line = takeLine(text);
    Triplet triplet;
    if (!takeNumber(line, "\t", triplet.head) || !takeNumber(line, "\t", triplet.tail) ||
        !takeNumber(line, "", triplet.relation) || !line.empty() || triplet.head >= entities_ ||
        triplet.tail >= entities_ || triplet.relation > largest) {
      return fail(ErrorCode::kCorrupt, "{}: triplet {} is not one", name, added.size() + 1);
    }
    relations = std::max<std::size_t>(relations, triplet.relation + 1);
    added.push_back(triplet);
  }
  relations_ = relations;
  read_ += added.size();
  triplets_.insert(triplets_.end(), added.begin(), added.end());
  std::sort(triplets_.begin(), triplets_.end());
  triplets_.erase(std::unique(triplets_.begin(), triplets_.end()), triplets_.end());
  return {};
}

Split split(const std::vector<Triplet>& triplets, double share, Rng& rng) {
  std::vector<Triplet> shuffled = triplets;
  rng.shuffle(std::span(shuffled));
  const auto count = std::llround(share * static_cast<double>(shuffled.size()));
  return {{shuffled.begin() + count, shuffled.end()}, {shuffled.begin(), shuffled.begin() + count}};
}

}  // namespace ordo::embedding
