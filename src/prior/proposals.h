// Sequences that somebody who has measured nothing would try first on a program, as a file with a line for
// each program (docs/formats/proposals.md). `ordo agent propose` writes it; searches, studies and trainings
// begin with what is in it. What the file says is not trusted.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/error.h"

namespace ordo::prior {

struct Proposal {
  std::vector<std::string> actions;  // names
  double log_probability = 0;        // natural; of its actions and its end, to whoever proposes it
};

// What is proposed for one program and objective.
struct Proposals {
  std::string program;                   // uri
  std::string objective;                 // the metric
  std::vector<Proposal> proposals = {};  // distinct, the likeliest first
  double cpu_s = 0;                      // of thinking, the start of whoever thinks not included
  double flops = 0;                      // likewise; 0 where it is not known

  std::vector<std::vector<std::string>> sequences() const;
};

// More than anybody has a use for.
inline constexpr std::size_t kMostProposals = 256, kMostActions = 200;

struct File {
  std::string model;                                                       // who proposes
  double temperature = 1;                                                  // of its choices
  std::int64_t seed = 1;                                                   // of its chance
  std::int64_t count = 0;                                                  // of proposals that were asked for
  std::map<std::pair<std::string, std::string>, Proposals> programs = {};  // by program and objective

  // Null if it has none for them.
  const Proposals* find(const std::string& program, const std::string& objective) const;
};

// The first line, which says who proposes what follows; and a line of it. Each ends in a newline.
std::string writeHeader(const File& file);
std::string writeLine(const Proposals& proposals);

// What these wrote. `name` is for messages. kUnsupported for another format, kCorrupt, with the line, for
// anything that does not hold together; but a last line that was cut off, as of a run that was ended, is no
// part of it.
Result<File> parse(std::string_view text, std::string_view name);

// Errors of reading, and as of parse().
Result<File> read(const std::string& path);

}  // namespace ordo::prior
