// What an external method writes is not trusted: no line may crash the parser, and what it accepts must be
// something that can be evaluated.
#include <cstddef>
#include <cstdint>

#include "study/protocol.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ordo;
  constexpr std::size_t kActions = 12, kMaxLength = 4;
  const std::string_view line{reinterpret_cast<const char*>(data), size};
  const Status greeting = study::readGreeting(line);
  ORDO_CHECK(greeting || !greeting.error().message.empty(), "an error that says nothing");
  const auto proposal = study::readProposal(line, kActions, kMaxLength);
  if (!proposal) {
    ORDO_CHECK(!proposal.error().message.empty(), "an error that says nothing");
    return 0;
  }
  ORDO_CHECK(!proposal->empty(), "nothing was proposed");
  for (const search::Sequence& sequence : *proposal) {
    ORDO_CHECK(sequence.size() <= kMaxLength, "{} actions", sequence.size());
    for (const env::ActionIndex action : sequence) ORDO_CHECK(action < kActions, "action {}", action);
  }
  return 0;
}
