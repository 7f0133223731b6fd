#include "harvest/packets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::harvest {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// What comes back is a folder that a script hands out for every packet.
class HarvestPacketsTest : public testing::Test {
 protected:
  void SetUp() override {
    package_.name = "tiny";
    ASSERT_TRUE(sent_.prepare());
    record_.package = "tiny";
    record_.version = "1";
    record_.recipe = manifest_.recipe(package_).hex();
    record_.modules.push_back({"main.c", hashBytes(kBitcode), "c", {}});
    ASSERT_TRUE(sent_.addModule(hashBytes(kBitcode), kBitcode));
    ASSERT_TRUE(writeFile(sent_.logPath("tiny"), "make\n"));
    ASSERT_TRUE(sent_.addRecord(record_));
    options_.on_package = [&](const datasets::PackageRecord&, bool was_there) {
      (was_there ? were_there_ : made_)++;
    };
  }

  Result<std::vector<datasets::PackageRecord>> harvest() {
    const std::string copy = (dir_.path() / "copy").string();
    const std::string script =
        "echo '{\"slots\": 1, \"nodes\": \"\"}'; read -r line; printf '%s' \"$line\" >" + asked_.string() +
        "; cp -r " + sent_.dir().string() + " " + copy +
        "; echo '{\"packet\": 0, \"node\": \"two\", \"code\": 0, \"words\": \"\", \"output\": \"" + copy +
        "\"}'; read -r line";
    ORDO_TRY_ASSIGN(const auto cluster, cluster::Cluster::join({.helper = {"sh", "-c", script}}));
    return harvestElsewhere(*cluster, manifest_, {}, {package_}, options_);
  }

  static constexpr std::string_view kBitcode = "BC\xC0\xDE";
  const TempDir dir_ = *TempDir::create();
  const datasets::HarvestStore sent_{dir_.path() / "sent"};
  const fs::path asked_ = dir_.path() / "asked";
  datasets::HarvestManifest manifest_;
  datasets::HarvestPackage package_;
  datasets::PackageRecord record_;
  HarvestOptions options_{
      .store = datasets::HarvestStore(dir_.path() / "store"), .work = {}, .wrapper = {}, .from = {}};
  int made_ = 0, were_there_ = 0;
};

TEST_F(HarvestPacketsTest, KeepsWhatComesBackAndDoesNotAskForItAgain) {
  const auto records = harvest();
  ASSERT_TRUE(records) << records.error().message;
  ASSERT_EQ(records->size(), 1u);
  EXPECT_EQ(made_, 1);
  EXPECT_THAT(*readFile(asked_), HasSubstr(R"(["dataset","harvest","tiny",)"));
  EXPECT_EQ(*readFile(*options_.store.find("debian/tiny/main.c")), kBitcode);
  EXPECT_EQ(*readFile(options_.store.logPath("tiny")), "make\n");
  EXPECT_FALSE(fs::exists(dir_.path() / "copy"));
  EXPECT_EQ(harvest()->size(), 1u);
  EXPECT_EQ(were_there_, 1);
}

TEST_F(HarvestPacketsTest, RefusesBitcodeThatIsNotWhatItsNameSays) {
  ASSERT_TRUE(writeFile(sent_.modulePath(hashBytes(kBitcode)), "something else"));
  const auto records = harvest();
  ASSERT_FALSE(records);
  EXPECT_EQ(records.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(records.error().message, HasSubstr("debian/tiny/main.c of two"));
  EXPECT_FALSE(options_.store.record("tiny"));
}

TEST_F(HarvestPacketsTest, RefusesAnotherRecipe) {
  record_.recipe = std::string(32, '0');
  ASSERT_TRUE(sent_.addRecord(record_));
  EXPECT_THAT(harvest().error().message, HasSubstr("harvested something else"));
}

TEST_F(HarvestPacketsTest, SaysThatAMachineCouldNot) {
  fs::remove(sent_.recordPath("tiny"));
  EXPECT_THAT(harvest().error().message, HasSubstr("two could not harvest tiny"));
}

}  // namespace
}  // namespace ordo::harvest
