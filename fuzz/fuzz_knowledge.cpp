// Knowledge may come from other people: no text may crash the parser, what it accepts must survive being
// written and read again, and a search must be able to use it.
#include <cstddef>
#include <cstdint>

#include "notation/action.h"
#include "search/knowledge/knowledge.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ordo;
  const auto file = search::parseKnowledge({reinterpret_cast<const char*>(data), size}, "knowledge.json");
  if (!file) {
    ORDO_CHECK(!file.error().message.empty(), "an error that says nothing");
    return 0;
  }
  const std::string text = search::writeKnowledge(*file);
  const auto again = search::parseKnowledge(text, "knowledge.json");
  ORDO_CHECK(again.has_value(), "what was written is not read: {}", again.error().message);
  ORDO_CHECK(search::writeKnowledge(*again) == text, "other knowledge was read than was written");
  const std::vector<env::Action> actions{{"sroa", notation::kPipeline, "sroa"},
                                         {"gvn", notation::kPipeline, "gvn"}};
  const auto knowledge = search::knowledgeFor(*file, actions, {});
  ORDO_CHECK(knowledge.has_value(), "{}", knowledge.error().message);
  for (const auto& [objective, sequences] : knowledge->coresets) {
    for (const search::Sequence& sequence : sequences) {
      for (const env::ActionIndex action : sequence) ORDO_CHECK(action < actions.size(), "action {}", action);
    }
  }
  return 0;
}
