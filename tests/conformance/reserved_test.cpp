// What Ordo ships as learned was learned from training programs: no module of a validation or test package,
// no module of a package that published benchmarks contain, and no copy of one under another name.
//
// A copy with a few edits has another hash, so programs are compared by features as well: the counts of
// Autophase before any pass. data/datasets/debian.autophase has them, so that this needs no bitcode; with a
// harvest (ORDO_DATASETS or ORDO_FULL=1) they are counted again. To write the file anew, after
// `ordo dataset harvest --all` and whenever something was learned from other programs:
//   ORDO_UPDATE=1 build/release/bin/conformance_reserved_test
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "datasets/harvest_manifest.h"
#include "datasets/harvest_store.h"
#include "experience/reader.h"
#include "harvest/hashes.h"
#include "llvm/features/feature.h"
#include "llvm/ir/module.h"
#include "search/knowledge/knowledge.h"
#include "support/files.h"

namespace ordo {
namespace {

namespace fs = std::filesystem;

const fs::path kData = ORDO_SOURCE_DIR "/data";

// The programs of a shipped file, by URI.
using Programs = std::set<std::string>;

Programs inExperience(const fs::path& file) {
  Programs programs;
  auto reader = experience::Reader::open(file);
  EXPECT_TRUE(reader) << reader.error().message;
  while (reader) {
    const auto record = reader->next();
    EXPECT_TRUE(record) << record.error().message;
    if (!record || !*record) break;
    if (const auto* run = std::get_if<experience::Run>(&**record)) programs.insert(run->key.uri);
  }
  return programs;
}

Programs inKnowledge(const fs::path& file) {
  Programs programs;
  const auto text = readFile(file);
  EXPECT_TRUE(text) << text.error().message;
  const auto knowledge = search::parseKnowledge(*text, file.string());
  EXPECT_TRUE(knowledge) << knowledge.error().message;
  if (!knowledge) return programs;
  for (const search::KnowledgeFile::Program& program : knowledge->programs) programs.insert(program.uri);
  return programs;
}

// What a policy for run time was learned from: programs that can be run, which are not harvested.
const std::string kOfRunTime = "speed.jsonl";

// "debian/PACKAGE/MODULE" in two.
std::pair<std::string, std::string> parts(const std::string& uri) {
  const std::size_t first = uri.find('/'), second = uri.find('/', first + 1);
  if (uri.substr(0, first) != "debian" || second == std::string::npos) return {"", ""};
  return {uri.substr(first + 1, second - first - 1), uri.substr(second + 1)};
}

// Of a program before any pass: its Autophase.
using Counts = std::array<std::int64_t, 56>;
constexpr std::size_t kTotalInsts = 51;

// Below this, programs that have nothing to do with each other have the same counts.
constexpr std::int64_t kSmallest = 50;

// Near-duplicates: of all they count, the two count so much differently. Two copies of a file in two versions
// of zlib differ by 1 to 5 %; so do unrelated files of some thousand instructions, now and then, so that
// above 2 % they must have the same name.
constexpr double kNear = 0.02;
constexpr double kNearWithSameName = 0.06;

double distance(const Counts& a, const Counts& b) {
  double different = 0, all = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    different += static_cast<double>(std::abs(a[i] - b[i]));
    all += static_cast<double>(a[i] + b[i]);
  }
  return different / std::max(all, 1.0);
}

// "debian/zlib/contrib/inflate.c@2": "inflate.c"
std::string_view fileName(std::string_view uri) {
  uri.remove_prefix(uri.rfind('/') + 1);
  return uri.substr(0, uri.find('@'));
}

bool nearDuplicates(const std::string& uri, const Counts& a, const std::string& other, const Counts& b) {
  if (std::min(a[kTotalInsts], b[kTotalInsts]) < kSmallest) return false;
  return distance(a, b) <= (fileName(uri) == fileName(other) ? kNearWithSameName : kNear);
}

// Pairs that are known: what was learned from, what is kept away, and why it is there.
struct Pair {
  std::string_view learned, kept;
  bool operator==(const Pair&) const = default;
};
constexpr Pair kKnown[] = {
    // Chance: two parsers of options that count alike.
    {"debian/xz-utils/src/xz/args.c", "debian/indent/src/args.c"},
};

// Packages that are kept away and whose modules are not in the file, for nobody had them when it was written.
const std::set<std::string> kNotHarvested = {"dash",        "dnsmasq",  "double-conversion",
                                             "fmtlib",      "gnuchess", "libevent",
                                             "ninja-build", "pciutils", "zeromq3"};

// By the hash of the bitcode. A line of the file is "<hash> <count> <count> ...", sorted by hash.
using Signatures = std::map<Hash128, Counts>;

const fs::path kSignatures = kData / "datasets/debian.autophase";

Signatures readSignatures() {
  Signatures signatures;
  const auto text = readFile(kSignatures);
  EXPECT_TRUE(text) << text.error().message;
  std::istringstream lines(text ? *text : "");
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string hash;
    words >> hash;
    const std::optional<Hash128> parsed = Hash128::fromHex(hash);
    EXPECT_TRUE(parsed) << line;
    Counts counts;
    for (std::int64_t& count : counts) words >> count;
    EXPECT_TRUE(words) << line;
    if (parsed) signatures[*parsed] = counts;
  }
  return signatures;
}

