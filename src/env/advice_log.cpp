// A question is looked for at one place only: where the log goes on after the one before. Compilers ask in
// one order, so that the same features elsewhere in the log are another case.
#include "env/advice_log.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/json.h"

namespace ordo::env {
namespace {

Result<DecisionSpec> specFrom(const JsonObject& object) {
  ORDO_TRY(object.onlyHas({"ordo_advice", "decision", "version", "features", "answers"}));
  ORDO_TRY_ASSIGN(const std::int64_t format, object.get<std::int64_t>("ordo_advice"));
  if (format != 1)
    return fail(ErrorCode::kUnsupported, "{}: advice of format {}, and this Ordo reads 1", object.where(),
                format);
  DecisionSpec spec;
  ORDO_TRY_ASSIGN(spec.name, object.get<std::string>("decision"));
  ORDO_TRY_ASSIGN(const std::int64_t version, object.get<std::int64_t>("version"));
  if (version < 1 || version > std::numeric_limits<int>::max())
    return fail(ErrorCode::kCorrupt, "{}: version {}", object.where(), version);
  spec.version = static_cast<int>(version);
  ORDO_TRY_ASSIGN(spec.features, object.get<std::vector<std::string>>("features"));
  ORDO_TRY_ASSIGN(spec.answers, object.get<std::vector<std::string>>("answers"));
  if (spec.answers.empty())
    return fail(ErrorCode::kCorrupt, "{}: a decision without answers", object.where());
  return spec;
}

Result<Advice> adviceFrom(const JsonObject& object, const DecisionSpec& spec) {
  ORDO_TRY(object.onlyHas({"module", "features", "usual", "answer"}));
  Advice advice;
  ORDO_TRY_ASSIGN(advice.module, object.get<std::string>("module"));
  ORDO_TRY_ASSIGN(const std::vector<double> features, object.get<std::vector<double>>("features"));
  ORDO_TRY_ASSIGN(const std::int64_t usual, object.get<std::int64_t>("usual"));
  ORDO_TRY_ASSIGN(const std::int64_t answer, object.get<std::int64_t>("answer"));
  const auto answers = static_cast<std::int64_t>(spec.answers.size());
  if (features.size() != spec.features.size()) {
    return fail(ErrorCode::kCorrupt, "{}: {} features, and the decision has {}", object.where(),
                features.size(), spec.features.size());
  }
  if (usual < 0 || usual >= answers || answer < 0 || answer >= answers)
    return fail(ErrorCode::kCorrupt, "{}: an answer that is none of the {}", object.where(), answers);
  for (const double value : features) {
    if (!(std::abs(value) <= std::numeric_limits<float>::max()))
      return fail(ErrorCode::kCorrupt, "{}: a feature that is no number of single precision", object.where());
    advice.features.push_back(static_cast<float>(value));
  }
  advice.usual = static_cast<std::uint32_t>(usual);
  advice.answer = static_cast<std::uint32_t>(answer);
  return advice;
}

}  // namespace

std::string writeAdvice(const AdviceLog& log) {
  std::string text = writeJson({{"ordo_advice", 1},
                                {"decision", log.spec.name},
                                {"version", log.spec.version},
                                {"features", log.spec.features},
                                {"answers", log.spec.answers}}) +
                     "\n";
  for (const Advice& advice : log.advice) {
    text += writeJson({{"module", advice.module},
                       {"features", advice.features},
                       {"usual", advice.usual},
                       {"answer", advice.answer}}) +
            "\n";
  }
  return text;
}

Result<AdviceLog> parseAdvice(std::string_view text, std::string_view name) {
  AdviceLog log;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string where = fmt::format("{}:{}", name, number);
    ORDO_TRY_ASSIGN(const Json json, parseJson(text.substr(0, end), where));
    ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, where));
    if (number == 1) {
      ORDO_TRY_ASSIGN(log.spec, specFrom(object));
    } else {
      ORDO_TRY_ASSIGN(Advice advice, adviceFrom(object, log.spec));
      log.advice.push_back(std::move(advice));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (log.spec.answers.empty()) return fail(ErrorCode::kCorrupt, "{}: no advice: it is empty", name);
  return log;
}

LoggedAdvisor::LoggedAdvisor(Advisor& advisor, AdviceLog& log) : advisor_(advisor), log_(log) {
  log_ = {advisor.spec(), {}};
}

void LoggedAdvisor::begin(std::string_view module) {
  module_ = module;
  advisor_.begin(module);
}

std::uint32_t LoggedAdvisor::advise(const Question& question) {
  std::uint32_t answer = advisor_.advise(question);
  // A compiler in the middle of a function has nobody to report to.
  if (answer >= question.allowed.size() || question.allowed[answer] == 0) answer = question.usual;
  if (fits(spec(), question)) {
    log_.advice.push_back(
        {module_, {question.features.begin(), question.features.end()}, question.usual, answer});
  }
  return answer;
}

void RecordedAdvisor::begin(std::string_view module) {
  module_ = module;
  // A module may come more than once: the next notes of it, and after the last the first again.
  const auto from = log_.advice.begin() + static_cast<std::ptrdiff_t>(next_);
  auto first = std::ranges::find(from, log_.advice.end(), module, &Advice::module);
  if (first == log_.advice.end()) first = std::ranges::find(log_.advice, module, &Advice::module);
  following_ = true;
  next_ = static_cast<std::size_t>(first - log_.advice.begin());
}

std::uint32_t RecordedAdvisor::advise(const Question& question) {
  if (following_ && next_ < log_.advice.size()) {
    const Advice& noted = log_.advice[next_];
    if (noted.module == module_ && std::ranges::equal(noted.features, question.features) &&
        question.allowed[noted.answer] != 0) {
      ++next_;
      return noted.answer;
    }
  }
  following_ = faithful_ = false;
  return question.usual;
}

}  // namespace ordo::env
