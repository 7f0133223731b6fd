#include "notation/pass_options.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ordo::notation {
namespace {

// clang-format off
constexpr auto kOptions = std::to_array<std::string_view>({
    // When a call is inlined.
    "inline-threshold", "inlinedefault-threshold", "inlinehint-threshold", "inlinecold-threshold",
    "inline-cold-callsite-threshold", "hot-callsite-threshold", "locally-hot-callsite-threshold",
    "cold-callsite-rel-freq", "hot-callsite-rel-freq", "inline-instr-cost", "inline-memaccess-cost",
    "inline-call-penalty", "inline-savings-multiplier", "inline-size-allowance",
    // How far loops are unrolled and peeled.
    "unroll-threshold", "unroll-threshold-default", "unroll-threshold-aggressive", "unroll-partial-threshold",
    "unroll-max-percent-threshold-boost", "unroll-max-iteration-count-to-analyze", "unroll-max-count",
    "unroll-full-max-count", "unroll-max-upperbound", "unroll-peel-max-count",
    // How wide loops and straight code become, and from when on.
    "vectorizer-min-trip-count", "slp-threshold", "slp-max-reg-size", "slp-min-reg-size", "slp-max-vf",
    // How much is duplicated, hoisted and folded.
    "jump-threading-threshold", "phi-node-folding-threshold", "two-entry-phi-node-folding-threshold",
    "bonus-inst-threshold", "max-uses-for-sinking", "rotation-max-header-size",
    "licm-versioning-max-depth-threshold", "gvn-max-block-speculations", "dse-memoryssa-scanlimit",
    "memdep-block-scan-limit", "available-load-scan-limit"});
// clang-format on

// "inline-threshold" of "--inline-threshold=-25".
std::string_view nameOf(std::string_view option) {
  option = option.substr(0, option.find('='));
  option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
  return option;
}

}  // namespace

void setPassOption(std::vector<std::string>& options, const std::string& option) {
  std::erase_if(options, [&](const std::string& other) { return nameOf(other) == nameOf(option); });
  options.push_back(option);
}

bool isPassOption(std::string_view option) {
  const std::size_t equals = option.find('=');
  const std::size_t dashes = option.starts_with("--") ? 2 : 1;
  if (!option.starts_with('-') || equals == std::string_view::npos) return false;
  const std::string_view value = option.substr(equals + 1);
  int number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && end == value.data() + value.size() &&
         std::ranges::find(kOptions, option.substr(dashes, equals - dashes)) != kOptions.end();
}

}  // namespace ordo::notation
