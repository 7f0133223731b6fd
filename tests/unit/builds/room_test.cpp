#include "builds/room.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

namespace ordo::builds {
namespace {

// For as long as it lives.
class Lowered {
 public:
  Lowered(__rlimit_resource resource, rlim_t value) : resource_(resource) {
    ::getrlimit(resource_, &before_);
    const rlimit lower{value, before_.rlim_max};
    ::setrlimit(resource_, &lower);
  }
  ~Lowered() { ::setrlimit(resource_, &before_); }

 private:
  __rlimit_resource resource_;
  rlimit before_{};
};

TEST(RoomTest, TightLimitsAreNamed) {
  {
    const Lowered files(RLIMIT_NOFILE, 32);
    EXPECT_THAT(tightLimit(), testing::HasSubstr("ulimit -n 32"));
  }
  {
    const Lowered stack(RLIMIT_STACK, 1 << 20);
    EXPECT_THAT(tightLimit(), testing::HasSubstr("ulimit -s 1024"));
  }
  const Lowered size(RLIMIT_FSIZE, 1 << 20);
  EXPECT_THAT(tightLimit(), testing::HasSubstr("ulimit -f 1024"));
}

TEST(RoomTest, UsualOnesAreNot) {
  const Lowered files(RLIMIT_NOFILE, 1024), stack(RLIMIT_STACK, 8 << 20), size(RLIMIT_FSIZE, RLIM_INFINITY);
  EXPECT_EQ(tightLimit(), "");
}

}  // namespace
}  // namespace ordo::builds
