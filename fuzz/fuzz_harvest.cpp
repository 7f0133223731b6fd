// The files of a harvest: no text may crash a reader, and what is accepted must survive being written
// and read again. The first byte chooses the reader.
#include <cstddef>
#include <cstdint>

#include "datasets/harvest_manifest.h"
#include "datasets/harvest_store.h"
#include "harvest/hashes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ordo;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 3) {
    case 0:
      if (const auto manifest = datasets::parseHarvestManifest(text, "debian.toml"); !manifest)
        ORDO_CHECK(!manifest.error().message.empty(), "an error that says nothing");
      break;
    case 1:
      if (const auto record = datasets::parsePackageRecord(text, "record")) {
        const std::string written = datasets::writePackageRecord(*record);
        const auto again = datasets::parsePackageRecord(written, "record");
        ORDO_CHECK(again && datasets::writePackageRecord(*again) == written, "another record was read");
      }
      break;
    default:
      if (const auto hashes = harvest::parseHashes(text, "hashes")) {
        const auto again = harvest::parseHashes(harvest::writeHashes(*hashes), "hashes");
        ORDO_CHECK(again && *again == *hashes, "other hashes were read");
      }
  }
  return 0;
}
