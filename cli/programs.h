// Which programs a command that takes many works on: named, listed in files, of folders, of a dataset.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "campaigns/eval.h"
#include "support/error.h"

namespace ordo::cli {

struct ProgramChoice {
  std::vector<std::string> programs;
  std::vector<std::string> lists;  // files of programs
  std::vector<std::string> folders;
  std::string dataset;
  std::string split = "all";
  std::size_t limit = 0;  // of all programs; 0 is no limit
  bool evaluation = false;

  campaigns::RunPurpose purpose() const {
    return evaluation ? campaigns::RunPurpose::kFinalEvaluation : campaigns::RunPurpose::kStudy;
  }
};

// PROGRAM…, --list, --dir, --dataset, --split, --limit and --evaluation.
void addProgramOptions(CLI::App& app, ProgramChoice& choice);

// Each once, by its full name. Fails now, and not in the middle of the work, for what is misspelt, cannot be
// loaded or may not be used for the purpose, and if there is none.
Result<std::vector<study::Plan::Entry>> choosePrograms(const ProgramChoice& choice);

}  // namespace ordo::cli
