// get_remarks: what passes say of what they did and could not do.
#include <array>

#include "agent/foreign_text.h"
#include "agent/remarks.h"
#include "agent/tool.h"
#include "engine/toolchain.h"

namespace ordo::agent {
namespace {

constexpr std::size_t kMessage = 300;

constexpr std::array kParameters{
    Parameter{.name = "pass",
              .summary = "Only remarks of this pass (inline, licm, loop-vectorize, gvn, …); \"\": of all.",
              .absent = R"("")",
              .most = 60},
    Parameter{.name = "limit",
              .type = ParameterType::kInteger,
              .summary = "At most so many.",
              .absent = "30",
              .least = 1,
              .most = 200}};

Result<Json> run(Call& call) {
  ORDO_TRY_ASSIGN(const search::Sequence sequence, call.sequence());
  OpenedProgram& program = *call.program;
  if (program.input().toolchain != &engine::stockLlvm())
    return fail(ErrorCode::kUnsupported, "remarks are of stock LLVM's passes");
  ORDO_TRY_ASSIGN(const std::vector<Remark> remarks,
                  remarksOf(program.input(), program.program(), program.actionsOf(sequence)));
  const std::string pass = call.arguments.text("pass");
  const auto limit = static_cast<std::size_t>(call.arguments.integer("limit"));
  Json list = Json::array();
  std::size_t more = 0;
  for (const Remark& remark : remarks) {
    if (!pass.empty() && remark.pass != pass) continue;
    if (list.size() == limit) {
      ++more;
      continue;
    }
    list.push_back({{"kind", remark.kind},
                    {"pass", remark.pass},
                    {"function", foreignText(remark.function, 200)},
                    {"message", foreignText(remark.message, kMessage)}});
  }
  return Json{{"remarks", std::move(list)}, {"more", more}};
}

}  // namespace

extern const Tool get_remarks{
    .name = "get_remarks",
    .title = "Optimization remarks",
    .summary =
        "LLVM's optimization remarks for a sequence: what was inlined, hoisted or vectorized, and what was "
        "not and why.",
    .price = "no compile; stock opt runs the passes",
    .example = R"({"sequence": ["inline"], "pass": "inline"})",
    .on_sequence = true,
    .parameters = kParameters,
    .run = run};

}  // namespace ordo::agent
