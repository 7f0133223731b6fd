#include "support/table.h"

#include <algorithm>

namespace ordo {

std::size_t columnsOf(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("\033[")) {
      i = std::min(text.find('m', i), text.size() - 1);
    } else if ((text[i] & '\xC0') != '\x80') {  // others continue a code point of UTF-8
      ++columns;
    }
  }
  return columns;
}

std::string format(const Table& table) {
  std::vector<std::vector<std::string>> lines;
  if (!table.columns.empty()) lines.push_back(table.columns);
  lines.insert(lines.end(), table.rows.begin(), table.rows.end());
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], columnsOf(line[i]));
  }
  std::string text;
  for (const std::vector<std::string>& line : lines) {
    std::size_t due = 0;  // spaces between what was written and what comes next
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::size_t padding = widths[i] - columnsOf(line[i]);
      const bool right = i < table.right.size() && table.right[i];
      if (!line[i].empty()) {
        text += std::string(due + (right ? padding : 0), ' ') + line[i];
        due = 0;
      }
      due += 2 + (line[i].empty() ? widths[i] : right ? 0 : padding);
    }
    text += '\n';
  }
  return text;
}

}  // namespace ordo
