// What the datasets have in common whose programs a generator makes from a seed: how seeds are
// written, which of them are for training, and where the programs are kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/dataset.h"
#include "support/error.h"

namespace ordo::datasets {

// The generators take 32 bits. kInvalidArgument for anything but a decimal number without leading
// zeros: two names for one program would be two programs in a split.
Result<std::uint32_t> parseSeed(std::string_view dataset, std::string_view rest);

// By the last digit: 9 is for testing, 8 for validation, 0 to 7 for training. So the parts are
// disjoint for everybody and for ever, without a file that says so.
Split splitOfSeed(std::uint32_t seed);

// DatasetInfo::list: "csmith/0", "csmith/1", ...; or, with a seed for the list, random ones. Under a
// `rest`, the one program of that seed. REQUIRES: a limit, unless there is a rest.
Result<std::vector<std::string>> listSeeds(std::string_view dataset, std::string_view rest,
                                           const ListOptions& options);

// What the generator makes of `seed`, kept as SEED`suffix` in a folder that is named after the dataset and
// `version`: all that the content depends on. Errors as of `generate` and cachedFile().
Result<Program> loadGenerated(std::string_view dataset, std::uint32_t seed, std::string_view version,
                              std::string_view suffix, const std::function<Result<std::string>()>& generate);

// What `argv` writes to standard output, run once per process: for versions and targets, which do
// not change under us. The error of runProcess(), or kUnavailable if the program fails.
Result<std::string> outputOnce(const std::vector<std::string>& argv);

// The file `name` in `folder` (a name too) below cacheDir(), made by `make` unless it is there. The
// folder names all that the content depends on, versions included. Thread-safe, also between
// processes: whoever comes last writes the same bytes again.
Result<std::filesystem::path> cachedFile(std::string_view folder, std::string_view name,
                                         const std::function<Result<std::string>()>& make);

}  // namespace ordo::datasets
