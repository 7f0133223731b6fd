// What every dataset of the catalog promises, and how URIs are read.
#include "datasets/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "datasets/harvest_store.h"
#include "support/files.h"
#include "support/process.h"

namespace ordo::datasets {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string message(const auto& result) {
  EXPECT_FALSE(result.has_value());
  return result ? "" : result.error().message;
}

// Every test stands in a folder with a suite, some files and a copy of CompilerGym, has that for a cache
// too, and leaves nothing behind.
class Datasets : public testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    fs::current_path(dir_.path());
    set("ORDO_CACHE", dir_.path() / "cache");
    set("ORDO_DATA", dir_.path() / "data");
    set("ORDO_COMPILERGYM", dir_.path() / "gym");
    for (const char* name : {"one", "two", "three"}) {
      write(fs::path("suite") / name / "program.toml",
            fmt::format("format = 1\nname = \"{}\"\nsummary = \"a program\"\nlanguage = \"c\"\n"
                        "source = \"main.c\"\n",
                        name));
      write(fs::path("suite") / name / "main.c", "int main(void) { return 0; }");
    }
    for (const char* file :
         {"files/b.c", "files/a.cc", "files/deep/c.bc", "files/notes.txt", "files/.git/d.c"})
      write(file, file == std::string("files/deep/c.bc") ? kBitcode : "int x;");
    for (const char* file : {"contents/cBench-v1/qsort.bc", "contents/cBench-v1/sha.bc", "deep/er.bc"})
      write(fs::path("gym/cbench-v1") / file, kBitcode);
    harvest();
  }
  void TearDown() override {
    fs::current_path(before_);
    for (const std::string& name : variables_) ::unsetenv(name.c_str());
  }

  // Three packages of 45 modules, one in each part.
  void harvest() {
    const HarvestStore store(dir_.path() / "harvest");
    set("ORDO_DATASETS", store.dir());
    std::string manifest = "format = 1\nmirror = \"http://x\"\nsuite = \"x1\"\nsysroot = []\n";
    ASSERT_TRUE(store.prepare());
    ASSERT_TRUE(store.addModule(hashBytes(kBitcode), kBitcode));
    for (const char* part : {"train", "validation", "test"}) {
      manifest += fmt::format(
          "[[package]]\nname = \"of-{0}\"\nversion = \"1\"\nkind = \"x\"\nlanguage = \"c\"\n"
          "split = \"{0}\"\n",
          part);
      PackageRecord record;
      record.package = fmt::format("of-{}", part);
      for (int i = 0; i < 45; ++i)
        record.modules.push_back({fmt::format("dir/{}.c", i), hashBytes(kBitcode), "c", {}});
      ASSERT_TRUE(store.addRecord(record));
    }
    write("data/datasets/debian.toml", manifest +
                                           "[[package]]\nname = \"old\"\nversion = \"1\"\nkind = \"x\"\n"
                                           "language = \"c\"\nsplit = \"test\"\nreserved = \"why\"\n");
  }

  void set(const std::string& name, const fs::path& value) {
    ::setenv(name.c_str(), value.c_str(), 1);
    variables_.push_back(name);
  }

  void write(const fs::path& file, std::string_view text) {
    fs::create_directories(file.parent_path());
    ASSERT_TRUE(writeFile(file, text));
  }

  std::vector<std::string> listed(std::string_view uri, const ListOptions& options = {}) {
    auto uris = listPrograms(uri, options);
    EXPECT_TRUE(uris.has_value()) << uri << ": " << uris.error().message;
    return uris.value_or(std::vector<std::string>{});
  }

  static constexpr std::string_view kBitcode = "BC\xC0\xDE and more";
  TempDir dir_ = *TempDir::create();
  fs::path before_;
  std::vector<std::string> variables_;
};

class DatasetConformance : public Datasets, public testing::WithParamInterface<const DatasetInfo*> {
 protected:
  void SetUp() override {
    Datasets::SetUp();
    const Status ready = GetParam()->available();
    if (ready) return;
    EXPECT_THAT(ready.error().message, HasSubstr("install")) << "no remedy";
    GTEST_SKIP() << ready.error().message;
  }

  // What to list: the whole dataset, or where what there is depends on the user, a part of it.
  std::string whole() const {
    const std::string_view name = GetParam()->name;
    if (name == "file") return "file:files/b.c";
    if (name == "dir") return "dir:files";
    return std::string(name);
  }
};

