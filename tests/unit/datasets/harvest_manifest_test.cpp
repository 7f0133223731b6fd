#include "datasets/harvest_manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "support/files.h"

namespace ordo::datasets {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kHead =
    "format = 1\nmirror = \"http://deb.debian.org/debian\"\nsuite = \"bookworm\"\n"
    "sysroot = [\"libc6-dev=2.36-9\"]\n";
const std::string kZlib =
    "[[package]]\nname = \"zlib\"\nversion = \"1:1.2.13\"\nkind = \"compression\"\n"
    "language = \"c\"\nsplit = \"train\"\n";

Result<HarvestManifest> parse(const std::string& text) { return parseHarvestManifest(text, "debian.toml"); }

TEST(HarvestManifest, CopiesOfOtherPackagesAreInNoPart) {
  const auto manifest = parse(kHead + kZlib + "copies = [\"contrib/md5/\", \"strlcpy.c\"]\n");
  ASSERT_TRUE(manifest) << manifest.error().message;
  const HarvestPackage& zlib = *manifest->find("zlib");
  EXPECT_EQ(zlib.splitOf("contrib/md5/md5.c"), Split::kAll);
  EXPECT_EQ(zlib.splitOf("strlcpy.c"), Split::kAll);
  EXPECT_EQ(zlib.splitOf("contrib/other.c"), Split::kTrain);
  EXPECT_EQ(manifest->recipe(zlib), parse(kHead + kZlib)->recipe(zlib)) << "nothing is built anew";
  EXPECT_FALSE(parse(kHead + kZlib + "copies = [\"\"]\n"));
}

TEST(HarvestManifest, AllKeysAreRead) {
  const auto manifest = parse(kHead + kZlib +
                              "dir = \"src\"\nbuild = \"make\"\nprepare = \"p\"\nconfigure = [\"--x\"]\n"
                              "make = [\"all\"]\nneeds = [\"libgmp-dev=2:6\"]\nserial = true\n");
  ASSERT_TRUE(manifest) << manifest.error().message;
  EXPECT_EQ(manifest->suite, "bookworm");
  EXPECT_THAT(manifest->sysroot, ElementsAre("libc6-dev=2.36-9"));
  const HarvestPackage* zlib = manifest->find("zlib");
  ASSERT_NE(zlib, nullptr);
  EXPECT_EQ(zlib->version, "1:1.2.13");
  EXPECT_EQ(zlib->split, Split::kTrain);
  EXPECT_EQ(zlib->dir, "src");
  EXPECT_EQ(zlib->build, "make");
  EXPECT_THAT(zlib->configure, ElementsAre("--x"));
  EXPECT_THAT(zlib->needs, ElementsAre("libgmp-dev=2:6"));
  EXPECT_TRUE(zlib->serial);
  EXPECT_EQ(manifest->find("lzib"), nullptr);
}

TEST(HarvestManifest, MistakesAreReportedWithPlaceAndRemedy) {
  const std::pair<std::string, const char*> mistakes[] = {
      {"format = 2\n", "format 2 is newer"},
      {"", "'format' of the manifest is missing"},
      {kHead + "sysrot = []\n", "did you mean 'sysroot'"},
      {"format = 1\nmirror = \"deb.debian.org\"\nsuite = \"x\"\n", "must begin with http://"},
      {kHead + kZlib + "spilt = \"x\"\n", "unknown key of package 1 'spilt'; did you mean 'split'"},
      {kHead + kZlib + kZlib, "'zlib' as in another package"},
      {kHead + kZlib + "needs = [\"zlib1g-dev\"]\n", "with its version"},
      {kHead + kZlib + "dir = \"../x\"\n", "without '..'"},
      {kHead + kZlib + "build = \"bazel\"\n", "'bazel'"},
      {kHead + kZlib + "reserved = \"why\"\n", "reserved packages are never trained on"},
      {kHead + "[[package]]\nname = \"../zlib\"\n", "not the name of a Debian source package"},
      {kHead + "[package]\nname = \"zlib\"\n", "head each with [[package]]"},
      {kHead +
           "[[package]]\nname = \"zlib\"\nversion = \"1\"\nkind = \"x\"\nlanguage = \"c\"\nsplit = \"all\"\n",
       "must be \"train\""},
      {"[^", "not TOML"},
      {"\xc3\xa9 = 1", "outside ASCII"},
  };
  for (const auto& [text, message] : mistakes) {
    const auto manifest = parse(text);
    ASSERT_FALSE(manifest) << text;
    EXPECT_THAT(manifest.error().message, HasSubstr("debian.toml:"));
    EXPECT_THAT(manifest.error().message, HasSubstr(message));
  }
}

TEST(HarvestManifest, TheRecipeIsOfWhatDecidesTheBuild) {
  const HarvestManifest manifest = *parse(kHead + kZlib);
  const HarvestPackage& zlib = manifest.packages[0];
  HarvestPackage other = zlib;
  other.kind = "x";
  other.split = Split::kTest;
  EXPECT_EQ(manifest.recipe(other), manifest.recipe(zlib));
  other.configure = {"--x"};
  EXPECT_NE(manifest.recipe(other), manifest.recipe(zlib));
  // The same words in another place are another recipe.
  HarvestPackage moved = zlib;
  moved.make = {"--x"};
  EXPECT_NE(manifest.recipe(moved), manifest.recipe(other));
}

// The manifest that comes with Ordo.
class DebianManifestTest : public testing::Test {
 protected:
  HarvestManifest manifest_ = *loadHarvestManifest(std::string(ORDO_SOURCE_DIR) + "/data");
};

TEST_F(DebianManifestTest, HasManyPackagesOfManyKinds) {
  EXPECT_GE(manifest_.packages.size(), 60u);
  std::set<std::string> kinds, languages;
  std::map<Split, int> splits;
  for (const HarvestPackage& package : manifest_.packages) {
    kinds.insert(package.kind);
    languages.insert(package.language);
    ++splits[package.split];
  }
  EXPECT_GE(kinds.size(), 10u);
  EXPECT_EQ(languages.size(), 2u);
  EXPECT_GE(splits[Split::kTrain], 40);
  EXPECT_GE(splits[Split::kValidation], 10);
  EXPECT_GE(splits[Split::kTest], 10);
  EXPECT_EQ(splits[Split::kAll], 0);
}

TEST_F(DebianManifestTest, WhatIsInTheReservedSuitesIsMarkedAndNeverTrainedOn) {
  // Names of what the seven suites are made of (cBench, MiBench, CHStone, NPB, BLAS, OpenCV, TensorFlow).
  constexpr std::array<std::string_view, 24> kReserved{
      "blas",   "lapack", "atlas",       "opencv", "tensorflow", "bzip2",    "libjpeg", "lame",
      "libmad", "gsm",    "ispell",      "tiff",   "libsndfile", "pgp",      "sphinx",  "rsynth",
      "lout",   "eigen",  "ghostscript", "snappy", "patricia",   "protobuf", "abseil",  "double-conversion"};
  for (const HarvestPackage& package : manifest_.packages) {
    if (!package.reserved.empty()) {
      EXPECT_NE(package.split, Split::kTrain) << package.name;
    }
    for (const std::string_view name : kReserved) {
      if (package.name.find(name) == std::string::npos) continue;
      EXPECT_FALSE(package.reserved.empty()) << package.name << " must say why it is reserved";
    }
  }
}

}  // namespace
}  // namespace ordo::datasets
