// Experience as lines of JSON (docs/formats/experience.md). A line comes without its newline.
#pragma once

#include <string>

#include "experience/experience.h"

namespace ordo::experience {

std::string encode(const Header& header);

// REQUIRES: numbers are finite, and the record fits its header, as decodeRecord() checks.
std::string encode(const Record& record);

}  // namespace ordo::experience
