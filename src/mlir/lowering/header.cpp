#include <fmt/ranges.h>

#include <algorithm>

#include "mlir/lowering/payload.h"

namespace ordo::lowering {
namespace {

// For a comment.
std::string onOneLine(std::string text) {
  std::ranges::replace_if(
      text, [](char letter) { return letter == '\n' || letter == '\r' || letter == '\\'; }, '?');
  return text;
}

void declare(const std::vector<Tensor>& tensors, std::string_view what, std::string_view qualifier,
             std::vector<std::string>& parameters, std::string& comment) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const char* type = tensors[i].bytes == 8 ? "double" : "float";
    parameters.push_back(fmt::format("{}{}* {}{}", qualifier, type, what, i));
    comment += fmt::format("// {}{}: {} of {}\n", what, i, type, fmt::join(tensors[i].shape, " x "));
  }
}

}  // namespace

std::string headerOf(const Payload& payload, unsigned threads) {
  std::vector<std::string> parameters;
  std::string comment;
  declare(payload.inputs, "in", "const ", parameters, comment);
  declare(payload.outputs, "out", "", parameters, comment);
  if (threads > 1)
    comment +=
        fmt::format("// It runs on {} threads of OpenMP: link it with clang -fopenmp or -lomp.\n", threads);
  if (payload.symbol != payload.kernel.function)
    comment += fmt::format("// The kernel's own name, {}, is none that C and a linker leave free.\n",
                           onOneLine(payload.kernel.function));
  return fmt::format(
      "// Made by ordo from {0}. Dense, in row order, and no output overlaps anything. Threads may call it\n"
      "// at the same time: what it computes on the way each keeps in memory of its own.\n{1}#pragma once\n\n"
      "#ifdef __cplusplus\nextern \"C\"\n#endif\nvoid {2}({3});\n",
      onOneLine(payload.name), comment, payload.symbol, fmt::join(parameters, ", "));
}

}  // namespace ordo::lowering
