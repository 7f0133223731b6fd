#include "builds/locking.h"

#include <map>

namespace ordo::builds {
namespace fs = std::filesystem;

std::string lockedName(const fs::path& lock, const fs::path& source) {
  std::error_code ignored;
  const fs::path folder = fs::absolute(lock, ignored).lexically_normal().parent_path();
  return fs::absolute(source, ignored).lexically_normal().lexically_relative(folder).string();
}

Result<recipe::Lock> lockFrom(const std::vector<LogLine>& lines, Cache& cache, const fs::path& lock) {
  std::map<std::string, const LogLine*> latest;
  for (const LogLine& line : lines) latest[line.object] = &line;
  recipe::Lock result;
  for (const auto& [object, line] : latest) {
    const std::string source = lockedName(lock, line->source);
    const std::optional<Hash128> module = Hash128::fromHex(line->module);
    if (!module || source.starts_with("..") || result.find(*module, line->flags) != nullptr) continue;
    ORDO_TRY_ASSIGN(const std::optional<Known> known, cache.find(line->key));
    if (!known)
      return fail(ErrorCode::kUnavailable, "the cache has no recipe of {} any more; build it again", source);
    recipe::LockedFile file{source, *module, line->objective, known->baseline, line->tuned, {}};
    if (!line->flags.empty()) file.flags = line->flags;
    if (!known->order.empty()) {
      ORDO_TRY_ASSIGN(file.order, recipe::readOrder(known->order, source));
    }
    result.files.push_back(std::move(file));
  }
  if (result.files.empty())
    return fail(ErrorCode::kNotFound, "no file beside or below {} was built with ordo-cc", lock.string());
  return result;
}

}  // namespace ordo::builds
