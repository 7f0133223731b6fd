#include "support/own_limits.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstring>
#include <vector>

namespace ordo {
namespace {

TEST(OwnLimitsTest, TheSoftLimitGoesAsFarAsTheHardOne) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const auto soft = [] {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
  };
  setSoftLimit(RLIMIT_NOFILE, before.rlim_cur - 1);
  EXPECT_EQ(soft(), before.rlim_cur - 1);
  setSoftLimit(RLIMIT_NOFILE, RLIM_INFINITY);
  EXPECT_EQ(soft(), before.rlim_max);
  setSoftLimit(RLIMIT_NOFILE, before.rlim_cur);
  setSoftLimit(-1, 1);  // there is no such resource
}

TEST(OwnLimitsTest, MemoryThatIsUsedIsCounted) {
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  const std::uint64_t before = residentBytes();
  std::vector<char> used(kBytes);
  std::memset(used.data(), 1, used.size());
  EXPECT_GE(residentBytes(), before + kBytes / 2);
  EXPECT_GE(mappedBytes(), residentBytes());
  EXPECT_EQ(used.back(), 1);
}

}  // namespace
}  // namespace ordo
