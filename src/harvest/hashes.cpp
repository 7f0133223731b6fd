#include "harvest/hashes.h"

#include <algorithm>
#include <optional>

namespace ordo::harvest {
namespace {

constexpr std::size_t kHexDigits = 32;

tl::unexpected<Error> badLine(std::string_view name, std::size_t line, std::string_view why) {
  return fail(ErrorCode::kCorrupt, "{}:{}: {}", name, line, why);
}

}  // namespace

Hashes hashesOf(const std::vector<datasets::PackageRecord>& records) {
  Hashes hashes;
  for (const datasets::PackageRecord& record : records) {
    for (const datasets::HarvestedModule& module : record.modules)
      hashes[record.package][module.name] = module.hash;
  }
  return hashes;
}

std::string writeHashes(const Hashes& hashes) {
  std::string text;
  for (const auto& [package, modules] : hashes) {
    text += package + "\n";
    for (const auto& [module, hash] : modules) text += fmt::format(" {} {}\n", hash.hex(), module);
  }
  return text;
}

Result<Hashes> parseHashes(std::string_view text, std::string_view name) {
  Hashes hashes;
  std::map<std::string, Hash128>* modules = nullptr;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos)
      return badLine(name, line, "the last line has no end; the file is cut short");
    const std::string_view content = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (!content.starts_with(' ')) {
      if (content.empty()) return badLine(name, line, "an empty line");
      const auto [entry, is_new] = hashes.try_emplace(std::string(content));
      if (!is_new) return badLine(name, line, fmt::format("the package {} again", content));
      modules = &entry->second;
      continue;
    }
    if (modules == nullptr) return badLine(name, line, "a module before the first package");
    const std::optional<Hash128> hash = Hash128::fromHex(content.substr(1, kHexDigits));
    if (!hash || content.size() < kHexDigits + 3 || content[kHexDigits + 1] != ' ')
      return badLine(name, line, "should be ' <32 hexadecimal digits> <module>'");
    if (!modules->try_emplace(std::string(content.substr(kHexDigits + 2)), *hash).second)
      return badLine(name, line, "a module that is there already");
  }
  return hashes;
}

std::vector<HashDifference> compareHashes(const Hashes& expected, const Hashes& got,
                                          const std::set<std::string>& only) {
  using Kind = HashDifference::Kind;
  static const std::map<std::string, Hash128> kNone;
  const auto modulesOf = [](const Hashes& hashes, const std::string& package) -> const auto& {
    const auto found = hashes.find(package);
    return found == hashes.end() ? kNone : found->second;
  };
  std::vector<HashDifference> differences;
  for (const std::string& package : only) {
    const auto& wanted = modulesOf(expected, package);
    const auto& found = modulesOf(got, package);
    for (const auto& [module, hash] : wanted) {
      const auto other = found.find(module);
      if (other == found.end())
        differences.push_back({fmt::format("debian/{}/{}", package, module), Kind::kMissing});
      else if (other->second != hash)
        differences.push_back({fmt::format("debian/{}/{}", package, module), Kind::kDifferent});
    }
    for (const auto& [module, hash] : found) {
      if (!wanted.contains(module))
        differences.push_back({fmt::format("debian/{}/{}", package, module), Kind::kExtra});
    }
  }
  std::sort(differences.begin(), differences.end(),
            [](const HashDifference& a, const HashDifference& b) { return a.uri < b.uri; });
  return differences;
}

}  // namespace ordo::harvest
