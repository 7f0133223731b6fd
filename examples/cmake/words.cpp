#include "words.h"

#include <cctype>

std::map<std::string, int> countWords(std::istream& text) {
  std::map<std::string, int> counts;
  std::string word;
  while (text >> word) {
    for (char& letter : word) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    ++counts[word];
  }
  return counts;
}
