// The catalog is generated (catalog.inc). parseUri() takes what is before the first ':' or '/' for a dataset
// if that dataset's pattern has the same separator there. Everything else is a path, except that a ':' there,
// in what is no file, is an error. loadProgram() and listPrograms() call the dataset's functions and add what
// is the same for all: the URI, the mark for evaluation, errors that suggest a name. checkMayTrainOn() is the
// stricter of the two guards, and asks the other first.
#include "datasets/dataset.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "support/catalog.h"
#include "support/rng.h"
#include "support/text.h"

namespace ordo::datasets {

using CatalogEntry = DatasetInfo;
#include "datasets/catalog.inc"

const DatasetInfo* find(std::string_view name) { return findByName(catalog(), name); }

namespace {

constexpr std::array<Split, 4> kSplits{Split::kAll, Split::kTrain, Split::kValidation, Split::kTest};

std::vector<std::string> datasetNames() {
  std::vector<std::string> names;
  for (const DatasetInfo* dataset : catalog()) names.emplace_back(dataset->name);
  return names;
}

// "csmth/7" is no path; perhaps it was meant as a dataset. "" if none is near.
std::string nearestDataset(std::string_view path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos) return "";
  std::vector<std::string> names;
  for (const DatasetInfo* dataset : catalog()) {
    if (dataset->separator() == '/') names.emplace_back(dataset->name);
  }
  const std::string guess = nearest(path.substr(0, slash), names);
  return guess.empty() ? "" : guess + std::string(path.substr(slash));
}

}  // namespace

std::string_view name(Split split) {
  switch (split) {
    case Split::kAll:
      return "all";
    case Split::kTrain:
      return "train";
    case Split::kValidation:
      return "validation";
    case Split::kTest:
      return "test";
  }
  return "unknown";
}

Result<Split> parseSplit(std::string_view text) {
  std::vector<std::string> names;
  for (const Split split : kSplits) {
    if (name(split) == text) return split;
    names.emplace_back(name(split));
  }
  return fail({ErrorCode::kInvalidArgument, unknownName("split", text, names)});
}

Result<Uri> parseUri(std::string_view uri) {
  const std::size_t end = uri.find_first_of(":/");
  const DatasetInfo* const files = find("file");
  ORDO_CHECK(files != nullptr, "the catalog of datasets has no 'file'");
  if (end == std::string_view::npos) return Uri{files, uri};
  const std::string_view scheme = uri.substr(0, end);
  const DatasetInfo* const dataset = find(scheme);
  if (dataset != nullptr && dataset->separator() == uri[end]) return Uri{dataset, uri.substr(end + 1)};
  std::error_code ignored;
  if (uri[end] == ':' && !std::filesystem::exists(std::filesystem::path(uri), ignored)) {
    if (dataset != nullptr) {
      return fail(ErrorCode::kInvalidArgument, "{} is not how a program of {} is named; write {}", uri,
                  scheme, dataset->pattern);
    }
    return fail({ErrorCode::kInvalidArgument, unknownName("dataset", scheme, datasetNames())});
  }
  return Uri{files, uri};
}

Result<Program> loadProgram(std::string_view path_or_uri) {
  ORDO_TRY_ASSIGN(const Uri uri, parseUri(path_or_uri));
  Result<Program> program = uri.dataset->load(uri.rest);
  if (!program) {
    Error error = std::move(program).error();
    if (error.code == ErrorCode::kNotFound && uri.rest == path_or_uri) {
      const std::string guess = nearestDataset(path_or_uri);
      if (!guess.empty()) error.message += fmt::format("; did you mean the dataset's {}?", guess);
    }
    return fail(std::move(error));
  }
  program->uri = path_or_uri;
  program->evaluation_only = program->evaluation_only || uri.dataset->evaluation_only;
  return program;
}

Result<std::vector<std::string>> listPrograms(std::string_view dataset_or_uri, const ListOptions& options) {
  Uri uri{find(dataset_or_uri), ""};
  if (uri.dataset == nullptr) {
    if (dataset_or_uri.find_first_of(":/") == std::string_view::npos) {
      return fail({ErrorCode::kInvalidArgument, unknownName("dataset", dataset_or_uri, datasetNames())});
    }
    ORDO_TRY_ASSIGN(uri, parseUri(dataset_or_uri));
  }
  if (options.split != Split::kAll && !uri.dataset->has_splits) {
    return fail(ErrorCode::kInvalidArgument,
                "{} is not split into parts to train and to test on; leave out "
                "the split '{}'",
                uri.dataset->name, name(options.split));
  }
  if (!uri.dataset->finite && uri.rest.empty() && !options.limit) {
    return fail(ErrorCode::kInvalidArgument, "{} has no end; say how many programs to list (--limit 20)",
                uri.dataset->name);
  }
  ORDO_TRY(uri.dataset->available());
  return uri.dataset->list(uri.rest, options);
}

Status checkMayLearnFrom(const Program& program, std::string_view use) {
  if (!program.evaluation_only) return {};
  return fail(ErrorCode::kInvalidArgument,
              "{} is for final evaluation only, not for {}: results on it would mean nothing any more; "
              "take programs of another dataset (ordo list datasets)",
              program.uri, use);
}

Status checkMayTrainOn(const Program& program, std::string_view use) {
  ORDO_TRY(checkMayLearnFrom(program, use));
  ORDO_TRY_ASSIGN(const Uri uri, parseUri(program.uri));
  if (program.split == Split::kTrain) return {};
  if (!uri.dataset->has_splits) {
    if (program.split == Split::kAll) return {};
    return fail(ErrorCode::kInvalidArgument, "{} is for {}, as its program.toml says, not for {}",
                program.uri, name(program.split), use);
  }
  const std::string part =
      program.split == Split::kAll ? "no part" : fmt::format("the part for {}", name(program.split));
  return fail(ErrorCode::kInvalidArgument,
              "{} is in {} of {}, not for {}, which takes the part for training (ordo list programs {} "
              "--split train)",
              program.uri, part, uri.dataset->name, use, uri.dataset->name);
}

std::vector<std::string> select(std::vector<std::string> uris, const ListOptions& options) {
  if (options.seed) Rng(*options.seed).shuffle(std::span(uris));
  if (options.limit && *options.limit < uris.size()) uris.resize(*options.limit);
  return uris;
}

}  // namespace ordo::datasets
