#include "spaces/space.h"

#include <algorithm>
#include <system_error>
#include <unordered_map>

#include "support/files.h"
#include "support/text.h"

namespace ordo::spaces {
namespace {

constexpr std::string_view kSuffix = ".txt";

struct Line {
  std::string name;
  std::size_t number = 0;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

Result<std::vector<Line>> parseLines(std::string_view text) {
  std::vector<Line> lines;
  std::unordered_map<std::string, std::size_t> seen;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view word = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty() || word.front() == '#') continue;
    if (!isActionName(word))
      return fail(ErrorCode::kCorrupt, "line {}: '{}' is not an action name", number, word);
    const auto [first, is_new] = seen.emplace(word, number);
    if (!is_new) {
      return fail(ErrorCode::kCorrupt, "line {}: '{}' is already on line {}", number, word, first->second);
    }
    lines.push_back({std::string(word), number});
  }
  if (lines.empty()) return fail(ErrorCode::kCorrupt, "there is no action in it");
  return lines;
}

Result<Space> resolve(std::string name, std::string_view text, const Manifest& manifest) {
  ORDO_TRY_ASSIGN(const std::vector<Line> lines, parseLines(text));
  Space space{std::move(name), {}, {}, {}};
  for (const Line& line : lines) {
    const ManifestRow* row = manifest.find(line.name);
    if (row == nullptr) {
      return fail(ErrorCode::kNotFound, "line {}: {}", line.number,
                  unknownName("action", line.name, manifest.names()));
    }
    if (!isSafe(*row)) space.unsafe.push_back(static_cast<env::ActionIndex>(space.actions.size()));
    space.actions.push_back(row->action());
  }
  space.hash = spaceHash(space.actions);
  return space;
}

// What the hash of a space is of, for one action.
std::string hashedLine(const env::Action& action) {
  return fmt::format("{}\t{}\t{}\n", action.name, action.kind, action.text);
}

}  // namespace

Hash128 spaceHash(const std::vector<env::Action>& actions) {
  std::string bytes;
  for (const env::Action& action : actions) bytes += hashedLine(action);
  return hashBytes(bytes);
}

bool isSafe(const ManifestRow& row) {
  return row.probe.status == ProbeStatus::kOk && row.probe.deterministic && !row.trap;
}

Result<std::vector<std::string>> parseSpace(std::string_view text) {
  ORDO_TRY_ASSIGN(std::vector<Line> lines, parseLines(text));
  std::vector<std::string> names;
  for (Line& line : lines) names.push_back(std::move(line.name));
  return names;
}

std::string writeSpace(const std::vector<std::string>& names, std::string_view comment) {
  std::string text;
  while (!comment.empty()) {
    const std::size_t end = std::min(comment.find('\n'), comment.size());
    text += fmt::format("# {}\n", comment.substr(0, end));
    comment.remove_prefix(std::min(end + 1, comment.size()));
  }
  for (const std::string& name : names) text += name + '\n';
  return text;
}

Result<Space> loadSpace(const std::filesystem::path& data, std::string_view name_or_path,
                        const Manifest& manifest) {
  const bool is_path = name_or_path.find('/') != std::string_view::npos || name_or_path.ends_with(kSuffix);
  const std::filesystem::path file = is_path ? std::filesystem::path(name_or_path)
                                             : data / "spaces" / fmt::format("{}{}", name_or_path, kSuffix);
  Result<std::string> text = readFile(file);
  if (!text) {
    if (is_path || text.error().code != ErrorCode::kNotFound) return fail(std::move(text).error());
    return fail(ErrorCode::kNotFound, "{}", unknownName("space", name_or_path, listSpaces(data)));
  }
  Result<Space> space = resolve(file.stem().string(), *text, manifest);
  if (!space) return fail(std::move(space).error().context(file.string()));
  return space;
}

Result<Space> beginning(const Space& space, const Hash128& hash) {
  std::string bytes;
  for (std::size_t count = 1; count <= space.actions.size(); ++count) {
    bytes += hashedLine(space.actions[count - 1]);
    if (hashBytes(bytes) != hash) continue;
    Space found = space;
    found.actions.resize(count);
    std::erase_if(found.unsafe, [&](env::ActionIndex index) { return index >= count; });
    found.hash = hash;
    return found;
  }
  return fail(ErrorCode::kUnsupported,
              "the space '{}' has other actions now (hash {}), and none of its beginnings has the hash {}; "
              "take the file of the space that this was made with",
              space.name, space.hash.hex(), hash.hex());
}

std::vector<std::string> listSpaces(const std::filesystem::path& data) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(data / "spaces", error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == kSuffix) names.push_back(entry->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> fullSpace(const Manifest& manifest) {
  std::vector<std::string> names;
  for (const ManifestRow& row : manifest.rows) {
    const bool option = row.kind == RowKind::kCodegen || row.kind == RowKind::kOption;
    if (option || row.level == kPieceLevel) continue;
    if (isSafe(row) && row.probe.changed > 0) names.push_back(row.name);
  }
  return names;
}

}  // namespace ordo::spaces
