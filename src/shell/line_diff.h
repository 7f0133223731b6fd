// What changed between two texts, line by line: the shortest edit (E. Myers, An O(ND) difference
// algorithm and its variations, Algorithmica 1986).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ordo::shell {

std::vector<std::string_view> linesOf(std::string_view text);

enum class Edit : unsigned char { kKeep, kDelete, kInsert };

struct EditLine {
  Edit edit;
  std::size_t before;  // its place in the old lines; where it would stand, if inserted
  std::size_t after;   // in the new lines; where it would stand, if deleted
};

// All lines of both texts in order. Texts so different that the search for the shortest edit would take
// noticeable time are one deletion and one insertion between what they begin and end with.
std::vector<EditLine> diffLines(const std::vector<std::string>& before,
                                const std::vector<std::string>& after);

}  // namespace ordo::shell
