// Columns of text that line up, for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ordo {

struct Table {
  std::vector<std::string> columns;  // their headings; none: no line of headings
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> right = {};  // which columns are set against their right edge; numbers are
};

// How many columns of a terminal `text` takes: its code points, none of which is
// wide. Sequences that set a colour take none.
std::size_t columnsOf(std::string_view text);

// One line for the headings and for each row, without spaces at their ends. Rows may be shorter than the
// headings.
std::string format(const Table& table);

}  // namespace ordo
