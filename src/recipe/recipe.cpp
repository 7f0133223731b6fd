// parse() reads the format first, because a newer file may have fields that are unknown here, and checks the
// checksum last, because a message about a field says more. Each part of the file has its own reader, which
// refuses fields that it does not know; only `compiler` may have more, which are the backend's. write() puts
// all fields down in one object and seals it (seal.h). `limits`, `functions` and `timing` are left out where
// there are none.
#include "recipe/recipe.h"

#include <cmath>
#include <limits>
#include <optional>

#include "env/metric.h"
#include "recipe/action_text.h"
#include "recipe/seal.h"
#include "support/json.h"

namespace ordo::recipe {
namespace {

constexpr std::int64_t kFirstSealedFormat = 2, kFirstFormatWithRuns = 3;
constexpr std::int64_t kLastWithoutAbsence = 2;  // it has 0 and 1 for what was not measured

Result<Hash128> hashFrom(const JsonObject& object, std::string_view key) {
  ORDO_TRY_ASSIGN(const std::string text, object.get<std::string>(key));
  const std::optional<Hash128> hash = Hash128::fromHex(text);
  if (!hash)
    return fail(ErrorCode::kCorrupt, "{}: the field '{}' should be 32 hexadecimal digits", object.where(),
                key);
  return *hash;
}

// A number that may be absent, which older formats say by `none`.
Result<std::optional<double>> numberOrNone(const JsonObject& row, std::string_view key, std::int64_t format,
                                           double none) {
  if (format <= kLastWithoutAbsence) {
    ORDO_TRY_ASSIGN(const double value, row.get<double>(key));
    return value == none ? std::nullopt : std::optional(value);
  }
  // JSON has no such number.
  ORDO_TRY_ASSIGN(const double value, row.get<double>(key, std::numeric_limits<double>::quiet_NaN()));
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

Status readProgram(const JsonObject& root, Recipe& recipe) {
  ORDO_TRY_ASSIGN(const JsonObject program, root.object("program"));
  ORDO_TRY(program.onlyHas({"name", "source", "language", "flags", "hash"}));
  ORDO_TRY_ASSIGN(recipe.program, program.get<std::string>("name"));
  ORDO_TRY_ASSIGN(recipe.source, program.get<std::string>("source"));
  ORDO_TRY_ASSIGN(recipe.language, program.get<std::string>("language"));
  ORDO_TRY_ASSIGN(recipe.flags, program.get<std::vector<std::string>>("flags"));
  ORDO_TRY_ASSIGN(recipe.program_hash, hashFrom(program, "hash"));
  return {};
}

Status readResult(const JsonObject& root, std::int64_t format, Recipe& recipe) {
  ORDO_TRY_ASSIGN(recipe.baseline, root.get<std::string>("baseline"));
  ORDO_TRY_ASSIGN(recipe.objective, root.get<std::string>("objective"));
  ORDO_TRY_ASSIGN(const std::vector<JsonObject> figures, root.objects("figures"));
  for (const JsonObject& row : figures) {
    ORDO_TRY(row.onlyHas({"metric", "baseline", "bare", "tuned"}));
    Figure figure;
    ORDO_TRY_ASSIGN(figure.metric, row.get<std::string>("metric"));
    ORDO_TRY_ASSIGN(figure.baseline, row.get<double>("baseline"));
    ORDO_TRY_ASSIGN(figure.bare, numberOrNone(row, "bare", format, 0));
    ORDO_TRY_ASSIGN(figure.tuned, row.get<double>("tuned"));
    recipe.figures.push_back(std::move(figure));
  }
  ORDO_TRY_ASSIGN(recipe.prepare, actionsFrom(root, "prepare"));
  ORDO_TRY_ASSIGN(recipe.actions, actionsFrom(root, "actions"));
  ORDO_TRY_ASSIGN(recipe.result_hash, hashFrom(root, "result_hash"));
  ORDO_TRY_ASSIGN(const std::vector<JsonObject> reasons, root.objects("reasons"));
  for (const JsonObject& row : reasons) {
    ORDO_TRY(row.onlyHas({"action", "saves"}));
    Reason reason;
    ORDO_TRY_ASSIGN(reason.action, row.get<std::int64_t>("action"));
    if (reason.action < 0 || reason.action >= static_cast<std::int64_t>(recipe.actions.size())) {
      return fail(ErrorCode::kCorrupt, "{}: the field 'action' should be an index into 'actions'",
                  row.where());
    }
    ORDO_TRY_ASSIGN(reason.saves, row.get<double>("saves"));
    recipe.reasons.push_back(std::move(reason));
  }
  return {};
}

Status readFunctions(const JsonObject& root, Recipe& recipe) {
  ORDO_TRY_ASSIGN(const std::vector<JsonObject> rows, root.objects("functions"));
  for (const JsonObject& row : rows) {
    ORDO_TRY(row.onlyHas({"function", "saves"}));
    FunctionSaving& saving = recipe.functions.emplace_back();
    ORDO_TRY_ASSIGN(saving.function, row.get<std::string>("function"));
    ORDO_TRY_ASSIGN(saving.saves, row.get<double>("saves"));
  }
  return {};
}

Result<std::vector<Run>> runsFrom(const JsonObject& timing) {
  ORDO_TRY_ASSIGN(const std::vector<JsonObject> rows, timing.objects("runs"));
  std::vector<Run> runs;
  for (const JsonObject& row : rows) {
    ORDO_TRY(row.onlyHas({"name", "args", "stdin"}));
    Run run;
    ORDO_TRY_ASSIGN(run.name, row.get<std::string>("name"));
    ORDO_TRY_ASSIGN(run.args, row.get<std::vector<std::string>>("args"));
    ORDO_TRY_ASSIGN(run.input, row.get<std::string>("stdin"));
    runs.push_back(std::move(run));
  }
  return runs;
}

Status readTiming(const JsonObject& root, std::int64_t format, Recipe& recipe) {
  ORDO_TRY_ASSIGN(const JsonObject row, root.object("timing"));
  const bool has_runs = format >= kFirstFormatWithRuns;
  ORDO_TRY(row.onlyHas({"verdict", "why", "speedup", "low", "high", "p", "candidates", "refused", "trials",
                        "checked", has_runs ? "runs" : "checked"}));
  Timing timing;
  if (has_runs) {
    ORDO_TRY_ASSIGN(timing.runs, runsFrom(row));
  }
  ORDO_TRY_ASSIGN(timing.verdict, row.get<std::string>("verdict"));
  ORDO_TRY_ASSIGN(timing.why, row.get<std::string>("why"));
  ORDO_TRY_ASSIGN(const std::optional<double> value, numberOrNone(row, "speedup", format, 1));
  ORDO_TRY_ASSIGN(const std::optional<double> low, numberOrNone(row, "low", format, 1));
  ORDO_TRY_ASSIGN(const std::optional<double> high, numberOrNone(row, "high", format, 1));
  if (value || low || high) {
    Speedup& speedup = timing.speedup.emplace();
    ORDO_TRY_ASSIGN(speedup.value, row.get<double>("speedup"));
    ORDO_TRY_ASSIGN(speedup.low, row.get<double>("low"));
    ORDO_TRY_ASSIGN(speedup.high, row.get<double>("high"));
  }
  ORDO_TRY_ASSIGN(timing.p, row.get<double>("p"));
  ORDO_TRY_ASSIGN(timing.candidates, row.get<std::int64_t>("candidates"));
  ORDO_TRY_ASSIGN(timing.refused, row.get<std::int64_t>("refused"));
  ORDO_TRY_ASSIGN(timing.trials, row.get<std::int64_t>("trials"));
  ORDO_TRY_ASSIGN(timing.checked, row.get<std::string>("checked"));
  recipe.timing = std::move(timing);
  return {};
}

Status readCompiler(const JsonObject& root, Recipe& recipe) {
  ORDO_TRY_ASSIGN(const JsonObject compiler, root.object("compiler"));
  ORDO_TRY_ASSIGN(recipe.backend, compiler.get<std::string>("backend"));
  ORDO_TRY_ASSIGN(recipe.backend_version, compiler.get<std::string>("version"));
  ORDO_TRY_ASSIGN(recipe.target, compiler.get<std::string>("target"));
  ORDO_TRY_ASSIGN(recipe.settings, settingsFrom(compiler, {"backend", "version", "target"}));
  return {};
}

Status readSearch(const JsonObject& root, Recipe& recipe) {
  ORDO_TRY_ASSIGN(const JsonObject search, root.object("search"));
  ORDO_TRY(search.onlyHas({"space", "space_hash", "searcher", "seed", "jobs", "evaluations", "seconds"}));
  ORDO_TRY_ASSIGN(recipe.space, search.get<std::string>("space"));
  ORDO_TRY_ASSIGN(recipe.space_hash, hashFrom(search, "space_hash"));
  ORDO_TRY_ASSIGN(recipe.searcher, search.get<std::string>("searcher"));
  ORDO_TRY_ASSIGN(recipe.seed, search.get<std::int64_t>("seed"));
  ORDO_TRY_ASSIGN(recipe.jobs, search.get<std::int64_t>("jobs"));
  ORDO_TRY_ASSIGN(recipe.evaluations, search.get<std::int64_t>("evaluations"));
  ORDO_TRY_ASSIGN(recipe.seconds, search.get<double>("seconds"));
  return {};
}

}  // namespace

std::string write(const Recipe& recipe) {
  Json figures = Json::array();
  for (const Figure& figure : recipe.figures) {
    Json& row = figures.emplace_back(Json{{"metric", figure.metric}, {"baseline", figure.baseline}});
    if (figure.bare) row["bare"] = *figure.bare;
    row["tuned"] = figure.tuned;
  }
  Json reasons = Json::array();
  for (const Reason& reason : recipe.reasons)
    reasons.push_back({{"action", reason.action}, {"saves", reason.saves}});
  Json compiler = {
      {"backend", recipe.backend}, {"version", recipe.backend_version}, {"target", recipe.target}};
  addSettings(compiler, recipe.settings);
  Json json = {
      {"format", kFormat},
      {"program",
       {{"name", recipe.program},
        {"source", recipe.source},
        {"language", recipe.language},
        {"flags", recipe.flags},
        {"hash", recipe.program_hash.hex()}}},
      {"baseline", recipe.baseline},
      {"objective", recipe.objective},
      {"figures", figures},
      {"prepare", toJson(recipe.prepare)},
      {"actions", toJson(recipe.actions)},
      {"result_hash", recipe.result_hash.hex()},
      {"reasons", reasons},
      {"verified", recipe.verified},
      {"tested", recipe.tested},
      {"stock", recipe.stock},
      {"compiler", std::move(compiler)},
      {"search",
       {{"space", recipe.space},
        {"space_hash", recipe.space_hash.hex()},
        {"searcher", recipe.searcher},
        {"seed", recipe.seed},
        {"jobs", recipe.jobs},
        {"evaluations", recipe.evaluations},
        {"seconds", recipe.seconds}}},
  };
  if (!recipe.limits.empty()) json["limits"] = recipe.limits;
  for (const FunctionSaving& saving : recipe.functions)
    json["functions"].push_back({{"function", saving.function}, {"saves", saving.saves}});
  if (recipe.timing) {
    const Timing& timing = *recipe.timing;
    Json& row = json["timing"] = {{"verdict", timing.verdict}, {"why", timing.why}};
    if (timing.speedup) {
      row["speedup"] = timing.speedup->value;
      row["low"] = timing.speedup->low;
      row["high"] = timing.speedup->high;
    }
    row["p"] = timing.p;
    row["candidates"] = timing.candidates;
    row["refused"] = timing.refused;
    row["trials"] = timing.trials;
    row["checked"] = timing.checked;
    row["runs"] = Json::array();
    for (const Run& run : timing.runs)
      row["runs"].push_back({{"name", run.name}, {"args", run.args}, {"stdin", run.input}});
  }
  seal(json);
  return writeJson(json, 2) + "\n";
}

std::string locateSource(const Recipe& recipe, const std::filesystem::path& file) {
  std::error_code none;
  const std::filesystem::path source = recipe.source;
  if (source.is_absolute() || std::filesystem::exists(source, none)) return recipe.source;
  for (std::filesystem::path folder = std::filesystem::absolute(file, none).lexically_normal();
       folder.has_relative_path();) {
    folder = folder.parent_path();
    if (std::filesystem::exists(folder / source, none)) return (folder / source).string();
  }
  return recipe.source;
}

Result<Recipe> parse(std::string_view text, std::string_view name) {
  ORDO_TRY_ASSIGN(const Json json, parseJsonWithUniqueKeys(text, name));
  ORDO_TRY_ASSIGN(const JsonObject root, JsonObject::of(json, std::string(name)));
  ORDO_TRY_ASSIGN(const std::int64_t format, root.get<std::int64_t>("format"));
  if (format > kFormat) {
    return fail(ErrorCode::kUnsupported,
                "{} is a recipe of format {}, and this Ordo reads up to {}; update Ordo", name, format,
                kFormat);
  }
  if (format < 1) return fail(ErrorCode::kCorrupt, "{}: the field 'format' should be at least 1", name);
  ORDO_TRY(root.onlyHas({"format", "program", "baseline", "objective", "figures", "prepare", "actions",
                         "result_hash", "reasons", "verified", "tested", "stock", "compiler", "search",
                         "limits", "functions", "timing", "checksum"}));
  Recipe recipe;
  ORDO_TRY(readProgram(root, recipe));
  ORDO_TRY(readResult(root, format, recipe));
  if (env::isExperiment(recipe.objective)) {
    ORDO_TRY(readTiming(root, format, recipe));
  } else if (json.contains("timing")) {
    return fail(ErrorCode::kCorrupt, "{}: the field 'timing' is for the objective {}, not {}", name,
                env::kRuntime, recipe.objective);
  }
  ORDO_TRY_ASSIGN(recipe.limits, root.get<std::vector<std::string>>("limits", {}));
  if (json.contains("functions")) ORDO_TRY(readFunctions(root, recipe));
  ORDO_TRY_ASSIGN(recipe.verified, root.get<std::string>("verified"));
  ORDO_TRY_ASSIGN(recipe.tested, root.get<std::string>("tested"));
  ORDO_TRY_ASSIGN(recipe.stock, root.get<std::vector<std::string>>("stock"));
  ORDO_TRY(readCompiler(root, recipe));
  ORDO_TRY(readSearch(root, recipe));
  recipe.sealed = format >= kFirstSealedFormat;
  if (recipe.sealed) {
    ORDO_TRY(checkSeal(json, root));
  } else if (json.contains("checksum")) {
    return fail(ErrorCode::kCorrupt, "{}: the field 'checksum' is of format {}, not {}", name,
                kFirstSealedFormat, format);
  }
  return recipe;
}

}  // namespace ordo::recipe
