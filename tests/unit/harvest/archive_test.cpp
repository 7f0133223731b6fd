#include "harvest/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"
#include "support/process.h"

namespace ordo::harvest {
namespace {

using testing::HasSubstr;

TEST(WithoutEpoch, LeavesOutWhatFilesDoNotHave) {
  EXPECT_EQ(withoutEpoch("1:1.2.13.dfsg-1"), "1.2.13.dfsg-1");
  EXPECT_EQ(withoutEpoch("5.4.1-1+deb12u1"), "5.4.1-1+deb12u1");
}

// No network: an archive that is a folder which does not exist.
TEST(Archive, OneThatCannotBeReachedIsNamed) {
  if (!findProgram({"apt-get"})) GTEST_SKIP() << "needs apt-get";
  const TempDir dir = *TempDir::create();
  Archive archive(dir.path() / "apt", "file:" + (dir.path() / "none").string(), "bookworm", nullptr);
  const auto source = archive.fetchSource("zlib", "1", dir.path() / "sources");
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(source.error().message, HasSubstr("the package lists of file:"));
}

}  // namespace
}  // namespace ordo::harvest
