// counters: what the processor does while the program runs, as DeCOS observes it.
#include "running/counts.h"
#include "running/observation.h"

namespace ordo::running {

extern const RunObservationInfo counters{
    .name = "counters",
    .version = 1,
    .summary =
        "instructions, branches, cache accesses and their misses of one run of each of the program's "
        "tests: hardware's, else cachegrind's (source 1 or 2); price: a build and these runs, under "
        "cachegrind some 50 times as long",
    .element_names = kCountNames,
    .available = []() -> Status {
      ORDO_TRY(countSource());
      return {};
    },
    .observe = [](const datasets::Program& program,
                  const std::filesystem::path& executable) -> Result<std::vector<std::int64_t>> {
      ORDO_TRY_ASSIGN(const CountSource source, countSource());
      return countEvents(source, program, executable);
    }};

}  // namespace ordo::running
