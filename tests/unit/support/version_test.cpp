#include "support/version.h"

#include <gmock/gmock.h>

#include <string>

namespace ordo {
namespace {

TEST(VersionTest, IsThreeNumbers) {
  EXPECT_THAT(std::string(version()), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

}  // namespace
}  // namespace ordo
