#include "cli/command.h"

namespace ordo::cli {

using CatalogEntry = CommandInfo;
#include "cli/catalog.inc"
}  // namespace ordo::cli
