// How often each word is in a text.
#pragma once

#include <istream>
#include <map>
#include <string>

std::map<std::string, int> countWords(std::istream& text);