TEST_P(DatasetConformance, SaysHowItsProgramsAreNamed) {
  const DatasetInfo& info = *GetParam();
  EXPECT_TRUE(info.pattern.starts_with(info.name));
  EXPECT_THAT((std::set{':', '/'}), testing::Contains(info.separator()));
  EXPECT_FALSE(info.summary.empty());
  EXPECT_EQ(find(info.name), &info);
}

TEST_P(DatasetConformance, ListsProgramsThatLoad) {
  const std::vector<std::string> uris = listed(whole(), {.limit = 3});
  ASSERT_FALSE(uris.empty());
  EXPECT_LE(uris.size(), 3u);
  EXPECT_EQ(std::set<std::string>(uris.begin(), uris.end()).size(), uris.size());
  for (const std::string& uri : uris) {
    EXPECT_EQ(parseUri(uri)->dataset, GetParam()) << uri;
    const auto program = loadProgram(uri);
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_EQ(program->uri, uri);
    EXPECT_FALSE(program->name.empty());
    EXPECT_TRUE(fs::exists(program->path()));
    EXPECT_EQ(program->evaluation_only, GetParam()->evaluation_only);
    EXPECT_THAT(listed(uri), ElementsAre(uri)) << "a program is a list of one";
  }
}

TEST_P(DatasetConformance, IsTheSameEveryTime) {
  const ListOptions sample{.limit = 3, .seed = 7};
  const std::vector<std::string> uris = listed(whole(), sample);
  EXPECT_EQ(listed(whole(), sample), uris);
  for (const std::string& uri : uris) {
    const std::string first = *readFile(loadProgram(uri)->path());
    fs::remove_all("cache");
    EXPECT_EQ(*readFile(loadProgram(uri)->path()), first) << uri;
  }
}

TEST_P(DatasetConformance, ASampleIsPartOfTheWhole) {
  if (!GetParam()->finite) {
    EXPECT_THAT(message(listPrograms(whole(), {})), HasSubstr("--limit"));
    EXPECT_EQ(listed(whole(), {.limit = 50, .seed = 1}).size(), 50u);
    EXPECT_NE(listed(whole(), {.limit = 50, .seed = 1}), listed(whole(), {.limit = 50, .seed = 2}));
    return;
  }
  const std::vector<std::string> all = listed(whole());
  EXPECT_THAT(listed(whole(), {.seed = 1}), testing::UnorderedElementsAreArray(all));
  EXPECT_THAT(listed(whole(), {.limit = 0}), IsEmpty());
  for (const std::string& uri : listed(whole(), {.limit = 2, .seed = 1}))
    EXPECT_THAT(all, testing::Contains(uri));
}

TEST_P(DatasetConformance, ItsPartsDoNotMeet) {
  const ListOptions train{.limit = 40, .split = Split::kTrain};
  if (!GetParam()->has_splits) {
    EXPECT_THAT(message(listPrograms(whole(), train)), HasSubstr("leave out the split 'train'"));
    return;
  }
  std::set<std::string> seen;
  std::size_t wanted = 0;
  for (const Split split : {Split::kTrain, Split::kValidation, Split::kTest}) {
    const std::vector<std::string> uris = listed(whole(), {.limit = 40, .split = split});
    wanted += GetParam()->finite ? std::min<std::size_t>(40, listed(whole(), {.split = split}).size()) : 40;
    for (const std::string& uri : uris) EXPECT_TRUE(seen.insert(uri).second) << uri;
    ASSERT_FALSE(uris.empty());
    // Unless what makes its programs is not installed.
    if (const auto program = loadProgram(uris.front())) {
      EXPECT_EQ(program->split, split);
      EXPECT_EQ(checkMayTrainOn(*program, "training").has_value(), split == Split::kTrain);
    }
  }
  EXPECT_EQ(seen.size(), wanted);
}

TEST_P(DatasetConformance, RejectsNonsense) {
  const std::string start = std::string(GetParam()->name) + GetParam()->separator();
  for (const char* rest : {"", "no-such-program", "no/such/program", "../..", "-1", "99999999999999999999"}) {
    const auto program = loadProgram(start + rest);
    ASSERT_FALSE(program) << start << rest;
    EXPECT_THAT((std::set{ErrorCode::kInvalidArgument, ErrorCode::kNotFound}),
                testing::Contains(program.error().code))
        << start << rest;
    EXPECT_FALSE(program.error().message.empty());
  }
}

