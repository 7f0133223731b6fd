#include "timing/runner.h"

#include <array>
#include <utility>
#include <vector>

#include "support/text.h"

namespace ordo::timing {
namespace {

constexpr std::array<std::pair<std::string_view, Quantity>, 5> kQuantities{
    {{"cpu", Quantity::kCpu},
     {"user", Quantity::kUser},
     {"wall", Quantity::kWall},
     {"cycles", Quantity::kCycles},
     {"instructions", Quantity::kInstructions}}};

}  // namespace

std::string_view name(Quantity quantity) { return kQuantities[static_cast<std::size_t>(quantity)].first; }

Result<Quantity> parseQuantity(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& [text, quantity] : kQuantities) {
    if (text == name) return quantity;
    known.emplace_back(text);
  }
  return fail(ErrorCode::kInvalidArgument, "{}", unknownName("quantity", name, known));
}

std::optional<double> Reading::of(Quantity quantity) const {
  switch (quantity) {
    case Quantity::kCpu:
      return cpu_s;
    case Quantity::kUser:
      return user_s;
    case Quantity::kWall:
      return wall_s;
    case Quantity::kCycles:
      return cycles;
    case Quantity::kInstructions:
      return instructions;
  }
  return std::nullopt;
}

}  // namespace ordo::timing