std::string write(const Signatures& signatures) {
  std::string text;
  for (const auto& [hash, counts] : signatures)
    text += fmt::format("{} {}\n", hash.hex(), fmt::join(counts, " "));
  return text;
}

// Of harvested bitcode; nothing if it was not harvested here.
std::optional<Counts> countAgain(const Hash128& hash) {
  const auto bitcode = readFile(datasets::HarvestStore::standard().modulePath(hash));
  if (!bitcode) return std::nullopt;
  const auto module = ir::parse(*bitcode, hash.hex());
  EXPECT_TRUE(module) << module.error().message;
  if (!module) return std::nullopt;
  std::string bytes;
  features::find("autophase")->extract(**module, bytes);
  Counts counts{};
  EXPECT_EQ(bytes.size(), sizeof counts);
  std::memcpy(counts.data(), bytes.data(), std::min(bytes.size(), sizeof counts));
  return counts;
}

class ReservedTest : public testing::Test {
 protected:
  static bool mayBeTrainedOn(const datasets::HarvestPackage& package) {
    return package.split == datasets::Split::kTrain && package.reserved.empty();
  }

  void check(const std::string& file, const Programs& programs) {
    EXPECT_GT(programs.size(), 50u) << file;
    for (const std::string& uri : programs) {
      const auto [package, module] = parts(uri);
      const datasets::HarvestPackage* const known = manifest_.find(package);
      ASSERT_NE(known, nullptr) << file << ": " << uri;
      EXPECT_TRUE(mayBeTrainedOn(*known)) << file << ": " << uri;
      const auto modules = hashes_.find(package);
      ASSERT_NE(modules, hashes_.end()) << file << ": " << uri;
      const auto hash = modules->second.find(module);
      ASSERT_NE(hash, modules->second.end()) << file << ": " << uri << " is not what was harvested";
      const auto copy = kept_away_.find(hash->second);
      EXPECT_EQ(copy, kept_away_.end()) << file << ": " << uri << " is the same as " << copy->second;
    }
  }

  void SetUp() override {
    auto manifest = datasets::loadHarvestManifest(kData);
    ASSERT_TRUE(manifest) << manifest.error().message;
    manifest_ = *std::move(manifest);
    auto hashes = harvest::parseHashes(*readFile(kData / "datasets/debian.hashes"), "debian.hashes");
    ASSERT_TRUE(hashes) << hashes.error().message;
    hashes_ = *std::move(hashes);
    for (const auto& [package, modules] : hashes_) {
      const datasets::HarvestPackage* const known = manifest_.find(package);
      if (known != nullptr && mayBeTrainedOn(*known)) continue;
      for (const auto& [module, hash] : modules) kept_away_[hash] = package + "/" + module;
    }
    ASSERT_GT(kept_away_.size(), 1000u);
  }

  // Shipped experience of harvested programs.
  static std::vector<fs::path> experienceFiles() {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(kData / "experience")) {
      if (entry.path().extension() == ".jsonl" && entry.path().filename() != kOfRunTime)
        files.push_back(entry.path());
    }
    return files;
  }

  // All harvested programs that something shipped was learned from.
  static Programs learnedFrom() {
    Programs programs = inKnowledge(kData / "knowledge/debian.json");
    for (const fs::path& file : experienceFiles()) programs.merge(inExperience(file));
    return programs;
  }

  // By URI, the bitcode of what was learned from and of what is kept away.
  std::map<std::string, Hash128> compared() const {
    std::map<std::string, Hash128> all;
    for (const std::string& uri : learnedFrom()) {
      const auto [package, module] = parts(uri);
      all[uri] = hashes_.at(package).at(module);
    }
    for (const auto& [hash, name] : kept_away_) all["debian/" + name] = hash;
    return all;
  }

  datasets::HarvestManifest manifest_;
  harvest::Hashes hashes_;
  std::map<Hash128, std::string> kept_away_;  // by the hash of its bitcode, where it is
};

TEST_F(ReservedTest, ExperienceIsOfTrainingPrograms) {
  ASSERT_FALSE(experienceFiles().empty());
  for (const fs::path& file : experienceFiles()) check(file.filename().string(), inExperience(file));
}

