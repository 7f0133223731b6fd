// Files come from anywhere, so every length is checked before it is used. checkLayout() sorts the tensors by
// where they lie and wants each to begin where the one before ends, up to the end of the file: that excludes
// overlaps, holes and leftovers at once, and makes all copies after it safe. The writer pads the header with
// spaces, so that the numbers behind it are aligned.
#include "policy/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <tuple>

#include "support/json.h"

namespace ordo::policy {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in the file");

constexpr std::string_view kMetadata = "__metadata__";
constexpr std::size_t kLengthBytes = sizeof(std::uint64_t);

// What the header says of a tensor.
struct Entry {
  std::string name;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0;  // in bytes after the header
  std::uint64_t end = 0;
  std::size_t position = 0;  // in the header
};

Result<std::vector<std::uint64_t>> readCounts(const JsonObject& object, const Json& json,
                                              std::string_view key) {
  const auto wrong = [&] {
    return fail(ErrorCode::kCorrupt, "{}: the field '{}' should be a list of whole numbers from 0 on",
                object.where(), key);
  };
  const auto found = json.find(key);
  if (found == json.end())
    return fail(ErrorCode::kCorrupt, "{}: the field '{}' is missing", object.where(), key);
  if (!found->is_array()) return wrong();
  std::vector<std::uint64_t> counts;
  for (const Json& count : *found) {
    if (!count.is_number_unsigned()) return wrong();
    counts.push_back(count.get<std::uint64_t>());
  }
  return counts;
}

// 4 · product(shape), unless that is more than 64 bits hold.
std::optional<std::uint64_t> byteSize(const std::vector<std::uint64_t>& shape) {
  std::uint64_t bytes = sizeof(float);
  for (const std::uint64_t extent : shape) {
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return std::nullopt;
  }
  return bytes;
}

Result<Entry> readEntry(const std::string& tensor, const Json& json, std::string_view file) {
  ORDO_TRY_ASSIGN(const JsonObject object,
                  JsonObject::of(json, fmt::format("{}: tensor '{}'", file, tensor)));
  ORDO_TRY(object.onlyHas({"dtype", "shape", "data_offsets"}));
  ORDO_TRY_ASSIGN(const std::string dtype, object.get<std::string>("dtype"));
  if (dtype != "F32") {
    return fail(ErrorCode::kUnsupported, "{}: the field 'dtype' is {}; only F32 is read here", object.where(),
                dtype);
  }
  Entry entry{.name = tensor, .shape = {}};
  ORDO_TRY_ASSIGN(entry.shape, readCounts(object, json, "shape"));
  ORDO_TRY_ASSIGN(const std::vector<std::uint64_t> offsets, readCounts(object, json, "data_offsets"));
  if (offsets.size() != 2 || offsets[0] > offsets[1]) {
    return fail(ErrorCode::kCorrupt, "{}: the field 'data_offsets' should be where it begins and ends",
                object.where());
  }
  entry.begin = offsets[0];
  entry.end = offsets[1];
  const std::optional<std::uint64_t> bytes = byteSize(entry.shape);
  if (!bytes) return fail(ErrorCode::kCorrupt, "{}: the field 'shape' is too large", object.where());
  if (*bytes != entry.end - entry.begin) {
    return fail(ErrorCode::kCorrupt, "{}: 'shape' needs {} bytes and 'data_offsets' has {}", object.where(),
                *bytes, entry.end - entry.begin);
  }
  return entry;
}

Result<std::map<std::string, std::string>> readMetadata(const Json& json, std::string_view file) {
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, fmt::format("{}: {}", file, kMetadata)));
  std::map<std::string, std::string> metadata;
  for (const auto& [key, value] : json.items()) {
    ORDO_TRY_ASSIGN(metadata[key], object.get<std::string>(key));
  }
  return metadata;
}

