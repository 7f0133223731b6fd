#include "cli/places.h"

#include <limits.h>

#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "cli/front.h"
#include "datasets/dataset.h"
#include "recipe/recipe.h"
#include "support/files.h"

namespace ordo::cli {
namespace fs = std::filesystem;
namespace {

fs::path absolute(const fs::path& path) {
  std::error_code ignored;
  fs::path whole = fs::absolute(path, ignored).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

// The folders that all of `subjects` are in.
fs::path commonFolder(const std::vector<Subject>& subjects) {
  fs::path common = subjects.front().path.parent_path();
  for (const Subject& subject : subjects) {
    const fs::path folder = subject.path.parent_path();
    const auto [end, ignored] = std::mismatch(common.begin(), common.end(), folder.begin(), folder.end());
    fs::path shared;
    for (auto part = common.begin(); part != end; ++part) shared /= *part;
    common = shared;
  }
  return common;
}

bool haveEqualNames(const std::vector<Subject>& subjects) {
  std::set<std::string> names;
  return !std::ranges::all_of(subjects,
                              [&](const Subject& subject) { return names.insert(subject.name).second; });
}

void nameApart(std::vector<Subject>& subjects) {
  if (!haveEqualNames(subjects)) return;
  const fs::path common = commonFolder(subjects);
  std::map<std::string, int> count;
  for (Subject& subject : subjects) {
    subject.name = (subject.path.parent_path().lexically_relative(common) / subject.name).lexically_normal();
    ++count[subject.name];
  }
  for (Subject& subject : subjects) {
    if (count[subject.name] > 1)
      subject.name = (fs::path(subject.name).parent_path() / subject.path.filename()).string();
  }
}

// All that is written of `subject`.
std::vector<std::string> outputsOf(const Subject& subject, const OutputOptions& options, std::size_t points) {
  if (points == 0) return {outputPath(options, subject.name), recipePath(options, subject.name)};
  std::vector<std::string> outputs{drawingPath(options, subject.name)};
  for (std::size_t point = 1; point <= points; ++point) {
    const std::string name = pointName(subject.name, point);
    outputs.insert(outputs.end(), {outputPath(options, name), recipePath(options, name)});
  }
  return outputs;
}

// The recipe in `file` is of something else than `subject` for `purpose`. What is no recipe is nobody's.
bool isOfAnother(const std::string& file, const Subject& subject, const Purpose& purpose) {
  const Result<std::string> text = readFile(file);
  if (!text) return false;
  const Result<recipe::Recipe> recipe = recipe::parse(*text, file);
  if (!recipe) return false;
  std::vector<std::string> flags = subject.flags;
  flags.insert(flags.end(), purpose.flags.begin(), purpose.flags.end());
  return absolute(recipe->source) != subject.path || recipe->objective != purpose.objective ||
         recipe->baseline != purpose.baseline || recipe->flags != flags;
}

// Standard output, a device or a pipe: what is written there is over nothing.
bool isNoFile(const std::string& output) {
  std::error_code ignored;
  return output == "-" || (fs::exists(output, ignored) && !fs::is_regular_file(output, ignored));
}

}  // namespace

Subject subjectOf(const datasets::Program& program) {
  Subject subject{program.uri, program.name, {}, {program.path()}};
  for (const fs::path& source : program.more_sources) subject.inputs.push_back(program.dir / source);
  for (const datasets::ProgramTest& test : program.tests) {
    subject.inputs.push_back(program.dir / test.expected);
    if (test.input) subject.inputs.push_back(program.dir / *test.input);
  }
  subject.flags = program.cflags;
  // A name that is no path stands for a place of that name here.
  subject.path = absolute(program.uri);
  return subject;
}

Result<std::vector<Subject>> subjectsOf(const std::vector<std::string>& given) {
  std::vector<Subject> subjects;
  std::set<fs::path> seen;
  for (const std::string& file : given) {
    const Result<datasets::Program> program = datasets::loadProgram(file);
    subjects.push_back(program ? subjectOf(*program)
                               : Subject{file, fs::path(file).stem().string(), absolute(file), {file}});
    if (!seen.insert(subjects.back().path).second)
      return fail(ErrorCode::kInvalidArgument, "{} is given twice", file);
  }
  nameApart(subjects);
  return subjects;
}

std::vector<std::string> keepOthers(std::vector<Subject>& subjects, const OutputOptions& options,
                                    const Purpose& purpose) {
  std::vector<std::string> said;
  if (!options.out.empty() || !options.recipe.empty()) return said;
  for (Subject& subject : subjects) {
    const std::string first = recipePath(options, subject.name), name = subject.name;
    for (int number = 2; isOfAnother(recipePath(options, subject.name), subject, purpose); ++number)
      subject.name = fmt::format("{}-{}", name, number);
    if (subject.name == name) continue;
    said.push_back(fmt::format("{} is of another program or purpose and stays: the result is {} (or say -o)",
                               first, recipePath(options, subject.name)));
  }
  return said;
}

Status checkPlace(const std::string& output, const std::vector<Subject>& subjects) {
  if (isNoFile(output)) return {};
  if (const std::string name = fs::path(output).filename().string(); name.size() > NAME_MAX)
    return fail(
        ErrorCode::kInvalidArgument,
        "the name of the result would be too long for a file: {}; give shorter ones with -o and --recipe",
        name);
  for (const Subject& subject : subjects) {
    std::error_code ignored;
    const auto same = [&](const fs::path& input) { return fs::equivalent(output, input, ignored); };
    if (std::ranges::any_of(subject.inputs, same))
      return fail(ErrorCode::kInvalidArgument,
                  "{} would be written over an input; choose another name with -o", output);
  }
  return {};
}

Status preparePlaces(const std::vector<Subject>& subjects, const OutputOptions& options, std::size_t points) {
  std::map<fs::path, std::string> written;  // and of which program
  for (const Subject& subject : subjects) {
    for (const std::string& output : outputsOf(subject, options, points)) {
      ORDO_TRY(checkPlace(output, subjects));
      if (isNoFile(output)) continue;
      const fs::path folder = fs::path(output).parent_path();
      std::error_code error;
      if (!folder.empty()) fs::create_directories(folder, error);
      if (error)
        return fail(ErrorCode::kUnavailable, "cannot make the folder {}: {}", folder.string(),
                    error.message());
      const fs::path file = fs::weakly_canonical(absolute(output), error);
      if (const auto [other, is_new] = written.emplace(file, subject.given); !is_new)
        return fail(ErrorCode::kInvalidArgument,
                    "{} would be written twice, for {} and for {}; choose other names with -o and --recipe",
                    output, other->second, subject.given);
    }
  }
  return {};
}

}  // namespace ordo::cli
