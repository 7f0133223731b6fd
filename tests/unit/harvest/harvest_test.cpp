#include "harvest/harvest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "support/files.h"
#include "support/process.h"

namespace ordo::harvest {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A package in a folder: no network.
class HarvestTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!findProgram({"clang-22"}) || !findProgram({"make"}) || !findProgram({"ninja"}) ||
        !findProgram({"ld.lld-22"}) || !findProgram({"cmake"})) {
      GTEST_SKIP() << "needs clang-22, lld-22, make, cmake and ninja";
    }
    write("Makefile",
          "all: prog\nprog: main.o lib/add.o\n\tcc -o $@ $^\n%.o: %.c\n\t$(CC) $(CFLAGS) -c -o $@ $<\n");
    write("main.c", "int add(int, int);\nint main(void) { return add(1, -1); }\n");
    write("lib/add.c",
          "const char *where(void) { return __FILE__ __DATE__; }\nint add(int a, int b) { return a + b; }\n");
    write("debian/copyright", "Format: x\n\nFiles: *\nLicense: MIT\n");
    options_.store = datasets::HarvestStore(dir_.path() / "store");
    options_.work = dir_.path() / "work";
    options_.wrapper = fs::path(ORDO_BIN_DIR) / "ordo-capture";
    options_.from = sources_;
    package_.name = "tiny";
  }

  void write(const fs::path& file, std::string_view text) {
    fs::create_directories((sources_ / file).parent_path());
    ASSERT_TRUE(writeFile(sources_ / file, text));
  }

  datasets::PackageRecord run() {
    const auto records = harvest({}, {package_}, options_);
    EXPECT_TRUE(records) << records.error().message;
    return records && !records->empty() ? records->front() : datasets::PackageRecord{};
  }

  TempDir dir_ = *TempDir::create();
  fs::path sources_ = dir_.path() / "tiny";
  HarvestOptions options_{.store = datasets::HarvestStore(""), .work = {}, .wrapper = {}, .from = {}};
  datasets::HarvestPackage package_;
};

TEST_F(HarvestTest, BuildsAndKeepsModulesAndCleansUp) {
  const datasets::PackageRecord record = run();
  EXPECT_EQ(record.problem, "");
  EXPECT_EQ(record.licence, "MIT");
  EXPECT_EQ(record.builder, "make");
  ASSERT_EQ(record.modules.size(), 2u);
  EXPECT_EQ(record.modules[0].name, "lib/add.c");
  EXPECT_EQ(record.modules[1].name, "main.c");
  EXPECT_TRUE(fs::is_empty(options_.work / "build"));
  EXPECT_TRUE(options_.store.find("debian/tiny/main.c"));
  EXPECT_TRUE(fs::exists(options_.store.logPath("tiny")));
}

TEST_F(HarvestTest, AnotherFolderGivesTheSameHashes) {
  const datasets::PackageRecord first = run();
  options_.work = dir_.path() / "another" / "and longer";
  options_.store = datasets::HarvestStore(dir_.path() / "store2");
  const datasets::PackageRecord second = run();
  ASSERT_EQ(first.modules.size(), 2u);
  ASSERT_EQ(second.modules.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_EQ(first.modules[i].hash, second.modules[i].hash) << first.modules[i].name;
}

TEST_F(HarvestTest, ABuildThatFailsHalfwayKeepsWhatItMade) {
  write("lib/add.c", "int add( {");
  const datasets::PackageRecord record = run();
  EXPECT_EQ(record.problem, "");
  ASSERT_EQ(record.modules.size(), 1u);
  EXPECT_EQ(record.modules[0].name, "main.c");
  ASSERT_EQ(record.failures.size(), 1u);
  EXPECT_EQ(record.failures[0].source, "lib/add.c");
  EXPECT_THAT(record.notes, ElementsAre(HasSubstr("exited with status")));
}

TEST_F(HarvestTest, APackageThatCannotBeBuiltHasAProblem) {
  fs::remove(sources_ / "Makefile");
  EXPECT_THAT(run().problem, HasSubstr("Makefile"));
  write("configure", "#!/bin/sh\nexit 3\n");
  EXPECT_EQ(run().problem, "configuring exited with status 3");
}

TEST_F(HarvestTest, TimeIsLimited) {
  write("Makefile", "all: main.o\n\tsleep 60\n");
  options_.limit_s = 1.5;
  EXPECT_THAT(run().problem, HasSubstr("ran past its limit"));
}

TEST_F(HarvestTest, AfterAStopThereIsNoRecord) {
  const std::atomic<bool> stop = true;
  options_.stop = &stop;
  const auto records = harvest({}, {package_}, options_);
  ASSERT_TRUE(records) << records.error().message;
  EXPECT_THAT(*records, IsEmpty());
  EXPECT_THAT(options_.store.packages(), IsEmpty());
}

TEST_F(HarvestTest, AMissingWrapperIsAnError) {
  options_.wrapper = "/proc/nonexistent/ordo-capture";
  const auto records = harvest({}, {package_}, options_);
  ASSERT_FALSE(records);
  EXPECT_THAT(records.error().message, HasSubstr("/proc/nonexistent/ordo-capture"));
}

}  // namespace
}  // namespace ordo::harvest