TEST_F(ReservedTest, ExperienceOfRunTimeIsOfTheSuite) {
  auto reader = experience::Reader::open(kData / "experience" / kOfRunTime);
  ASSERT_TRUE(reader) << reader.error().message;
  const Signatures signatures = readSignatures();
  int programs = 0;
  while (true) {
    const auto record = reader->next();
    ASSERT_TRUE(record) << record.error().message;
    if (!*record) break;
    const auto& run = std::get<experience::Run>(**record);
    EXPECT_TRUE(run.key.uri.starts_with("suite/")) << run.key.uri;
    // Where nothing faster was found there is no best, but what was started from is there.
    ASSERT_FALSE(run.states.empty());
    for (const experience::Best& best : run.best) ASSERT_EQ(best.states.at(0), 0u);
    const auto& seen = std::get<std::vector<std::int64_t>>(run.states.front().front());
    Counts counts{};
    ASSERT_EQ(seen.size(), counts.size());
    std::ranges::copy(seen, counts.begin());
    for (const auto& [hash, name] : kept_away_) {
      const auto other = signatures.find(hash);
      if (other == signatures.end()) continue;
      EXPECT_FALSE(nearDuplicates(run.key.uri, counts, "debian/" + name, other->second))
          << run.key.uri << " is nearly " << name;
    }
    ++programs;
  }
  EXPECT_GT(programs, 15);
}

TEST_F(ReservedTest, KnowledgeIsOfTrainingPrograms) {
  check("debian.json", inKnowledge(kData / "knowledge/debian.json"));
}

TEST_F(ReservedTest, WhatWasLearnedFromIsNearlyNothingThatIsKeptAway) {
  const Signatures signatures = readSignatures();
  std::map<std::string, Counts> learned, kept;
  std::set<std::string> unknown;
  const Programs learned_from = learnedFrom();
  for (const auto& [uri, hash] : compared()) {
    const auto found = signatures.find(hash);
    if (found == signatures.end())
      unknown.insert(learned_from.contains(uri) ? uri : parts(uri).first);
    else
      (learned_from.contains(uri) ? learned : kept)[uri] = found->second;
  }
  // Packages that have not been harvested since the file was first written.
  for (const std::string& uri : unknown)
    EXPECT_TRUE(kNotHarvested.contains(uri)) << uri << " is not in " << kSignatures << "; write it anew";
  EXPECT_GT(kept.size(), 1600u);

  for (const auto& [uri, counts] : learned) {
    for (const auto& [other, its_counts] : kept) {
      if (!nearDuplicates(uri, counts, other, its_counts)) continue;
      const bool known = std::ranges::find(kKnown, Pair{uri, other}) != std::end(kKnown);
      EXPECT_TRUE(known) << uri << ", which was learned from, is nearly " << other << ": they differ by "
                         << 100 * distance(counts, its_counts) << " %";
    }
  }
}

TEST_F(ReservedTest, CopiesWithAFewEditsAreNearDuplicatesAndOtherProgramsAreNot) {
  Counts one{};
  one.fill(40);
  one[kTotalInsts] = 1000;
  Counts edited = one;
  edited[0] += 10;
  edited[kTotalInsts] += 12;
  Counts other = one;
  for (std::size_t i = 0; i < 20; ++i) other[i] = 60;
  EXPECT_TRUE(nearDuplicates("debian/a/x.c", one, "debian/b/y.c", edited));
  EXPECT_FALSE(nearDuplicates("debian/a/x.c", one, "debian/b/y.c", other));
  Counts version = one;
  for (std::size_t i = 0; i < 10; ++i) version[i] = 55;
  EXPECT_FALSE(nearDuplicates("debian/a/x.c", one, "debian/b/y.c", version));
  EXPECT_TRUE(nearDuplicates("debian/a/x.c", one, "debian/b/lib/x.c@2", version));
  one[kTotalInsts] = kSmallest - 1;
  EXPECT_FALSE(nearDuplicates("debian/a/x.c", one, "debian/b/x.c", one)) << "so few are alike by chance";
}

TEST_F(ReservedTest, CountsAreThoseOfTheHarvest) {
  const bool update = std::getenv("ORDO_UPDATE") != nullptr;
  if (!update && std::getenv("ORDO_FULL") == nullptr && std::getenv("ORDO_DATASETS") == nullptr)
    GTEST_SKIP() << "needs a harvest: with ORDO_DATASETS or ORDO_FULL=1 only";
  const Signatures known = readSignatures();
  Signatures wanted;
  for (const auto& [uri, hash] : compared()) {
    const auto found = known.find(hash);
    const std::optional<Counts> counted = countAgain(hash);
    if (counted)
      wanted[hash] = *counted;
    else if (found != known.end())
      wanted[hash] = found->second;
    if (counted && !update) {
      ASSERT_NE(found, known.end()) << uri;
      EXPECT_EQ(found->second, *counted) << uri;
    }
  }
  if (!update) return;
  EXPECT_TRUE(writeFile(kSignatures, write(wanted)));
}

}  // namespace
}  // namespace ordo
