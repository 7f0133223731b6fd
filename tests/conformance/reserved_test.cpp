// What Ordo ships as learned was learned from training programs: no module of a validation or test package,
// no module of a package that published benchmarks contain, and no copy of one under another name.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "datasets/harvest_manifest.h"
#include "experience/reader.h"
#include "harvest/hashes.h"
#include "search/knowledge.h"
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

// "debian/PACKAGE/MODULE" in two.
std::pair<std::string, std::string> parts(const std::string& uri) {
  const std::size_t first = uri.find('/'), second = uri.find('/', first + 1);
  if (uri.substr(0, first) != "debian" || second == std::string::npos) return {"", ""};
  return {uri.substr(first + 1, second - first - 1), uri.substr(second + 1)};
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

  datasets::HarvestManifest manifest_;
  harvest::Hashes hashes_;
  std::map<Hash128, std::string> kept_away_;  // by the hash of its bitcode, where it is
};

TEST_F(ReservedTest, ExperienceIsOfTrainingPrograms) {
  int files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(kData / "experience")) {
    if (entry.path().extension() != ".jsonl") continue;
    check(entry.path().filename().string(), inExperience(entry.path()));
    ++files;
  }
  EXPECT_GT(files, 0);
}

TEST_F(ReservedTest, KnowledgeIsOfTrainingPrograms) {
  check("debian.json", inKnowledge(kData / "knowledge/debian.json"));
}

}  // namespace
}  // namespace ordo
