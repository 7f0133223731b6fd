// Sequences of functions that were mined (env/choices.h): what each of a list did to each function of
// training programs, as lines of a file that grows, and the few of them that serve functions best together.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::search {

// Of one program and what its choices stand between (tune/by_function.h): the size of each function without a
// choice, and then with each sequence; less than 0 where that failed or is not known.
struct FunctionLabels {
  std::string program;
  std::string track;
  std::vector<std::vector<double>> sizes;  // [functions][1 + sequences]
};

// A sequence, and what it saved of the functions that it was tried on, as a share: nothing where it made one
// larger, for who chooses for each function does not take it there.
struct MinedSequence {
  std::string text;
  double saves = 0;

  bool operator==(const MinedSequence&) const = default;
};

// By track, most useful first: the file data/knowledge/functions.json (docs/formats/function-sequences.md).
struct FunctionSequences {
  std::string backend, version;
  std::string objective;
  std::size_t programs = 0, functions = 0;  // that they were chosen by
  std::map<std::string, std::vector<MinedSequence>> tracks;

  bool operator==(const FunctionSequences&) const = default;
};

std::string writeFunctionSequences(const FunctionSequences& file);
// kCorrupt names the field; kUnsupported for a newer format. `name` is for messages.
Result<FunctionSequences> parseFunctionSequences(std::string_view text, std::string_view name);

// Labels as a line without its end, and back. kCorrupt as above.
std::string writeLabels(const FunctionLabels& labels);
Result<FunctionLabels> parseLabels(std::string_view line, std::string_view name);

// Of `texts`, which the labels of this track are of, at most `most`: each adds most to what those before it
// save, if each function has the best of them. All programs count alike, however large, and so do a program's
// bytes.
std::vector<MinedSequence> chooseSequences(const std::vector<FunctionLabels>& labels, std::string_view track,
                                           const std::vector<std::string>& texts, std::size_t most);

}  // namespace ordo::search
