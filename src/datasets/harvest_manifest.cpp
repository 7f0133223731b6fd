// readPackage() reads one package and checks values as it reads them; parseHarvestManifest() does so for the
// file, its format first. Names and versions may only have the characters that Debian allows, because paths
// and apt's arguments are made of them. recipe() hashes what a build depends on, each word behind its length.
// Split, reserved, copies, kind and language are no part of it, so that to change them asks for no new
// harvest.
#include "datasets/toml_reader.h"

// After toml_reader.h, which must come first.
#include "datasets/harvest_manifest.h"
#include "support/files.h"

namespace ordo::datasets {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kFormat = 1;

// What Debian allows in the name of a source package.
bool isPackageName(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
  };
  return text.size() > 1 && text[0] != '.' && text[0] != '-' &&
         std::all_of(text.begin(), text.end(), allowed);
}

bool isVersion(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("+-.:~").find(c) != std::string_view::npos;
  };
  return !text.empty() && text[0] >= '0' && text[0] <= '9' && std::all_of(text.begin(), text.end(), allowed);
}

// "name=version" each: what is built depends on them.
Result<std::vector<std::string>> pinned(const TomlReader& reader, std::string_view key) {
  ORDO_TRY_ASSIGN(std::vector<std::string> words, reader.strings(key));
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || !isPackageName(std::string_view(word).substr(0, equals)) ||
        !isVersion(std::string_view(word).substr(equals + 1))) {
      return reader.bad(
          key, "has '{}'; it must be a Debian package with its version, like \"zlib1g-dev=1.2\"", word);
    }
  }
  return words;
}

Result<std::string> optionalText(const TomlReader& reader, std::string_view key) {
  if (!reader.has(key)) return std::string();
  return reader.string(key);
}

Result<HarvestPackage> readPackage(const TomlReader& reader) {
  ORDO_TRY(reader.onlyKeys({"name", "version", "kind", "language", "split", "reserved", "copies", "dir",
                            "build", "prepare", "script", "configure", "make", "needs", "serial"}));
  HarvestPackage package;
  ORDO_TRY_ASSIGN(package.name, reader.string("name"));
  if (!isPackageName(package.name)) return reader.bad("name", "is not the name of a Debian source package");
  ORDO_TRY_ASSIGN(package.version, reader.string("version"));
  if (!isVersion(package.version)) return reader.bad("version", "is not a Debian version");
  ORDO_TRY_ASSIGN(package.kind, reader.string("kind"));
  if (package.kind.empty()) return reader.bad("kind", "must say what the package is about");
  ORDO_TRY_ASSIGN(package.language, reader.string("language"));
  if (package.language != "c" && package.language != "c++")
    return reader.bad("language", "is '{}'; it must be \"c\" or \"c++\"", package.language);
  ORDO_TRY_ASSIGN(const std::string split, reader.string("split"));
  const Result<Split> known = parseSplit(split);
  if (!known) return reader.bad("split", "is wrong: {}", known.error().message);
  if (*known == Split::kAll) return reader.bad("split", "must be \"train\", \"validation\" or \"test\"");
  package.split = *known;
  if (reader.has("reserved")) {
    ORDO_TRY_ASSIGN(package.reserved, reader.string("reserved"));
    if (package.reserved.empty()) return reader.bad("reserved", "must say why");
    if (package.split == Split::kTrain)
      return reader.bad("split", "is train, but reserved packages are never trained on");
  }
  ORDO_TRY_ASSIGN(package.copies, reader.strings("copies"));
  if (std::ranges::find(package.copies, "") != package.copies.end())
    return reader.bad("copies", "has an empty beginning, which is that of every module");
  if (reader.has("dir")) {
    ORDO_TRY_ASSIGN(const fs::path dir, reader.file("dir"));
    package.dir = dir.string();
  }
  ORDO_TRY_ASSIGN(package.build, optionalText(reader, "build"));
  const std::vector<std::string> builders{"", "configure", "cmake", "meson", "make"};
  if (std::find(builders.begin(), builders.end(), package.build) == builders.end())
    return reader.bad("build", "is '{}'; it must be \"configure\", \"cmake\", \"meson\" or \"make\"",
                      package.build);
  ORDO_TRY_ASSIGN(package.prepare, optionalText(reader, "prepare"));
  ORDO_TRY_ASSIGN(package.script, optionalText(reader, "script"));
  ORDO_TRY_ASSIGN(package.configure, reader.strings("configure"));
  ORDO_TRY_ASSIGN(package.make, reader.strings("make"));
  ORDO_TRY_ASSIGN(package.needs, pinned(reader, "needs"));
  ORDO_TRY_ASSIGN(package.serial, reader.flag("serial"));
  return package;
}

}  // namespace

