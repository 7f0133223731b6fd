// Programs of every dataset that is available here, as far as the engine: they compile, a session in a
// worker opens them, the baseline applies, and the same URI is the same program every time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "datasets/dataset.h"
#include "datasets/harvest_store.h"
#include "engine/engine.h"
#include "engine/input.h"
#include "support/files.h"

namespace ordo {
namespace {

namespace fs = std::filesystem;

class DatasetPrograms : public testing::TestWithParam<const datasets::DatasetInfo*> {
 protected:
  void SetUp() override {
    ::setenv("ORDO_CACHE", (dir_.path() / "cache").c_str(), 1);
    // A copy of CompilerGym stands in with bitcode as old as this repository has.
    fs::create_directories(dir_.path() / "gym/old-v0");
    fs::copy(kOld, dir_.path() / "gym/old-v0/list.bc");
    ::setenv("ORDO_COMPILERGYM", (dir_.path() / "gym").c_str(), 1);
    ::setenv("ORDO_DATA", ORDO_SOURCE_DIR "/data", 1);
    harvest();
  }
  void TearDown() override {
    for (const char* name : {"ORDO_CACHE", "ORDO_COMPILERGYM", "ORDO_DATA", "ORDO_DATASETS"})
      ::unsetenv(name);
  }

  std::string place() const {
    const std::string_view name = GetParam()->name;
    if (name == "file") return std::string("file:") + kOldText;
    if (name == "dir") return std::string("dir:") + ORDO_SOURCE_DIR "/tests/data";
    return std::string(name);
  }

  // A store with one module that is as small as a store can be.
  void harvest() {
    const datasets::HarvestStore store(dir_.path() / "datasets");
    const std::string bitcode = *readFile(kOld);
    datasets::PackageRecord record;
    record.package = "tiny";
    record.modules.push_back({"lib/list.c", hashBytes(bitcode), "c", {}});
    ASSERT_TRUE(store.prepare() && store.addModule(hashBytes(bitcode), bitcode) && store.addRecord(record));
    ::setenv("ORDO_DATASETS", store.dir().c_str(), 1);
  }

  static constexpr const char* kOld = ORDO_SOURCE_DIR "/tests/data/typed-pointers.bc";
  static constexpr const char* kOldText = ORDO_SOURCE_DIR "/tests/data/typed-pointers.ll";
  TempDir dir_ = *TempDir::create();
};

// The hash of the program at `uri` before and after its baseline; of a kernel, which this engine does not
// open, that of its text.
std::pair<Hash128, Hash128> hashes(engine::Engine& engine, const std::string& uri) {
  if (const auto program = datasets::loadProgram(uri); program && program->language == "mlir") {
    const auto text = readFile(program->path());
    EXPECT_TRUE(text && !text->empty()) << uri;
    return {text ? hashBytes(*text) : Hash128{}, {}};
  }
  const Result<engine::Input> input = engine::prepareInput(uri, engine::Baseline{}, {});
  if (!input) {
    ADD_FAILURE() << uri << ": " << input.error().message;
    return {};
  }
  auto session = engine.backend().open({uri,
                                        input->compiled.bytes,
                                        {engine::baselineAction(input->baseline, input->pipeline)},
                                        input->settings()});
  if (!session) {
    ADD_FAILURE() << uri << ": " << session.error().message;
    return {};
  }
  const Hash128 before = (*session)->stateHash().value_or(Hash128{});
  const env::ActionIndex baseline = 0;
  const auto step = (*session)->apply({&baseline, 1});
  EXPECT_TRUE(step && step->status == env::StepStatus::kOk) << uri;
  return {before, (*session)->stateHash().value_or(Hash128{})};
}

TEST_P(DatasetPrograms, OpenAndAreTheSameEveryTime) {
  if (const Status ready = GetParam()->available(); !ready) GTEST_SKIP() << ready.error().message;
  const auto engine = engine::Engine::start();
  ASSERT_TRUE(engine) << engine.error().message;
  const auto uris = datasets::listPrograms(place(), {.limit = 4, .seed = 11});
  ASSERT_TRUE(uris) << uris.error().message;
  ASSERT_FALSE(uris->empty());
  for (const std::string& uri : *uris) {
    const auto first = hashes(**engine, uri);
    fs::remove_all(dir_.path() / "cache/programs");
    EXPECT_EQ(hashes(**engine, uri), first) << uri;
    EXPECT_NE(first.first, first.second) << uri;
  }
}

std::string testName(const testing::TestParamInfo<const datasets::DatasetInfo*>& dataset) {
  std::string name(dataset.param->name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalog, DatasetPrograms, testing::ValuesIn(datasets::catalog()), testName);

TEST(OldBitcode, IsUpgradedToTheProgramThatItsTextIs) {
  const auto engine = engine::Engine::start();
  ASSERT_TRUE(engine) << engine.error().message;
  const std::string data = ORDO_SOURCE_DIR "/tests/data/typed-pointers";
  EXPECT_EQ(hashes(**engine, data + ".bc"), hashes(**engine, data + ".ll"));
}

}  // namespace
}  // namespace ordo
