// list_actions: the actions there are, with what each does and when it can help.
#include <array>

#include "agent/answers.h"
#include "agent/host.h"
#include "agent/tool.h"
#include "spaces/notes.h"

namespace ordo::agent {
namespace {

constexpr std::array kParameters{
    Parameter{.name = "filter",
              .summary = "Only actions that have this in their name, or in what is said of them: \"inline\", "
                         "\"loop\", \"dead\".",
              .absent = R"("")",
              .most = 60},
    Parameter{.name = "limit",
              .type = ParameterType::kInteger,
              .summary = "At most so many.",
              .absent = "50",
              .least = 1,
              .most = 200},
    kFrom};

Result<Json> run(Call& call) {
  const std::string filter = call.arguments.text("filter");
  Page page(static_cast<std::size_t>(call.arguments.integer("from")),
            static_cast<std::size_t>(call.arguments.integer("limit")));
  for (const env::Action& action : call.program->actions()) {
    const spaces::Note* const note = call.host.notes().find(action.name);
    const bool wanted = action.name.find(filter) != std::string::npos ||
                        (note != nullptr && (note->does.find(filter) != std::string::npos ||
                                             note->helps.find(filter) != std::string::npos));
    if (!wanted) continue;
    Json entry{{"name", action.name}};
    if (note != nullptr) entry.update({{"does", note->does}, {"helps", note->helps}});
    page.add(std::move(entry));
  }
  Json reply = Json::object();
  page.writeTo(reply, "actions");
  return reply;
}

}  // namespace

extern const Tool list_actions{
    .name = "list_actions",
    .title = "Actions",
    .summary =
        "The actions that sequences are made of: passes, passes with parameters, whole pipelines, "
        "attributes and settings of the code generator; each with what it does and when it helps.",
    .price = "none",
    .example = R"({"filter": "inline"})",
    .parameters = kParameters,
    .run = run};

}  // namespace ordo::agent
