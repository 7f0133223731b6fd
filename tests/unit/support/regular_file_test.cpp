#include "support/regular_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/files.h"

namespace ordo {
namespace {

TEST(RegularFileTest, APipeIsNoneAndNobodyWaitsForIt) {
  const TempDir dir = *TempDir::create();
  const std::filesystem::path file = dir.path() / "file";
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  const Result<std::string> read = readRegularFile(file);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("not a regular file"), std::string::npos);
  EXPECT_FALSE(readRegularFile("/dev/null"));
  EXPECT_FALSE(readRegularFile(dir.path()));
  EXPECT_EQ(readRegularFile(dir.path() / "gone").error().code, ErrorCode::kNotFound);
  std::filesystem::remove(file);
  ASSERT_TRUE(writeFile(file, "text"));
  EXPECT_EQ(*readRegularFile(file), "text");
}

}  // namespace
}  // namespace ordo
