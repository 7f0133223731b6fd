// search_sequences: a search from here, with a stated budget.
#include <array>

#include "agent/answers.h"
#include "agent/tool.h"
#include "search/catalog/catalog.h"
#include "support/text.h"

namespace ordo::agent {
namespace {

constexpr std::size_t kOthers = 3;

constexpr std::array kParameters{
    Parameter{.name = "compiles",
              .type = ParameterType::kInteger,
              .summary = "What the search may spend.",
              .absent = "50",
              .least = 1,
              .most = 100000},
    Parameter{.name = "method",
              .summary =
                  "policy (begins with what the small policy and sequences that were good elsewhere say), "
                  "evolutionary, graph_genetic (1100 compiles of it are Compiler-R1's "
                  "find_best_pass_sequence), beam, greedy, mcts, random or another of 'ordo list "
                  "searchers'.",
              .absent = R"("policy")",
              .most = 60},
    Parameter{.name = "seed",
              .type = ParameterType::kInteger,
              .summary = "Of chance; left out, the program's.",
              .absent = "null",
              .most = 1e9}};

Result<Json> run(Call& call) {
  OpenedProgram& program = *call.program;
  ORDO_TRY_ASSIGN(const search::Sequence from, call.sequence());
  const std::string method = call.arguments.text("method");
  const search::SearcherInfo* const searcher = search::find(method);
  if (searcher == nullptr) {
    std::vector<std::string> names;
    for (const search::SearcherInfo* known : search::catalog()) names.emplace_back(known->name);
    return fail(ErrorCode::kInvalidArgument, "{}", unknownName("method", method, names));
  }
  const std::uint64_t seed = call.arguments.has("seed")
                                 ? static_cast<std::uint64_t>(call.arguments.integer("seed"))
                                 : program.seed();
  const auto compiles = static_cast<double>(call.arguments.integer("compiles"));
  const auto on_answer = [&](double answers, const search::Evaluation&) {
    call.progress(answers, compiles, "searching");
  };
  ORDO_TRY_ASSIGN(const OpenedProgram::Searched found,
                  program.search(*searcher, from, compiles, seed, on_answer));
  Json others = Json::array();
  for (const search::Evaluation& other : found.others) {
    if (others.size() == kOthers) break;
    others.push_back({{"sequence", program.names(other.actions)}, {"value", number(other.value)}});
  }
  Json reply{{"sequence", program.names(found.best.actions)}};
  reply.update(measuredJson(program, found.best));
  reply["others"] = std::move(others);
  return reply;
}

}  // namespace

extern const Tool search_sequences{
    .name = "search_sequences",
    .title = "Search from here",
    .summary =
        "Searches for a better sequence, beginning with the one given, the baseline and what it knows of "
        "other programs. Says the best it found, without actions that do nothing. Worth its price when "
        "edits by hand have stopped helping.",
    .price = "as many compiles as are asked for",
    .example = R"({"compiles": 50, "method": "policy"})",
    .on_sequence = true,
    .parameters = kParameters,
    .run = run};

}  // namespace ordo::agent
