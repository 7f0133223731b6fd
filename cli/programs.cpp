#include "cli/programs.h"

#include <algorithm>
#include <sstream>

#include "datasets/dataset.h"
#include "support/files.h"

namespace ordo::cli {
namespace {

// Fails now, and not as a result of the study, for what is misspelt or may not be used.
Status checkPrograms(std::vector<study::Plan::Entry>& entries, campaigns::RunPurpose purpose) {
  for (study::Plan::Entry& entry : entries) {
    ORDO_TRY_ASSIGN(const datasets::Program program, datasets::loadProgram(entry.uri));
    ORDO_TRY(campaigns::checkPurpose(program, purpose));
    entry.uri = program.uri;
  }
  std::vector<study::Plan::Entry> unique;
  for (study::Plan::Entry& entry : entries) {
    if (std::ranges::find(unique, entry.uri, &study::Plan::Entry::uri) == unique.end())
      unique.push_back(std::move(entry));
  }
  entries = std::move(unique);
  return {};
}

// One program a line; one that is empty or begins with '#' is none.
Result<std::vector<std::string>> readList(const std::string& file) {
  ORDO_TRY_ASSIGN(const std::string text, readFile(file));
  std::vector<std::string> programs;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    while (line.ends_with(' ') || line.ends_with('\r')) line.pop_back();
    if (!line.empty() && line.front() != '#') programs.push_back(std::move(line));
  }
  return programs;
}

}  // namespace

void addProgramOptions(CLI::App& app, ProgramChoice& choice) {
  app.add_option("PROGRAM", choice.programs, "files or URIs");
  app.add_option("--list", choice.lists, "a file that names a program in each line");
  app.add_option("--dir", choice.folders, "all programs of a folder; each sub-folder is a suite");
  app.add_option("--dataset", choice.dataset, "all programs of a dataset (ordo list datasets)");
  app.add_option("--split", choice.split, "of the dataset: train, validation, test or all")
      ->capture_default_str();
  app.add_option("--limit", choice.limit, "at most so many programs, the suites taking turns");
  app.add_flag("--evaluation", choice.evaluation,
               "also programs that are reserved for final evaluation: never to choose a method by");
}

Result<std::vector<study::Plan::Entry>> choosePrograms(const ProgramChoice& choice) {
  std::vector<study::Plan::Entry> entries;
  for (const std::string& uri : choice.programs) entries.push_back({uri, campaigns::suiteOf(uri)});
  for (const std::string& file : choice.lists) {
    ORDO_TRY_ASSIGN(const std::vector<std::string> listed, readList(file));
    for (const std::string& uri : listed) entries.push_back({uri, campaigns::suiteOf(uri)});
  }
  for (const std::string& folder : choice.folders) {
    ORDO_TRY_ASSIGN(const std::vector<study::Plan::Entry> inside, campaigns::folderEntries(folder));
    entries.insert(entries.end(), inside.begin(), inside.end());
  }
  if (!choice.dataset.empty()) {
    datasets::ListOptions list;
    ORDO_TRY_ASSIGN(list.split, datasets::parseSplit(choice.split));
    ORDO_TRY_ASSIGN(const std::vector<std::string> uris, datasets::listPrograms(choice.dataset, list));
    for (const std::string& uri : uris) entries.push_back({uri, campaigns::suiteOf(uri)});
  }
  if (entries.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "there is no program to work on; name some, or --list FILE, --dir FOLDER or --dataset suite");
  }
  if (choice.limit > 0) entries = campaigns::spread(std::move(entries), choice.limit, 1);
  ORDO_TRY(checkPrograms(entries, choice.purpose()));
  return entries;
}

}  // namespace ordo::cli
