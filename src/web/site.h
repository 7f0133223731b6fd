// The application: static files that were built from web/ and are read into memory once, so that no request
// can name a file that is not one of them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "support/error.h"

namespace ordo::web {

class Site {
 public:
  struct File {
    std::string type;  // of media
    std::string bytes;
    bool immutable = false;  // its name changes with what is in it
  };

  // All files below `folder`. kNotFound, with the remedy, if there is no index.html.
  static Result<Site> load(const std::filesystem::path& folder);

  // Of a request's path: "/" is the index. Null if there is none.
  const File* find(std::string_view path) const;

 private:
  std::map<std::string, File, std::less<>> files_;
};

}  // namespace ordo::web
