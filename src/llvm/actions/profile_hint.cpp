#include "llvm/actions/profile_hint.h"

#include <charconv>

#include "llvm/ir/profile.h"

namespace ordo::actions {
namespace {

constexpr std::string_view kProfilePass = "ordo-profile<";

}  // namespace

std::optional<std::vector<std::int64_t>> parseProfileHint(std::string_view pass) {
  if (!pass.starts_with(kProfilePass) || !pass.ends_with('>')) return std::nullopt;
  pass.remove_prefix(kProfilePass.size());
  pass.remove_suffix(1);
  if (pass.empty()) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const char *at = pass.data(), *const end = at + pass.size();; ++at) {
    std::int64_t number = ir::kNoWeights;
    if (at != end && *at != ';') {
      const auto [after, error] = std::from_chars(at, end, number);
      if (error != std::errc{} || number < 0) return std::nullopt;
      at = after;
    }
    numbers.push_back(number);
    if (at == end) return numbers;
    if (*at != ';') return std::nullopt;
  }
}

}  // namespace ordo::actions