std::string testName(const testing::TestParamInfo<const DatasetInfo*>& dataset) {
  std::string name(dataset.param->name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalog, DatasetConformance, testing::ValuesIn(catalog()), testName);

TEST_F(Datasets, WhatBeginsWithNoDatasetIsAPath) {
  for (const char* path : {"main.c", "./csmith/main.c", "/tmp/a.c", "some/where.c", "csmith.c"}) {
    const auto uri = parseUri(path);
    ASSERT_TRUE(uri) << path;
    EXPECT_EQ(uri->dataset->name, "file");
    EXPECT_EQ(uri->rest, path);
  }
  EXPECT_EQ(parseUri("csmith/12")->rest, "12");
  EXPECT_EQ(parseUri("dir:a/b:c.c")->rest, "a/b:c.c");
}

TEST_F(Datasets, APackageIsAPartOfDebianAndReservedOnesAreForEvaluation) {
  EXPECT_EQ(listed("debian/of-test").size(), 45u);
  EXPECT_THAT(listed("debian/of-test", {.split = Split::kTrain}), IsEmpty());
  EXPECT_THAT(message(listPrograms("debian/none", {})), HasSubstr("ordo dataset harvest none"));
  const auto program = loadProgram("debian/of-test/dir/7.c");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->name, "7");
  EXPECT_FALSE(program->evaluation_only);
  EXPECT_TRUE(checkMayLearnFrom(*program, "mining"));
  EXPECT_THAT(message(checkMayTrainOn(*program, "mining")), HasSubstr("is in the part for test of debian"));

  const HarvestStore store(dir_.path() / "harvest");
  PackageRecord old;
  old.package = "old";
  old.modules.push_back({"a.c", hashBytes(kBitcode), "c", {}});
  ASSERT_TRUE(store.addRecord(old));
  EXPECT_TRUE(loadProgram("debian/old/a.c")->evaluation_only);
  EXPECT_THAT(message(checkMayTrainOn(*loadProgram("debian/old/a.c"), "mining")),
              HasSubstr("final evaluation"));
  PackageRecord strange;
  strange.package = "strange";
  strange.modules.push_back({"a.c", hashBytes(kBitcode), "c", {}});
  ASSERT_TRUE(store.addRecord(strange));
  EXPECT_THAT(message(checkMayTrainOn(*loadProgram("debian/strange/a.c"), "mining")),
              HasSubstr("is in no part of debian"));
  EXPECT_TRUE(checkMayTrainOn(*loadProgram("suite/one"), "mining")) << "it has no parts";
}

TEST_F(Datasets, AFileMayHaveAColonInItsName) {
  write("files/a:b.c", "int x;");
  fs::current_path("files");
  EXPECT_EQ(loadProgram("a:b.c")->path(), "a:b.c");
}

TEST_F(Datasets, UnknownNamesSuggestTheNearest) {
  EXPECT_THAT(message(loadProgram("flie:a.c")), HasSubstr("unknown dataset 'flie'; did you mean 'file'?"));
  EXPECT_THAT(message(loadProgram("csmth/3")), HasSubstr("did you mean the dataset's csmith/3?"));
  EXPECT_THAT(message(loadProgram("csmith:3")), HasSubstr("write csmith/<seed>"));
  EXPECT_THAT(message(listPrograms("siute", {})), HasSubstr("did you mean 'suite'?"));
  EXPECT_THAT(message(parseSplit("tset")), HasSubstr("did you mean 'test'?"));
  EXPECT_EQ(*parseSplit("validation"), Split::kValidation);
}

TEST_F(Datasets, FoldersAreListedAtAnyDepthWithoutWhatIsHidden) {
  EXPECT_THAT(listed("dir:files"), ElementsAre("dir:files/a.cc", "dir:files/b.c", "dir:files/deep/c.bc"));
  EXPECT_THAT(listed("dir:files/"), ElementsAre("dir:files/a.cc", "dir:files/b.c", "dir:files/deep/c.bc"));
  EXPECT_THAT(listed("dir:suite"), ElementsAre("dir:suite/one", "dir:suite/three", "dir:suite/two"));
  EXPECT_EQ(loadProgram("dir:suite/one")->kind, ProgramKind::kSuite);
  EXPECT_THAT(message(loadProgram("dir:files")), HasSubstr("a folder of programs, not one"));
  EXPECT_THAT(message(listPrograms("dir:nowhere", {})), HasSubstr("cannot list nowhere: No such file"));
  EXPECT_THAT(message(listPrograms("dir", {})), HasSubstr("dir:FOLDER"));
  EXPECT_THAT(message(listPrograms("file", {})), HasSubstr("dir:FOLDER"));
}

