// What passes say of what they did and could not do: LLVM's optimization remarks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/input.h"
#include "env/session.h"
#include "support/error.h"

namespace ordo::agent {

struct Remark {
  std::string kind;  // passed, missed, analysis, failure
  std::string pass;  // LLVM's own name, which is not always that of an action: "loop-vectorize", "inline"
  std::string function;
  std::string message;

  bool operator==(const Remark&) const = default;
};

// Those of stock opt-22 as it applies `actions` to `bitcode`, in order. Errors are opt's.
Result<std::vector<Remark>> remarksOf(const engine::Input& input, std::string bitcode,
                                      const std::vector<env::Action>& actions);

// What LLVM writes as YAML, as far as it is remarks; what is none is left out.
std::vector<Remark> parseRemarks(std::string_view yaml);

}  // namespace ordo::agent
