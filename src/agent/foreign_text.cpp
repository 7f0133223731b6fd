#include "agent/foreign_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ordo::agent {
namespace {

// What templates of chats begin and end their frames with, in small letters.
constexpr auto kMarks = std::to_array<std::string_view>({"<|", "|>", "<tool", "</tool", "<think", "</think",
                                                         "<answer", "</answer", "<s>", "</s>", "[inst",
                                                         "[/inst", "<<sys", "<start_of", "<end_of"});

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool startsWith(std::string_view text, std::string_view mark) {
  return text.size() >= mark.size() &&
         std::equal(mark.begin(), mark.end(), text.begin(), [](char a, char b) { return a == lower(b); });
}

}  // namespace

std::string foreignText(std::string_view text, std::size_t most) {
  std::string_view shown = text.substr(0, most);
  // Not in the middle of a character of UTF-8.
  while (shown.size() < text.size() && !shown.empty() &&
         (static_cast<unsigned char>(text[shown.size()]) & 0xc0) == 0x80)
    shown.remove_suffix(1);
  std::string result;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto byte = static_cast<unsigned char>(shown[i]);
    const bool control = (byte < 0x20 && shown[i] != '\n' && shown[i] != '\t') || byte == 0x7f;
    result += control ? ' ' : shown[i];
    const bool mark = std::ranges::any_of(
        kMarks, [&](std::string_view known) { return startsWith(shown.substr(i), known); });
    if (mark) result += ' ';
  }
  if (shown.size() < text.size()) result += fmt::format("\n({} more bytes)", text.size() - shown.size());
  return result;
}

}  // namespace ordo::agent
