// Lines of JSON as experience. Reading is strict: a field that is missing, unknown, of another type or out
// of range is kCorrupt, with `where` ("experience.jsonl:7") and the field in the message.
#pragma once

#include <string_view>

#include "experience/experience.h"
#include "support/error.h"

namespace ordo::experience {

// kUnsupported for a newer format.
Result<Header> decodeHeader(std::string_view line, std::string_view where);

// Whatever is accepted fits `header`: indices are in range, states are as long and as wide as it says.
Result<Record> decodeRecord(std::string_view line, const Header& header, std::string_view where);

}  // namespace ordo::experience
