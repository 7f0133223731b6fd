// What can be decided about the parts of one program, its loops or its calls, as actions of a space that
// cannot list them, because they are the program's own.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "search/evaluation/evaluation.h"

namespace ordo::runtime {

// A decision about one part: an action, and the part's number.
struct Decision {
  std::size_t part = 0;
  env::ActionIndex action = 0;
};

class Decisions {
 public:
  virtual ~Decisions() = default;

  // What a part is called: "loop".
  virtual std::string_view noun() const = 0;
  // Numbers; what promises most comes first.
  virtual const std::vector<std::size_t>& parts() const = 0;
  // Decisions that show whether any about this part changes its code: if one does, one of these.
  virtual std::vector<Decision> probes(std::size_t part) const = 0;
  // All there are.
  virtual std::vector<Decision> ways(std::size_t part) const = 0;
  // The baseline, and what goes before it, with these decisions; a later one about a part takes the place of
  // an earlier one.
  virtual search::Sequence with(const std::vector<Decision>& decisions) const = 0;

 protected:
  // Without those that a later one about the same part takes back.
  static std::vector<Decision> standing(const std::vector<Decision>& decisions);
  // The spec's action of this name, which is added if there is none.
  static env::ActionIndex find(env::SessionSpec& spec, const env::Action& action);
};

}  // namespace ordo::runtime
