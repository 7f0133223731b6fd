#include "builds/free_flags.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <set>

namespace ordo::builds {
namespace {

using Words = std::vector<std::string>;
using Templates = std::vector<std::string_view>;

constexpr std::string_view kThreshold = "inline", kLinkThreshold = "link-inline";
constexpr int kFarThreshold = 1000;

void add(Words& words, const Templates& templates, std::string_view value) {
  for (const std::string_view word : templates)
    words.push_back(fmt::format(fmt::runtime(word), fmt::arg("value", value)));
}

const FreeFlag* find(std::string_view name) {
  const auto found = std::ranges::find(freeFlags(), name, &FreeFlag::name);
  return found == freeFlags().end() ? nullptr : &*found;
}

bool takes(const FreeFlag& flag, std::string_view value) {
  if (flag.name != kThreshold && flag.name != kLinkThreshold)
    return std::ranges::find(flag.values, value) != flag.values.end() ||
           std::ranges::find(flag.more_values, value) != flag.more_values.end();
  int number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && end == value.data() + value.size() && std::abs(number) <= kFarThreshold;
}

bool has(const FreeChoices& choices, std::string_view name) {
  return std::ranges::find(choices, name, &FreeChoice::name) != choices.end();
}

}  // namespace

std::span<const FreeFlag> freeFlags() {
  // clang-format off
  static const std::array<FreeFlag, 9> flags{{
      // The whole link as one module.
      {"lto", {"full"}, {"thin"}, {"-flto={value}"}, {"-flto={value}", "-fuse-ld=lld"}, {}},
      // How large a function may be to be inlined: where files are compiled, and where they are linked.
      {kThreshold, {"-25", "0", "-10", "-50", "5", "25", "-100", "60"}, {},
       {"-mllvm", "-inline-threshold={value}"}, {}, {"-Wl,-mllvm,-inline-threshold={value}"}},
      {kLinkThreshold, {"-25", "0", "-50", "5"}, {}, {}, {}, {"-Wl,-mllvm,-inline-threshold={value}"}},
      // Without what nothing needs.
      {"sections", {"on"}, {}, {"-ffunction-sections", "-fdata-sections"}, {"-Wl,--gc-sections"}, {}},
      // Ends of strings are shared.
      {"strings", {"tail"}, {}, {}, {"-Wl,-O2"}, {}},
      // Calls save registers, on RISC-V.
      {"save-restore", {"on"}, {}, {"-msave-restore"}, {}, {}},
      // One for all functions that are the same; of "all", although a program may compare their addresses.
      {"icf", {"safe"}, {"all"}, {}, {"-fuse-ld=lld", "-Wl,--icf={value}"}, {}},
      // Functions of what code has in common.
      {"outline", {}, {"on"}, {"-mllvm", "-enable-machine-outliner=always"}, {},
       {"-Wl,-mllvm,-enable-machine-outliner=always"}},
      // One for all functions that do the same.
      {"merge", {}, {"on"}, {"-Xclang", "-fmerge-functions"}, {}, {}},
  }};
  // clang-format on
  return flags;
}

Result<FreeChoices> parseFreeFlags(std::string_view text) {
  std::set<std::string, std::less<>> seen;
  FreeChoices choices;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find(','));
    const bool last = part.size() == rest.size();
    rest.remove_prefix(last ? rest.size() : part.size() + 1);
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string_view name = part.substr(0, equals);
    const std::string_view value = part.substr(std::min(equals + 1, part.size()));
    const FreeFlag* const flag = find(name);
    const bool good = flag != nullptr && takes(*flag, value) && seen.emplace(name).second;
    if (!good || (!last && rest.empty())) {
      Words known;
      for (const FreeFlag& each : freeFlags())
        known.push_back(fmt::format("{}={}{}{}", each.name, fmt::join(each.values, "|"),
                                    each.values.empty() || each.more_values.empty() ? "" : "|",
                                    fmt::join(each.more_values, "|")));
      return fail(ErrorCode::kInvalidArgument,
                  "ORDO_FREE_FLAGS has each of these once, with commas between: {}; '{}' is none of them",
                  fmt::join(known, " "), part);
    }
    choices.push_back({std::string(name), std::string(value)});
  }
  std::ranges::sort(choices, {}, [](const FreeChoice& choice) { return find(choice.name); });
  return choices;
}

std::string writeFreeFlags(const FreeChoices& choices) {
  Words parts;
  for (const FreeChoice& choice : choices) parts.push_back(choice.name + "=" + choice.value);
  return fmt::format("{}", fmt::join(parts, ","));
}

bool makesOneModule(const FreeChoices& choices) { return has(choices, "lto"); }

Words freeCompileWords(const FreeChoices& choices) {
  Words words;
  for (const FreeChoice& choice : choices) add(words, find(choice.name)->compile, choice.value);
  return words;
}

Words freeLinkWords(const FreeChoices& choices, bool sources) {
  Words words = sources ? freeCompileWords(choices) : Words();
  for (const FreeChoice& choice : choices) {
    const FreeFlag& flag = *find(choice.name);
    add(words, flag.link, choice.value);
    const bool overruled = choice.name == kThreshold && has(choices, kLinkThreshold);
    if (makesOneModule(choices) && !overruled) add(words, flag.link_with_lto, choice.value);
  }
  return words;
}

}  // namespace ordo::builds
