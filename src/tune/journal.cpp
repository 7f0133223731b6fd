#include "tune/journal.h"

#include "support/files.h"

namespace ordo::tune {
namespace {

constexpr double kTell_s = 0.5;
constexpr std::size_t kMost = std::size_t{64} << 20;

}  // namespace

Result<std::unique_ptr<Journal>> Journal::create(const std::filesystem::path& file) {
  std::ofstream out(file, std::ios::trunc);
  if (!out) return fail(ErrorCode::kUnavailable, "cannot write the journal {}", file.string());
  return std::unique_ptr<Journal>(new Journal(std::move(out)));
}

void Journal::write(const Json& line) { out_ << writeJson(line) + "\n" << std::flush; }

void Journal::begin(const std::string& program, const std::string& objective, const std::string& baseline) {
  const std::lock_guard lock(mutex_);
  told_s_ = 0;
  write({{"event", "begin"}, {"program", program}, {"objective", objective}, {"baseline", baseline}});
}

void Journal::improved(double baseline, const search::Evaluation& best,
                       const std::vector<std::string>& actions) {
  const std::lock_guard lock(mutex_);
  Json line{{"event", "best"},
            {"compiles", best.number},
            {"seconds", best.seconds},
            {"value", best.value},
            {"actions", actions}};
  if (baseline > 0) line["baseline"] = baseline;
  write(line);
}

void Journal::progress(const search::Statistics& statistics) {
  const std::lock_guard lock(mutex_);
  if (statistics.seconds - told_s_ < kTell_s) return;
  told_s_ = statistics.seconds;
  write({{"event", "progress"}, {"compiles", statistics.evaluations}, {"seconds", statistics.seconds}});
}

void Journal::end(const std::string& failure) {
  const std::lock_guard lock(mutex_);
  write({{"event", "end"}, {"failure", failure}});
}

Result<std::vector<Json>> readJournal(const std::filesystem::path& file) {
  ORDO_TRY_ASSIGN(const std::string text, readFile(file));
  if (text.size() > kMost)
    return fail(ErrorCode::kCorrupt, "{} is longer than a journal can be ({} bytes)", file.string(), kMost);
  std::vector<Json> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) break;
    const std::string where = fmt::format("{}, line {}", file.string(), lines.size() + 1);
    ORDO_TRY_ASSIGN(Json line, parseJson(text.substr(at, end - at), where));
    ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(line, where));
    ORDO_TRY_ASSIGN([[maybe_unused]] const std::string event, object.get<std::string>("event"));
    lines.push_back(std::move(line));
    at = end + 1;
  }
  return lines;
}

}  // namespace ordo::tune
