#include "llvm/features/cpu_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "support/files.h"
#include "tests/unit/llvm/features/sample.h"

namespace ordo::features {
namespace {

namespace fs = std::filesystem;

class CpuInfoTest : public testing::Test {
 protected:
  CpuInfoTest() : dir_(TempDir::create().value()) {}

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((dir_.path() / name).parent_path());
    ASSERT_TRUE(writeFile(dir_.path() / name, text + "\n"));
  }
  void cache(const std::string& at, const char* level, const char* type, const char* size,
             const char* sharers) {
    write(at + "/level", level);
    write(at + "/type", type);
    write(at + "/size", size);
    write(at + "/shared_cpu_list", sharers);
  }

  const TempDir dir_;
};

TEST_F(CpuInfoTest, CountsCoresAndTheCachesTheyShare) {
  for (const char* cpu : {"0", "1", "2"}) {
    const std::string at = std::string("cpu") + cpu + "/cache/index";
    cache(at + "0", "1", "Data", "48K", cpu);
    cache(at + "1", "1", "Instruction", "32K", cpu);
    cache(at + "2", "2", "Unified", *cpu == '2' ? "1024K" : "2048K", *cpu == '2' ? "2" : "0-1");
    cache(at + "3", "3", "Unified", "32M", "0-2");
  }
  write("cpu3/online", "0");
  write("cpufreq/cache/index0/level", "1");
  write("cpu0/cache/uevent", "");
  EXPECT_THAT(readCpuInfo(dir_.path()),
              testing::ElementsAre(3, 48 << 10, 3, 32 << 10, 3, 2 << 20, 2, 32 << 20, 1, 0, 0));
}

TEST_F(CpuInfoTest, WhatIsNotSaidIsZero) {
  EXPECT_THAT(readCpuInfo(dir_.path() / "none"), testing::Each(0));
  write("cpu0/cache/index0/level", "many");
  EXPECT_THAT(readCpuInfo(dir_.path()), testing::ElementsAre(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

TEST_F(CpuInfoTest, SaysOfThisMachineWhatTheCLibrarySays) {
  const auto info = named("cpu_info", *parseText(""));
  EXPECT_EQ(info.at("logical_cores"), ::sysconf(_SC_NPROCESSORS_ONLN));
  // It asks the processor itself, which a virtual machine may answer otherwise or not at all.
  const long l1d = ::sysconf(_SC_LEVEL1_DCACHE_SIZE);
  if (l1d > 0 && info.at("l1d_bytes") > 0) {
    EXPECT_EQ(info.at("l1d_bytes"), l1d);
  }
}

TEST_F(CpuInfoTest, IsTheOnlyObservationOfTheMachine) {
  for (const FeatureInfo* feature : catalog()) {
    EXPECT_EQ(feature->machine_dependent, feature->name == "cpu_info") << feature->name;
  }
}

}  // namespace
}  // namespace ordo::features
