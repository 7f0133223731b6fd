#include "cli/command.h"

namespace ordo::cli {

#define ORDO_ENTRY(stem) extern const CommandInfo stem;
#include "cli/builtin.def"
#undef ORDO_ENTRY

std::span<const CommandInfo* const> catalog() {
  static constexpr const CommandInfo* kCommands[] = {
#define ORDO_ENTRY(stem) &stem,
#include "cli/builtin.def"
#undef ORDO_ENTRY
  };
  return kCommands;
}

}  // namespace ordo::cli
