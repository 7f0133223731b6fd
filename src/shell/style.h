// How what the shell says is drawn.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ordo::shell {

struct Style {
  bool color = false;      // escape sequences of ANSI terminals
  bool utf8 = false;       // blocks and lines; else ASCII
  std::size_t width = 80;  // columns
  std::size_t lines = 0;   // long texts are cut after so many lines; 0: never
};

enum class Color { kRed, kGreen, kCyan, kBold, kDim };

inline std::string paint(const Style& style, Color color, std::string_view text) {
  if (!style.color || text.empty()) return std::string(text);
  constexpr const char* kCodes[] = {"31", "32", "36", "1", "2"};
  return std::string("\033[") + kCodes[static_cast<int>(color)] + "m" + std::string(text) + "\033[0m";
}

}  // namespace ordo::shell