TEST_F(Datasets, CompilerGymsSuitesAreForEvaluationOnly) {
  EXPECT_THAT(listed("compilergym"), ElementsAre("compilergym/cbench-v1/deep/er",
                                                 "compilergym/cbench-v1/qsort", "compilergym/cbench-v1/sha"));
  EXPECT_THAT(listed("compilergym/cbench-v1", {.limit = 1}), ElementsAre("compilergym/cbench-v1/deep/er"));
  const auto program = loadProgram("compilergym/cbench-v1/qsort");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_THAT(message(checkMayLearnFrom(*program, "training")),
              HasSubstr("compilergym/cbench-v1/qsort is for final evaluation only, not for training"));
  EXPECT_TRUE(checkMayLearnFrom(*loadProgram("suite/one"), "training"));
  EXPECT_THAT(message(loadProgram("compilergym/cbench-v1/qsrt")), HasSubstr("did you mean 'qsort'?"));
  EXPECT_THAT(message(loadProgram("compilergym/cbench-v2/qsort")), HasSubstr("did you mean 'cbench-v1'?"));
  EXPECT_THAT(message(loadProgram("compilergym/cbench-v1")), HasSubstr("compilergym/SUITE/NAME"));
}

TEST_F(Datasets, CompilerGymsArchivesAreUnpackedOnce) {
  write("cBench-v1/crc32.bc", kBitcode);
  fs::create_directories("archives");
  const auto tar =
      runProcess({"tar", "-cjf", "archives/llvm_bitcodes-10.0.0-cBench-v1-linux.tar.bz2", "cBench-v1"});
  if (!tar || !tar->ok()) GTEST_SKIP() << "no tar with bzip2 here";
  set("ORDO_COMPILERGYM", "archives");
  EXPECT_THAT(listed("compilergym"), ElementsAre("compilergym/cbench-v1/crc32"));
  const auto program = loadProgram("compilergym/cbench-v1/crc32");
  ASSERT_TRUE(program) << program.error().message;
  const auto unpacked = fs::last_write_time(program->path());
  EXPECT_EQ(fs::last_write_time(loadProgram("compilergym/cbench-v1/crc32")->path()), unpacked);
  EXPECT_EQ(std::distance(fs::directory_iterator("cache/programs/compilergym"), {}), 1)
      << "nothing is left over";
}

TEST_F(Datasets, ABrokenArchiveIsReported) {
  write("archives/npb-v0.tar.bz2", "not an archive");
  set("ORDO_COMPILERGYM", "archives");
  EXPECT_THAT(message(loadProgram("compilergym/npb-v0/1")),
              HasSubstr("could not unpack archives/npb-v0.tar.bz2"));
  EXPECT_THAT(std::distance(fs::directory_iterator("cache/programs/compilergym"), {}), 0);
}

TEST_F(Datasets, WithoutACopyCompilerGymSaysHowToNameOne) {
  ::unsetenv("ORDO_COMPILERGYM");
  EXPECT_THAT(message(listPrograms("compilergym", {})), HasSubstr("set ORDO_COMPILERGYM"));
  set("ORDO_COMPILERGYM", "nowhere");
  EXPECT_THAT(message(loadProgram("compilergym/a/b")), HasSubstr("nowhere, which is not a folder"));
}

TEST_F(Datasets, AGeneratorThatIsNotInstalledNamesItsPackage) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/proc/nonexistent", 1);
  const std::string said = message(loadProgram("csmith/1"));
  const std::string row = message(find("csmith")->available());
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(said, HasSubstr("apt-get install csmith libcsmith-dev"));
  EXPECT_EQ(row, said);
}

TEST_F(Datasets, CsmithProgramsBringNoPathOfThisMachine) {
  if (!find("csmith")->available()) GTEST_SKIP() << "csmith is not installed";
  const auto program = loadProgram("csmith/5");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(program->runnable);
  EXPECT_EQ(program->source, "5.c");
  EXPECT_THAT(*readFile(program->path()), testing::Not(HasSubstr(dir_.path().string())));
}

}  // namespace
}  // namespace ordo::datasets
