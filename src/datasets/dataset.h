// A dataset is a named source of programs; its name begins the URIs of its programs. One file in
// builtin/ is one dataset; the catalog is generated (docs/recipes/add-a-dataset.md).
//
// Names are persistent API: recipes, states and splits record URIs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/program.h"
#include "support/error.h"

namespace ordo::datasets {

// "all", "train", "validation", "test"
std::string_view name(Split split);
// kInvalidArgument that suggests the nearest name.
Result<Split> parseSplit(std::string_view name);

struct ListOptions {
  // At most so many; all of them if absent. A dataset without end must be given one.
  std::optional<std::size_t> limit = std::nullopt;
  // Absent: in the dataset's own order. Otherwise a random sample, the same for the same seed.
  std::optional<std::uint64_t> seed = std::nullopt;
  Split split = Split::kAll;
};

struct DatasetInfo {
  std::string_view name;     // "csmith": what a URI starts with, up to its first ':' or '/'
  std::string_view pattern;  // "csmith/<seed>"; the character after the name is the separator
  std::string_view summary;
  bool finite = true;
  // For final evaluation only: nothing may be trained, tuned or selected on its programs, which
  // carry the same mark (Program::evaluation_only).
  bool evaluation_only = false;
  bool has_splits = false;

  // What stands in the way of using it on this machine, with the remedy; success if nothing does.
  Status (*available)();
  // `rest` is the URI after the separator. The answer's uri and evaluation_only are filled in by
  // loadProgram(). Loading the same URI again gives the same program. Thread-safe.
  Result<Program> (*load)(std::string_view rest);
  // The URIs under `rest`, which is empty for the whole dataset: no two the same, each accepted by
  // loadProgram(), in a stable order, already cut to `options`. Thread-safe.
  Result<std::vector<std::string>> (*list)(std::string_view rest, const ListOptions& options);

  char separator() const { return pattern[name.size()]; }
};

// All datasets, by name.
std::span<const DatasetInfo* const> catalog();

// Null if there is none of that name.
const DatasetInfo* find(std::string_view name);

// A URI, taken apart: "csmith/7" is the dataset csmith and the rest "7". What begins with no dataset
// is a path, of the dataset `file`. kInvalidArgument for an unknown "scheme:".
struct Uri {
  const DatasetInfo* dataset = nullptr;
  std::string_view rest;  // part of the text it was parsed from
};
Result<Uri> parseUri(std::string_view uri);

// The program that a URI or a path names. kNotFound, kInvalidArgument (nothing Ordo can compile),
// kCorrupt (a bad program.toml) or kUnavailable (unreadable, a generator that is not installed);
// every message says what to do instead.
Result<Program> loadProgram(std::string_view path_or_uri);

// The URIs of a dataset ("suite"), or of what is under a URI ("dir:FOLDER", "compilergym/cbench-v1").
Result<std::vector<std::string>> listPrograms(std::string_view dataset_or_uri, const ListOptions& options);

// For whoever trains, tunes or selects: kInvalidArgument if `program` is for final evaluation only.
// `use` ("training") is for the message.
Status checkMayLearnFrom(const Program& program, std::string_view use);

// The same for whoever only trains: kInvalidArgument also if `program` is of a dataset with splits, and
// not of its part for training, or if its program.toml says that it is for something else.
Status checkMayTrainOn(const Program& program, std::string_view use);

// What `options` leaves of all the programs of a finite dataset, which are of its split already:
// the first `limit`, or a sample in random order. For the members of the catalog.
std::vector<std::string> select(std::vector<std::string> uris, const ListOptions& options);

}  // namespace ordo::datasets
