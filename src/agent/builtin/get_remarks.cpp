// get_remarks: what passes say of what they did and could not do.
#include <array>

#include "agent/answers.h"
#include "agent/foreign_text.h"
#include "agent/remarks.h"
#include "agent/tool.h"
#include "engine/toolchain.h"
#include "support/symbol.h"

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
              .most = 200},
    kFrom};

Result<Json> run(Call& call) {
  ORDO_TRY_ASSIGN(const search::Sequence sequence, call.sequence());
  OpenedProgram& program = *call.program;
  if (program.input().toolchain != &engine::stockLlvm())
    return fail(ErrorCode::kUnsupported, "remarks are of stock LLVM's passes");
  ORDO_TRY_ASSIGN(const std::vector<Remark> remarks,
                  remarksOf(program.input(), program.program(), program.actionsOf(sequence)));
  const std::string pass = call.arguments.text("pass");
  Page page(static_cast<std::size_t>(call.arguments.integer("from")),
            static_cast<std::size_t>(call.arguments.integer("limit")));
  for (const Remark& remark : remarks) {
    if (!pass.empty() && remark.pass != pass) continue;
    page.add({{"kind", remark.kind},
              {"pass", remark.pass},
              {"function", foreignText(demangled(remark.function), 200)},
              {"message", foreignText(demangledIn(remark.message), kMessage)}});
  }
  Json reply = Json::object();
  page.writeTo(reply, "remarks");
  return reply;
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
