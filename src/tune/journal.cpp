#include "tune/journal.h"

#include "engine/reach.h"
#include "env/metric.h"
#include "support/followed_file.h"

namespace ordo::tune {
namespace {

constexpr double kTell_s = 0.5;

}  // namespace

std::optional<Reference> referenceOf(engine::Engine& engine, const engine::Input& input,
                                     std::string_view objective) {
  if (env::isExperiment(objective)) return std::nullopt;
  const std::optional<engine::Toolchain::Reference> bare = input.toolchain->reference(input);
  if (!bare) return std::nullopt;
  const Result<engine::State> state = engine::reach(engine, input, input.compiled.bytes, bare->actions);
  if (!state) return std::nullopt;
  const Result<double> value = engine::measured(*state, objective);
  if (!value) return std::nullopt;
  return Reference{bare->name, *value};
}

Result<std::unique_ptr<Journal>> Journal::create(const std::filesystem::path& file) {
  std::ofstream out(file, std::ios::trunc);
  if (!out) return fail(ErrorCode::kUnavailable, "cannot write the journal {}", file.string());
  std::unique_ptr<Journal> journal(new Journal(std::move(out)));
  journal->write({{"event", "writer"}, {"writer", thisWriter()}});
  return journal;
}

void Journal::write(const Json& line) { out_ << writeJson(line) + "\n" << std::flush; }

void Journal::begin(const std::string& program, const std::string& objective, const std::string& baseline,
                    const std::optional<Reference>& reference) {
  const std::lock_guard lock(mutex_);
  told_s_ = 0;
  Json line{{"event", "begin"}, {"program", program}, {"objective", objective}, {"baseline", baseline}};
  if (reference) line["reference"] = {{"name", reference->name}, {"value", reference->value}};
  write(line);
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

void Journal::end(const std::string& failure, const recipe::Recipe* made) {
  const std::lock_guard lock(mutex_);
  Json line{{"event", "end"}, {"failure", failure}};
  if (made != nullptr) {
    Json saves = Json::array();
    for (const recipe::Reason& reason : made->reasons) {
      const auto at = static_cast<std::size_t>(reason.action);
      saves.push_back({{"action", made->actions.at(at).name}, {"saves", reason.saves}});
    }
    line["saves"] = std::move(saves);
  }
  write(line);
}

}  // namespace ordo::tune
