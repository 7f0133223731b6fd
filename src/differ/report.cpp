#include "differ/report.h"

#include <algorithm>
#include <array>

#include "support/files.h"
#include "support/process.h"
#include "support/symbol.h"
#include "support/text.h"

namespace ordo::differ {
namespace {

using Verdict = FunctionReport::Verdict;

constexpr std::array<std::string_view, 3> kVerdicts{"equal", "wrong", "skipped"};

std::string_view name(Verdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)]; }

Result<FunctionReport> parseFunction(const JsonObject& object) {
  FunctionReport function;
  ORDO_TRY_ASSIGN(function.name, object.get<std::string>("name"));
  ORDO_TRY_ASSIGN(const std::string verdict, object.get<std::string>("verdict"));
  const auto found = std::find(kVerdicts.begin(), kVerdicts.end(), verdict);
  if (found == kVerdicts.end())
    return fail(ErrorCode::kCorrupt, "{}: no verdict '{}'", object.where(), verdict);
  function.verdict = static_cast<Verdict>(found - kVerdicts.begin());
  ORDO_TRY_ASSIGN(function.detail, object.get<std::string>("detail", ""));
  ORDO_TRY_ASSIGN(function.input, object.get<std::string>("input", ""));
  ORDO_TRY_ASSIGN(const std::int64_t number, object.get<std::int64_t>("input_number", 0));
  function.input_number = static_cast<std::uint64_t>(number);
  ORDO_TRY_ASSIGN(function.compared, object.get<std::int64_t>("compared"));
  ORDO_TRY_ASSIGN(function.void_inputs, object.get<std::int64_t>("void_inputs"));
  ORDO_TRY_ASSIGN(function.blocks, object.get<std::int64_t>("blocks"));
  ORDO_TRY_ASSIGN(function.reached, object.get<std::int64_t>("reached"));
  return function;
}

}  // namespace

std::size_t Report::count(Verdict verdict) const {
  return static_cast<std::size_t>(
      std::count_if(functions.begin(), functions.end(),
                    [&](const FunctionReport& function) { return function.verdict == verdict; }));
}

const FunctionReport* Report::wrong() const {
  const auto found = std::find_if(functions.begin(), functions.end(), [](const FunctionReport& function) {
    return function.verdict == Verdict::kWrong;
  });
  return found == functions.end() ? nullptr : &*found;
}

std::string Report::summary() const {
  if (const FunctionReport* first = wrong()) {
    return fmt::format("{} of {} functions wrong: {}: {}", count(Verdict::kWrong), functions.size(),
                       demangled(first->name), first->detail);
  }
  std::int64_t inputs = 0;
  for (const FunctionReport& function : functions) inputs += function.compared;
  return fmt::format("{} of {} functions compared, {} inputs, {} % of blocks", count(Verdict::kEqual),
                     functions.size(), grouped(static_cast<double>(inputs)),
                     blocks == 0 ? 0 : reached * 100 / blocks);
}

Json toJson(const Report& report) {
  Json functions = Json::array();
  for (const FunctionReport& function : report.functions) {
    Json json{{"name", function.name},         {"verdict", name(function.verdict)},
              {"compared", function.compared}, {"void_inputs", function.void_inputs},
              {"blocks", function.blocks},     {"reached", function.reached}};
    if (!function.detail.empty()) json["detail"] = function.detail;
    if (function.verdict == Verdict::kWrong) {
      json["input"] = function.input;
      json["input_number"] = static_cast<std::int64_t>(function.input_number);
    }
    functions.push_back(std::move(json));
  }
  return {{"functions", std::move(functions)},
          {"blocks", report.blocks},
          {"reached", report.reached},
          {"seconds", report.seconds}};
}

Result<Report> parseReport(const Json& json) {
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, "comparison"));
  Report report;
  ORDO_TRY_ASSIGN(const std::vector<JsonObject> functions, object.objects("functions"));
  for (const JsonObject& function : functions) {
    ORDO_TRY_ASSIGN(FunctionReport parsed, parseFunction(function));
    report.functions.push_back(std::move(parsed));
  }
  ORDO_TRY_ASSIGN(report.blocks, object.get<std::int64_t>("blocks"));
  ORDO_TRY_ASSIGN(report.reached, object.get<std::int64_t>("reached"));
  ORDO_TRY_ASSIGN(report.seconds, object.get<double>("seconds"));
  return report;
}

Result<Report> compare(const Request& request) {
  ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
  const std::filesystem::path original = dir.path() / "original", optimized = dir.path() / "optimized";
  ORDO_TRY(writeFile(original, request.original));
  ORDO_TRY(writeFile(optimized, request.optimized));
  std::vector<std::string> argv{(installPrefix() / "bin" / "ordo-differ").string(),
                                original.string(),
                                optimized.string(),
                                "--seconds",
                                fmt::format("{}", request.seconds),
                                "--seed",
                                fmt::format("{}", request.seed),
                                "--inputs",
                                fmt::format("{}", request.inputs)};
  if (!request.function.empty()) argv.insert(argv.end(), {"--function", request.function});
  ProcessOptions options;
  options.dir = dir.path();
  options.timeout_s = request.limit_s;
  options.repeatable = true;
  options.environment = std::vector<std::string>{"PATH=/usr/bin:/bin", "LC_ALL=C"};
  ORDO_TRY_ASSIGN(const ProcessResult result, runProcess(argv, options));
  if (result.exit_code == 65 || result.exit_code == 78) {
    return fail(result.exit_code == 65 ? ErrorCode::kCorrupt : ErrorCode::kUnsupported, "{}", result.err);
  }
  if (result.timed_out) return fail(ErrorCode::kDeadlineExceeded, "comparing functions {}", result.ending());
  if (!result.ok()) return fail(ErrorCode::kUnavailable, "ordo-differ {}: {}", result.ending(), result.err);
  ORDO_TRY_ASSIGN(const Json json, parseJson(result.out, "ordo-differ"));
  return parseReport(json);
}

}  // namespace ordo::differ
