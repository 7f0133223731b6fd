#include "kernels.h"

#include <algorithm>
#include <array>

namespace service {
namespace {

constexpr std::size_t kTexts = 16, kRows = 1 << 15;
constexpr std::uint64_t kCompressed = 16, kParsed = 10;  // texts of a request

std::uint64_t next(std::uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) { return (hash ^ value) * 0x9e3779b97f4a7c15u; }

// Matches of four bytes and more by a hash of what was seen, as LZ77 does; the answer is over its tokens.
std::uint64_t compressOne(const std::string& text, std::uint64_t request) {
  std::array<std::uint32_t, 4096> seen{};
  std::uint64_t hash = request;
  for (std::size_t at = 0; at + 4 <= text.size();) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i) word = (word << 8) | static_cast<unsigned char>(text[at + i]);
    std::uint32_t& place = seen[(word * 2654435761u) >> 20];
    const std::size_t before = place;
    place = static_cast<std::uint32_t>(at);
    std::size_t length = 0;
    while (before < at && at + length < text.size() && text[before + length] == text[at + length]) ++length;
    hash = mix(hash, length >= 4 ? (at - before) << 16 | length : static_cast<unsigned char>(text[at]));
    at += length >= 4 ? length : 1;
  }
  return hash;
}

std::uint64_t parseOne(const std::string& text, std::uint64_t request) {
  std::uint64_t hash = request, depth = 0, number = 0;
  bool in_text = false, in_number = false;
  for (const char c : text) {
    if (in_text) {
      in_text = c != '"';
      hash = mix(hash, static_cast<unsigned char>(c));
    } else if (c >= '0' && c <= '9') {
      in_number = true;
      number = number * 10 + static_cast<std::uint64_t>(c - '0');
    } else {
      if (in_number) hash = mix(hash, number + depth);
      in_number = false;
      number = 0;
      in_text = c == '"';
      if (c == '[' || c == '{') ++depth;
      if (c == ']' || c == '}') --depth;
    }
  }
  return mix(hash, depth);
}

}  // namespace

Data makeData() {
  constexpr std::array<const char*, 8> kWords = {"loop ",   "canary ", "control ", "reward ",
                                                 "budget ", "tail ",   "weight ",  "window "};
  Data data;
  std::uint64_t state = 88172645463325252u;
  for (std::size_t i = 0; i < kTexts; ++i) {
    std::string text, document = "[";
    while (text.size() < 6000 + 400 * i) text += kWords[next(state) % kWords.size()];
    while (document.size() < 9000 + 500 * i)
      document += "{\"id\": " + std::to_string(next(state) % 100000) + ", \"w\": [1.5, -" +
                  std::to_string(next(state) % 1000) + "]}, ";
    data.texts.push_back(text);
    data.documents.push_back(document + "0]");
  }
  for (std::size_t i = 0; i < kRows; ++i) {
    data.keys.push_back(static_cast<std::int32_t>(next(state) % 1024));
    data.values.push_back(static_cast<std::int32_t>(next(state) % 4096));
    data.weights.push_back(static_cast<float>(next(state) % 97) / 97.0f);
  }
  return data;
}

std::uint64_t compress(const Data& data, std::uint64_t request) {
  std::uint64_t hash = request;
  for (std::uint64_t i = 0; i < kCompressed; ++i)
    hash = compressOne(data.texts[(request + i) % kTexts], hash);
  return hash;
}

std::uint64_t parse(const Data& data, std::uint64_t request) {
  std::uint64_t hash = request;
  for (std::uint64_t i = 0; i < kParsed; ++i) hash = parseOne(data.documents[(request + i) % kTexts], hash);
  return hash;
}

// Sums over the rows that a condition takes: what vectorising is for.
std::uint64_t query(const Data& data, std::uint64_t request) {
  const auto least = static_cast<std::int32_t>(request % 800);
  std::int64_t sum = 0, count = 0;
  std::int32_t most = 0;
  for (std::int32_t step = 1; step <= 2; ++step)
    for (std::size_t i = 0; i < kRows; ++i) {
      const bool taken = data.keys[i] >= least && data.keys[i] < least + 100 * step;
      sum += taken ? data.values[i] : 0;
      count += taken ? 1 : 0;
      most = std::max(most, taken ? data.values[i] : 0);
    }
  std::int64_t weight = 0;
  for (std::size_t i = 0; i < kRows; ++i)
    weight += static_cast<std::int64_t>(data.weights[i] * 64.0f) * data.values[i];
  return mix(mix(mix(request, static_cast<std::uint64_t>(sum)), static_cast<std::uint64_t>(count)),
             static_cast<std::uint64_t>(most) + static_cast<std::uint64_t>(weight));
}

}  // namespace service
