// edit_sequence: a sequence with something changed, and what that is worth.
#include <array>

#include "agent/answers.h"
#include "agent/tool.h"

namespace ordo::agent {
namespace {

constexpr std::array<std::string_view, 5> kOps{"insert", "remove", "replace", "move", "parameters"};

constexpr std::array kFields{
    Parameter{.name = "op",
              .summary =
                  "insert: `action` before place `at` (at the end if `at` is the length); remove: the one "
                  "at `at`; replace: it by `action`; move: it to place `to`; parameters: give it others of "
                  "its type.",
              .choices = kOps},
    Parameter{.name = "at",
              .type = ParameterType::kInteger,
              .summary = "A place in the sequence, counted from 0, as the edits before have left it.",
              .most = 60},
    Parameter{.name = "action",
              .summary = "The name of an action, for insert and replace.",
              .absent = R"("")",
              .most = 300},
    Parameter{.name = "to",
              .type = ParameterType::kInteger,
              .summary = "For move: where it stands afterwards.",
              .absent = "0",
              .most = 60},
    Parameter{.name = "parameters",
              .summary = "For parameters: what stands between < and >; \"\" is none.",
              .absent = R"("")",
              .most = 300}};

constexpr std::array kParameters{Parameter{.name = "edits",
                                           .type = ParameterType::kObjects,
                                           .summary = "What to change, one after the other.",
                                           .least = 1,
                                           .most = 20,
                                           .fields = kFields}};

Status apply(const Arguments& edit, std::vector<std::string>& names) {
  const std::string op = edit.text("op");
  const auto at = static_cast<std::size_t>(edit.integer("at"));
  if (at > names.size() || (at == names.size() && op != "insert"))
    return fail(ErrorCode::kInvalidArgument, "{} at {}: the sequence has {} actions there", op, at,
                names.size());
  const auto place = names.begin() + static_cast<std::ptrdiff_t>(at);
  if (op == "remove") {
    names.erase(place);
    return {};
  }
  if (op == "move") {
    const auto to = static_cast<std::size_t>(edit.integer("to"));
    if (to >= names.size())
      return fail(ErrorCode::kInvalidArgument, "move to {}: the sequence has {} actions", to, names.size());
    std::string name = std::move(*place);
    names.erase(place);
    names.insert(names.begin() + static_cast<std::ptrdiff_t>(to), std::move(name));
    return {};
  }
  if (op == "parameters") {
    const env::ActionParts parts = env::partsOf(*place);
    if (parts.sign) return fail(ErrorCode::kInvalidArgument, "{} has no parameters", *place);
    const std::string parameters = edit.text("parameters");
    *place = parameters.empty() ? std::string(parts.type) : fmt::format("{}<{}>", parts.type, parameters);
    return {};
  }
  const std::string action = edit.text("action");
  if (action.empty()) return fail(ErrorCode::kInvalidArgument, "{} needs an action", op);
  if (op == "insert")
    names.insert(place, action);
  else
    *place = action;
  return {};
}

Result<Json> run(Call& call) {
  ORDO_TRY_ASSIGN(const search::Sequence before, call.sequence());
  std::vector<std::string> names = call.program->names(before);
  for (const Arguments& edit : call.arguments.objects("edits")) ORDO_TRY(apply(edit, names));
  ORDO_TRY_ASSIGN(const search::Sequence sequence, call.program->read(names));
  ORDO_TRY_ASSIGN(const search::Evaluation evaluation, call.program->measure(sequence));
  Json reply{{"sequence", names}};
  reply.update(measuredJson(*call.program, evaluation));
  return reply;
}

}  // namespace

extern const Tool edit_sequence{
    .name = "edit_sequence",
    .title = "Edit a sequence",
    .summary =
        "Changes a sequence (inserts, removes, replaces or moves actions, or gives one other parameters) "
        "and measures what comes of it.",
    .price = "1 compile, none if it was measured before",
    .example = R"({"edits": [{"op": "insert", "at": 2, "action": "gvn"}, {"op": "remove", "at": 0}]})",
    .on_sequence = true,
    .parameters = kParameters,
    .run = run};

}  // namespace ordo::agent
