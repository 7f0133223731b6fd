#include "web/site.h"

#include <array>
#include <utility>

#include "support/files.h"

namespace ordo::web {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kTypes{{
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".wasm", "application/wasm"},
    {".json", "application/json"},
    {".txt", "text/plain; charset=utf-8"},
}};

std::string typeOf(const fs::path& file) {
  for (const auto& [extension, type] : kTypes) {
    if (file.extension() == extension) return std::string(type);
  }
  return "application/octet-stream";
}

}  // namespace

Result<Site> Site::load(const fs::path& folder) {
  Site site;
  std::error_code failed;
  for (auto entry = fs::recursive_directory_iterator(folder, failed);
       !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    if (!entry->is_regular_file()) continue;
    ORDO_TRY_ASSIGN(std::string bytes, readFile(entry->path()));
    const std::string path = "/" + fs::relative(entry->path(), folder).generic_string();
    site.files_[path] = {typeOf(entry->path()), std::move(bytes), path.starts_with("/assets/")};
  }
  const auto index = site.files_.find("/index.html");
  if (index == site.files_.end()) {
    return fail(ErrorCode::kNotFound,
                "there is no application in {}: install Ordo whole, or build it with 'npm run build' in web/",
                folder.string());
  }
  site.files_["/"] = index->second;
  return site;
}

const Site::File* Site::find(std::string_view path) const {
  const auto found = files_.find(path);
  return found == files_.end() ? nullptr : &found->second;
}

}  // namespace ordo::web
