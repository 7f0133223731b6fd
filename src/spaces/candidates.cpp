// Collector keeps the candidates in the order in which they come and refuses a name that is taken. The
// backend's transforms come first, because a variant takes its level from the pass that it is one of.
// addLine() tells what a line is by its form, in a fixed order; nest() writes a pass as opt reads it at its
// level. kSkipped is kept by hand: LLVM lists passes that print or check like any others.
#include "spaces/candidates.h"

#include <algorithm>
#include <sstream>

#include "notation/action.h"
#include "notation/pass_options.h"

namespace ordo::spaces {
namespace {

// Transforms in name only. A '*' stands for any rest.
struct SkipRule {
  std::string_view pattern;
  std::string_view reason;
};
constexpr SkipRule kSkipped[] = {
    {"print*", "prints"},
    {"dot-*", "writes a file"},
    {"view-*", "opens a viewer"},
    {"verify", "checks"},
    {"invalidate", "forgets analyses"},
    {"no-op-*", "does nothing"},
    {"trigger-*", "crashes on purpose"},
    {"aa-eval", "prints"},
    {"pa-eval", "prints"},
    {"count-visits", "counts"},
    {"instcount", "counts"},
    {"func-properties-stats", "counts"},
    {"helloworld", "prints"},
    {"kernel-info", "prints"},
    {"lint", "prints"},
    {"check-debugify", "checks"},
    {"prof-verify", "checks"},
    {"annotation-remarks", "prints"},
    {"transform-warning", "prints"},
    {"free-machine-function", "frees what only a code generator made"},
    {"default", "a pipeline; its levels are composites"},
    {"thinlto", "a pipeline of the link step"},
    {"thinlto-pre-link", "a pipeline that expects a link step"},
    {"lto", "a pipeline of the link step"},
    {"lto-pre-link", "a pipeline that expects a link step"},
    {"fatlto-pre-link", "a pipeline that expects a link step"},
    {"function-simplification", "a pipeline; its levels are composites"},
};

std::string_view whySkipped(const env::TransformInfo& transform) {
  if (transform.level == "machine-function") return "works on machine code";
  for (const SkipRule& rule : kSkipped) {
    const bool open = rule.pattern.ends_with('*');
    if (open ? transform.name.starts_with(rule.pattern.substr(0, rule.pattern.size() - 1))
             : transform.name == rule.pattern) {
      return rule.reason;
    }
  }
  return {};
}

constexpr std::string_view kPiece = "piece ";

// Writes `pass` as opt reads it from the module level.
void nest(Candidate& candidate, std::string_view pass) {
  if (candidate.level == "cgscc") {
    candidate.texts = {fmt::format("cgscc({})", pass)};
  } else if (candidate.level == "function") {
    candidate.texts = {fmt::format("function({})", pass)};
  } else if (candidate.level == "loop" || candidate.level == "loopnest") {
    candidate.texts = {fmt::format("function(loop({}))", pass), fmt::format("function(loop-mssa({}))", pass)};
    candidate.neutral = "function(loop(no-op-loop))";
  } else {
    candidate.texts = {std::string(pass)};
  }
}

class Collector {
 public:
  explicit Collector(const env::BackendInfo& backend) {
    for (const env::TransformInfo& transform : backend.transforms) addTransform(transform);
  }

  bool add(Candidate candidate) {
    if (find(candidate.name) != nullptr) return false;
    result_.actions.push_back(std::move(candidate));
    return true;
  }

  Status addLine(std::string_view line) {
    Candidate candidate;
    const bool piece = line.starts_with(kPiece);
    if (piece) line.remove_prefix(kPiece.size());
    const std::size_t equals = line.find(" = ");
    candidate.name = line.substr(0, equals);
    if (!isActionName(candidate.name))
      return fail(ErrorCode::kCorrupt, "'{}' is not an action name", candidate.name);
    if (!piece && (line.starts_with('+') || line.starts_with('-'))) {
      candidate.kind = RowKind::kAttribute;
      candidate.level = "attribute";
      candidate.texts = {candidate.name};
    } else if (!piece && !env::settingOf(line).empty()) {
      candidate.kind = RowKind::kCodegen;
      candidate.level = "codegen";
      candidate.texts = {fmt::format("-{}", env::partsOf(line).parameters)};
    } else if (!piece && env::partsOf(line).type == notation::kOption) {
      candidate.kind = RowKind::kOption;
      candidate.level = notation::kOption;
      candidate.texts = {fmt::format("-{}", env::partsOf(line).parameters)};
      if (!notation::isPassOption(candidate.texts[0]))
        return fail(ErrorCode::kCorrupt, "'{}' is no option of passes that is known", candidate.name);
    } else if (equals != std::string_view::npos) {
      candidate.kind = RowKind::kComposite;
      candidate.level = piece ? kPieceLevel : "pipeline";
      candidate.texts = {std::string(line.substr(equals + 3))};
    } else if (piece) {
      return fail(ErrorCode::kCorrupt, "'{}' is not 'piece name = pipeline'", line);
    } else {
      const std::string pass = candidate.name.substr(0, candidate.name.find('<'));
      const Candidate* base = find(pass);
      if (base == nullptr || base->name == candidate.name) {
        return fail(ErrorCode::kCorrupt, "'{}' is not a pass with parameters, nor 'name = pipeline'",
                    candidate.name);
      }
      candidate.kind = RowKind::kVariant;
      candidate.level = base->level;
      candidate.params = base->params;
      nest(candidate, candidate.name);
    }
    if (!add(candidate)) return fail(ErrorCode::kCorrupt, "'{}' is taken", candidate.name);
    return {};
  }

  Candidates take() && { return std::move(result_); }

 private:
  const Candidate* find(std::string_view name) const {
    const auto found = std::find_if(result_.actions.begin(), result_.actions.end(),
                                    [&](const Candidate& candidate) { return candidate.name == name; });
    return found == result_.actions.end() ? nullptr : &*found;
  }

  void addTransform(const env::TransformInfo& transform) {
    if (const std::string_view reason = whySkipped(transform); !reason.empty()) {
      // print and print<loops> are one name to the backend.
      const Skipped skipped{transform.name, transform.level, std::string(reason)};
      if (std::find(result_.skipped.begin(), result_.skipped.end(), skipped) == result_.skipped.end()) {
        result_.skipped.push_back(skipped);
      }
      return;
    }
    Candidate candidate{transform.name, RowKind::kPass, transform.level, transform.params, {}, {}};
    nest(candidate, transform.name);
    const Candidate* same = find(transform.name);
    // LLVM lists some passes twice: without parameters and with.
    if (same != nullptr && same->level == transform.level) return;
    if (same != nullptr) candidate.name = fmt::format("{}({})", transform.level, transform.name);
    add(std::move(candidate));
  }

  Candidates result_;
};

}  // namespace

Result<Candidates> findCandidates(const env::BackendInfo& backend, std::string_view variants,
                                  const std::vector<NamedPipeline>& pipelines) {
  Collector collector(backend);
  std::istringstream lines{std::string(variants)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    if (Status added = collector.addLine(line); !added) {
      return fail(std::move(added).error().context(fmt::format("line {}", number)));
    }
  }
  for (const NamedPipeline& pipeline : pipelines) {
    if (!isActionName(pipeline.name) ||
        !collector.add({pipeline.name, RowKind::kComposite, "pipeline", "", {pipeline.text}, ""})) {
      return fail(ErrorCode::kInvalidArgument, "the pipeline name '{}' is taken or is no name",
                  pipeline.name);
    }
  }
  return std::move(collector).take();
}

}  // namespace ordo::spaces
