// What a tuning tells while it goes on, a line of JSON each, for who follows it (docs/formats/journal.md).
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/input.h"
#include "recipe/recipe.h"
#include "search/evaluation/evaluator.h"
#include "support/error.h"
#include "support/json.h"

namespace ordo::tune {

// What else the objective is compared with: the same level in the research convention.
struct Reference {
  std::string name;  // "bare-Oz"
  double value = 0;
};

// What the toolchain has of that for `input`, worth by `objective`; nothing where there is none, or it cannot
// be compiled or measured, as run times cannot.
std::optional<Reference> referenceOf(engine::Engine& engine, const engine::Input& input,
                                     std::string_view objective);

// Writes one. Thread-safe. That a line cannot be written ends no tuning: the lines end there.
class Journal {
 public:
  // A file that says who writes it (support/followed_file.h), and no more. kUnavailable if it cannot be made.
  static Result<std::unique_ptr<Journal>> create(const std::filesystem::path& file);

  void begin(const std::string& program, const std::string& objective, const std::string& baseline,
             const std::optional<Reference>& reference = std::nullopt);
  // `baseline` is 0 until it is known.
  void improved(double baseline, const search::Evaluation& best, const std::vector<std::string>& actions);
  // At most twice a second.
  void progress(const search::Statistics& statistics);
  // `made` is null, or what came of it and what each of its passes saves; `failure` is "" unless there is no
  // result.
  void end(const std::string& failure, const recipe::Recipe* made);

 private:
  explicit Journal(std::ofstream out) : out_(std::move(out)) {}
  void write(const Json& line);

  std::mutex mutex_;  // guards all
  std::ofstream out_;
  double told_s_ = 0;
};

}  // namespace ordo::tune
