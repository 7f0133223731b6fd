// Experience may come from other people and be cut off anywhere: no file may crash the reader, and what it
// accepts must survive being written and read again, also in its slim form.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "experience/decode.h"
#include "experience/encode.h"
#include "experience/slim.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ordo;
  using namespace ordo::experience;
  // As a Reader does, but without a file: a header, then records.
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto line = [&] {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view first = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return first;
  };
  const auto header = decodeHeader(line(), "experience.jsonl:1");
  if (!header) {
    ORDO_CHECK(!header.error().message.empty(), "an error that says nothing");
    return 0;
  }
  ORDO_CHECK(*decodeHeader(encode(*header), "again") == *header, "another header was read than was written");
  while (!text.empty()) {
    const auto record = decodeRecord(line(), *header, "experience.jsonl:2");
    if (!record) {
      ORDO_CHECK(!record.error().message.empty(), "an error that says nothing");
      continue;
    }
    const std::string written = encode(*record);
    const auto again = decodeRecord(written, *header, "again");
    ORDO_CHECK(again.has_value(), "what was written is not read: {}", again.error().message);
    ORDO_CHECK(encode(*again) == written, "another record was read than was written");
    const Run* const run = std::get_if<Run>(&*record);
    if (run == nullptr) continue;
    const auto small =
        decodeRecord(encode(Record(slim(*run, {.best = 1, .others = 2, .seed = 3}))), *header, "slim");
    ORDO_CHECK(small.has_value(), "the slim form is not read: {}", small.error().message);
    ORDO_CHECK(std::get<Run>(*small).tried.size() <= 3, "the slim form is not slim");
  }
  return 0;
}
