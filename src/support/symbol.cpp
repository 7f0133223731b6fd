#include "support/symbol.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace ordo {
namespace {

// A name may say of a type that it is made of two of another, of which each is made of two, and so on: with
// so many references to what was said before, and so many bytes, what comes of it is bounded.
constexpr std::ptrdiff_t kReferences = 30;
constexpr std::size_t kMangledBytes = 1000, kShownBytes = 1000;

bool isWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
         c == '$';
}

// Of a name that stands in IR without quotes.
bool isPlain(char c) { return isWord(c) || c == '-'; }

int hexDigit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

// How many bytes the character of UTF-8 that `text` begins with has; 0 if it begins with none.
std::size_t characterAt(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool too_long = first == 0xe0 && byte(1) < 0xa0, surrogate = first == 0xed && byte(1) > 0x9f;
    return follows(1) && follows(2) && !too_long && !surrogate ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool too_long = first == 0xf0 && byte(1) < 0x90, beyond = first == 0xf4 && byte(1) > 0x8f;
    return follows(1) && follows(2) && follows(3) && !too_long && !beyond ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string shownSymbol(std::string_view bytes) {
  std::string shown;
  while (!bytes.empty()) {
    const std::size_t size = characterAt(bytes);
    const auto byte = static_cast<unsigned char>(bytes[0]);
    if (size == 0 || byte < 0x20 || byte == 0x7f || byte == '\\') {
      shown += fmt::format("\\{:02X}", byte);
      bytes.remove_prefix(1);
    } else {
      shown += bytes.substr(0, size);
      bytes.remove_prefix(size);
    }
  }
  return shown;
}

std::string unescapedSymbol(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      bytes += text[i];
      continue;
    }
    const int high = hexDigit(text[i + 1]), low = i + 2 < text.size() ? hexDigit(text[i + 2]) : -1;
    if (high >= 0 && low >= 0) {
      bytes += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      ++i;
      bytes += text[i] == 'n' ? '\n' : text[i];
    }
  }
  return bytes;
}

std::string symbolOfIr(std::string_view text, std::size_t& length) {
  length = 0;
  if (text.starts_with('"')) {
    const std::size_t end = text.find('"', 1);  // one in the name is "\22"
    if (end == std::string_view::npos) return "";
    length = end + 1;
    return shownSymbol(unescapedSymbol(text.substr(1, end - 1)));
  }
  while (length < text.size() && isPlain(text[length])) ++length;
  return std::string(text.substr(0, length));
}

std::string demangled(const std::string& symbol) {
  const auto references = std::ranges::count_if(symbol, [](char c) { return c == 'S' || c == 'T'; });
  if (!symbol.starts_with("_Z") || symbol.size() > kMangledBytes || references > kReferences) return symbol;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0) return symbol;
  std::string shown = text.get();
  return shown.size() > kShownBytes ? symbol : shown;
}

std::string demangledIn(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const bool begins = text.substr(i).starts_with("_Z") && (i == 0 || !isWord(text[i - 1]));
    std::size_t end = i + 1;
    while (begins && end < text.size() && isWord(text[end])) ++end;
    result += begins ? demangled(std::string(text.substr(i, end - i))) : std::string(1, text[i]);
    i = end;
  }
  return result;
}

}  // namespace ordo
