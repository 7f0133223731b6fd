// Where the results of one command go: each to a place of its own, and none over what it was made from.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/output.h"
#include "datasets/program.h"
#include "support/error.h"

namespace ordo::cli {

// A program whose result is to be written.
struct Subject {
  std::string given;           // as the user names it
  std::string name;            // of its results, for outputPath() and recipePath(); may have folders in it
  std::filesystem::path path;  // absolute
  std::vector<std::filesystem::path> inputs;  // what must not be written over
  std::vector<std::string> flags = {};        // the program's own
};

Subject subjectOf(const datasets::Program& program);

// The subjects of a command. Their names are those of the programs; if two are the same, all have the folders
// below their common one before them ("p/x" and "q/x" of src/p/x.c and src/q/x.c), and the extension where
// that is not enough ("x.c" and "x.cpp"). What cannot be loaded is its own input: whoever uses it says why.
// kInvalidArgument for a program that is given twice.
Result<std::vector<Subject>> subjectsOf(const std::vector<std::string>& given);

// What tells results of one program apart.
struct Purpose {
  std::string objective, baseline;
  std::vector<std::string> flags;  // the user's
};

// Where a result would be written, under a name that nobody gave, over the recipe of another program or for
// another purpose, it gets the next free name: "x-2". Returns a sentence for each that did.
std::vector<std::string> keepOthers(std::vector<Subject>& subjects, const OutputOptions& options,
                                    const Purpose& purpose);

// kInvalidArgument if writing to `output` would be over an input of one of `subjects`, or if no file can have
// that name.
Status checkPlace(const std::string& output, const std::vector<Subject>& subjects);

// Before any work: the same of all that is written of `subjects`, and makes the folders that names have in
// them. kInvalidArgument also if one result would be written over another. `points` is how many results of
// --pareto each program may have; 0: one result, of the program's own name.
Status preparePlaces(const std::vector<Subject>& subjects, const OutputOptions& options, std::size_t points);

}  // namespace ordo::cli