Result<Json> readHeader(std::string_view bytes, std::string_view file) {
  if (bytes.size() < kLengthBytes) {
    return fail(ErrorCode::kCorrupt, "{} is no safetensors file: it has {} bytes", file, bytes.size());
  }
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > kMaxHeaderBytes) {
    return fail(ErrorCode::kCorrupt, "{}: the header should have {} bytes; at most {} are read", file, length,
                kMaxHeaderBytes);
  }
  if (length > bytes.size() - kLengthBytes) {
    return fail(ErrorCode::kCorrupt, "{}: the header should have {} bytes and the file ends after {}", file,
                length, bytes.size() - kLengthBytes);
  }
  const std::string_view header = bytes.substr(kLengthBytes, length);
  if (!header.starts_with('{')) return fail(ErrorCode::kCorrupt, "{}: the header is no JSON object", file);
  return parseJsonWithUniqueKeys(header, fmt::format("{}: the header", file));
}

// Holds what the tensors occupy to [0, size), each byte once. Sorts `entries` by where they lie.
Status checkLayout(std::vector<Entry>& entries, std::uint64_t size, std::string_view file) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.begin, a.end, a.position) < std::tie(b.begin, b.end, b.position);
  });
  std::uint64_t end = 0;
  for (const Entry& entry : entries) {
    if (entry.begin != end) {
      return fail(ErrorCode::kCorrupt,
                  "{}: tensor '{}': 'data_offsets' begins at {}, the one before ends at {}", file, entry.name,
                  entry.begin, end);
    }
    end = entry.end;
    if (end > size) {
      return fail(ErrorCode::kCorrupt,
                  "{}: tensor '{}' ends at byte {} of the data, and there are {}: the file is cut off", file,
                  entry.name, end, size);
    }
  }
  if (end < size) return fail(ErrorCode::kCorrupt, "{}: {} bytes after the last tensor", file, size - end);
  return {};
}

}  // namespace

Result<SafeTensors> parseSafetensors(std::string_view bytes, std::string_view name) {
  ORDO_TRY_ASSIGN(const Json header, readHeader(bytes, name));
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  const std::string_view data = bytes.substr(kLengthBytes + length);

  SafeTensors file;
  std::vector<Entry> entries;
  for (const auto& [key, value] : header.items()) {
    if (key == kMetadata) {
      ORDO_TRY_ASSIGN(file.metadata, readMetadata(value, name));
    } else {
      ORDO_TRY_ASSIGN(Entry entry, readEntry(key, value, name));
      entry.position = entries.size();
      entries.push_back(std::move(entry));
    }
  }
  ORDO_TRY(checkLayout(entries, data.size(), name));

  for (Entry& entry : entries) {
    Tensor tensor{std::move(entry.name), std::move(entry.shape), {}};
    tensor.values.resize((entry.end - entry.begin) / sizeof(float));
    std::copy_n(data.data() + entry.begin, entry.end - entry.begin,
                reinterpret_cast<char*>(tensor.values.data()));
    const auto bad = std::find_if(tensor.values.begin(), tensor.values.end(),
                                  [](float value) { return !std::isfinite(value); });
    if (bad != tensor.values.end()) {
      return fail(ErrorCode::kCorrupt, "{}: tensor '{}': value {} is {}", name, tensor.name,
                  bad - tensor.values.begin(), *bad);
    }
    file.tensors.push_back(std::move(tensor));
  }
  return file;
}

std::string writeSafetensors(const SafeTensors& file) {
  Json header = Json::object();
  if (!file.metadata.empty()) header[std::string(kMetadata)] = file.metadata;
  std::uint64_t end = 0;
  for (const Tensor& tensor : file.tensors) {
    const std::uint64_t begin = end;
    end += tensor.values.size() * sizeof(float);
    ORDO_CHECK(byteSize(tensor.shape) == end - begin, "the shape of '{}' does not fit", tensor.name);
    ORDO_CHECK(!header.contains(tensor.name) && tensor.name != kMetadata, "two tensors '{}'", tensor.name);
    header[tensor.name] = {{"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
  }
  std::string text = writeJson(header);
  text.resize((text.size() + kLengthBytes - 1) / kLengthBytes * kLengthBytes, ' ');  // so that numbers align

  const std::uint64_t length = text.size();
  std::string bytes(kLengthBytes, '\0');
  std::memcpy(bytes.data(), &length, kLengthBytes);
  bytes += text;
  for (const Tensor& tensor : file.tensors) {
    bytes.append(reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size() * sizeof(float));
  }
  return bytes;
}

}  // namespace ordo::policy