Split HarvestPackage::splitOf(std::string_view module) const {
  const bool copied = std::ranges::any_of(
      copies, [&](const std::string& beginning) { return module.starts_with(beginning); });
  return copied ? Split::kAll : split;
}

const HarvestPackage* HarvestManifest::find(std::string_view wanted) const {
  for (const HarvestPackage& package : packages) {
    if (package.name == wanted) return &package;
  }
  return nullptr;
}

Hash128 HarvestManifest::recipe(const HarvestPackage& package) const {
  std::string text;
  // Lengths in front, so that no two recipes read alike.
  const auto add = [&](std::string_view word) { text += fmt::format("{}:{}\n", word.size(), word); };
  const auto addAll = [&](const std::vector<std::string>& words) {
    add(std::to_string(words.size()));
    for (const std::string& word : words) add(word);
  };
  addAll(sysroot);
  for (const std::string* word :
       {&package.name, &package.version, &package.dir, &package.build, &package.prepare, &package.script}) {
    add(*word);
  }
  addAll(package.configure);
  addAll(package.make);
  addAll(package.needs);
  add(package.serial ? "serial" : "");
  return hashBytes(text);
}

Result<HarvestManifest> parseHarvestManifest(std::string_view text, const fs::path& path) {
  ORDO_TRY_ASSIGN(const toml::table table, parseToml(text, path));
  const TomlReader reader(table, path, "the manifest");
  // The format first: the keys of a newer one are unknown for a reason.
  ORDO_TRY(reader.checkFormat(kFormat));
  ORDO_TRY(reader.onlyKeys({"format", "mirror", "suite", "sysroot", "package"}));
  HarvestManifest manifest;
  ORDO_TRY_ASSIGN(manifest.mirror, reader.string("mirror"));
  if (!manifest.mirror.starts_with("http://") && !manifest.mirror.starts_with("https://"))
    return reader.bad("mirror", "must begin with http:// or https://");
  ORDO_TRY_ASSIGN(manifest.suite, reader.string("suite"));
  if (!isPackageName(manifest.suite)) return reader.bad("suite", "must be a name like \"bookworm\"");
  ORDO_TRY_ASSIGN(manifest.sysroot, pinned(reader, "sysroot"));
  ORDO_TRY_ASSIGN(const std::vector<const toml::table*> tables, reader.tables("package"));
  for (const toml::table* entry : tables) {
    const TomlReader package_reader(*entry, path, fmt::format("package {}", manifest.packages.size() + 1));
    ORDO_TRY_ASSIGN(HarvestPackage package, readPackage(package_reader));
    if (manifest.find(package.name) != nullptr)
      return package_reader.bad("name", "is '{}' as in another package; names must differ", package.name);
    manifest.packages.push_back(std::move(package));
  }
  return manifest;
}

Result<HarvestManifest> loadHarvestManifest(const fs::path& data) {
  const fs::path path = data / "datasets" / "debian.toml";
  ORDO_TRY_ASSIGN(const std::string text, readFile(path));
  return parseHarvestManifest(text, path);
}

}  // namespace ordo::datasets
