// Strict reading of TOML documents: every complaint names the place, the key and what would be right.
// Include this before anything else, and never <toml++/toml.h> itself.
#pragma once

// toml++ 3.3 tells the optimiser to assume that a key begins well, and only then looks: "[^" is
// undefined. Without NDEBUG its assumptions are assertions, and what those do is for us to say.
#undef NDEBUG
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"
#include "support/text.h"

namespace ordo::datasets {

// "program.toml:3:1"
std::string place(const std::filesystem::path& path, const toml::source_region& source);

// kCorrupt if `text` is not a TOML document. `path` is for messages; no file is looked at.
Result<toml::table> parseToml(std::string_view text, const std::filesystem::path& path);

// Takes typed values out of one table, and reports what is wrong with them or with it.
class TomlReader {
 public:
  TomlReader(const toml::table& table, const std::filesystem::path& path, std::string what)
      : table_(table), path_(path), what_(std::move(what)) {}

  template <typename... Args>
  tl::unexpected<Error> bad(std::string_view key, fmt::format_string<Args...> format, Args&&... args) const {
    const toml::node* node = table_.get(key);
    return fail(ErrorCode::kCorrupt, "{}: '{}' of {} {}",
                place(path_, node != nullptr ? node->source() : table_.source()), key, what_,
                fmt::format(format, std::forward<Args>(args)...));
  }

  Status onlyKeys(const std::vector<std::string>& known) const {
    for (const auto& [key, value] : table_) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      return fail(ErrorCode::kCorrupt, "{}: {}", place(path_, value.source()),
                  unknownName(fmt::format("key of {}", what_), key.str(), known));
    }
    return {};
  }

  // "format": kUnsupported if it is newer than `newest`, the last one that is understood.
  Status checkFormat(std::int64_t newest) const {
    ORDO_TRY_ASSIGN(const std::int64_t format, integer("format"));
    if (format > newest) {
      return fail(ErrorCode::kUnsupported,
                  "{}: format {} is newer than this Ordo, which reads up to {}; upgrade Ordo", path_.string(),
                  format, newest);
    }
    if (format < 1) return bad("format", "is {}; the first format is 1", format);
    return {};
  }

  Result<std::string> string(std::string_view key) const {
    return required<std::string>(key, "text in double quotes");
  }

  Result<std::int64_t> integer(std::string_view key) const {
    return required<std::int64_t>(key, "a whole number");
  }

  // Absent is false.
  Result<bool> flag(std::string_view key) const {
    if (!has(key)) return false;
    return required<bool>(key, "true or false");
  }

  // The tables of [[key]]; absent is empty.
  Result<std::vector<const toml::table*>> tables(std::string_view key) const {
    std::vector<const toml::table*> found;
    const toml::node* node = table_.get(key);
    if (node == nullptr) return found;
    const toml::array* array = node->as_array();
    if (array == nullptr) return bad(key, "must be a list of tables; head each with [[{}]]", key);
    for (const toml::node& item : *array) {
      if (!item.is_table()) return bad(key, "must be a list of tables; head each with [[{}]]", key);
      found.push_back(item.as_table());
    }
    return found;
  }

  Result<double> number(std::string_view key) const {
    const toml::node* node = table_.get(key);
    if (node != nullptr && node->is_floating_point()) return node->as_floating_point()->get();
    ORDO_TRY_ASSIGN(const std::int64_t value, required<std::int64_t>(key, "a number"));
    return static_cast<double>(value);
  }

  // Absent is empty.
  Result<std::vector<std::string>> strings(std::string_view key) const {
    std::vector<std::string> values;
    const toml::node* node = table_.get(key);
    if (node == nullptr) return values;
    const toml::array* array = node->as_array();
    if (array == nullptr) return bad(key, "must be a list of texts, like [\"-std=c17\"]");
    for (const toml::node& item : *array) {
      const auto* text = item.as_string();
      if (text == nullptr) return bad(key, "must hold only texts in double quotes");
      if (text->get().find('\0') != std::string::npos) return bad(key, "must not contain a null character");
      values.push_back(text->get());
    }
    return values;
  }

  // A file in the program's folder: the folder can be moved, and no test reads what is not its own.
  Result<std::filesystem::path> file(std::string_view key) const {
    ORDO_TRY_ASSIGN(const std::string text, string(key));
    return inside(key, text);
  }

  // The same of a list; absent is empty.
  Result<std::vector<std::filesystem::path>> files(std::string_view key) const {
    std::vector<std::filesystem::path> paths;
    ORDO_TRY_ASSIGN(const std::vector<std::string> texts, strings(key));
    for (const std::string& text : texts) {
      ORDO_TRY_ASSIGN(paths.emplace_back(), inside(key, text));
    }
    return paths;
  }

  bool has(std::string_view key) const { return table_.contains(key); }
  const toml::node* get(std::string_view key) const { return table_.get(key); }

 private:
  Result<std::filesystem::path> inside(std::string_view key, const std::string& text) const {
    const std::filesystem::path path(text);
    const bool leaves = std::find(path.begin(), path.end(), "..") != path.end();
    if (text.empty() || text.find('\0') != std::string::npos || path.is_absolute() || leaves) {
      return bad(key, "must name a file inside the program's folder, without '..'");
    }
    return path;
  }

  template <typename T>
  Result<T> required(std::string_view key, std::string_view wanted) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return bad(key, "is missing; it must be {}", wanted);
    const toml::value<T>* value = node->as<T>();
    if (value == nullptr) return bad(key, "must be {}", wanted);
    return value->get();
  }

  const toml::table& table_;
  const std::filesystem::path& path_;
  std::string what_;
};

}  // namespace ordo::datasets
