#include <iostream>

#include "words.h"

int main() {
  for (const auto& [word, count] : countWords(std::cin)) std::cout << word << ' ' << count << '\n';
}
