// What actions do and when they help, in words: for people who choose passes, and for language models. A data
// file beside the manifest (docs/formats/notes.md), written by hand; a test holds it to the spaces.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "env/session.h"
#include "support/error.h"

namespace ordo::spaces {

struct Note {
  std::string does;   // what it changes, one sentence
  std::string helps;  // when that makes programs better, or worse, one sentence
};

// By type of action (env::partsOf), but settings each by what they settle: "codegen<misched>".
class Notes {
 public:
  // kCorrupt that names the entry unless `json` is exactly notes; `name` is for messages.
  static Result<Notes> parse(std::string_view json, std::string_view name);

  // Those for a backend in `data`; none at all if there is no such file. kCorrupt as parse().
  static Result<Notes> load(const std::filesystem::path& data, const env::BackendInfo& backend);

  // Null if nothing is known of the action of that name.
  const Note* find(std::string_view action) const;

  const std::map<std::string, Note, std::less<>>& all() const { return notes_; }

 private:
  std::map<std::string, Note, std::less<>> notes_;
};

}  // namespace ordo::spaces
