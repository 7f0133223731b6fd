#include "loopback/admission.h"

#include <gtest/gtest.h>

namespace ordo::loopback {
namespace {

constexpr const char* kToken = "0123456789abcdef";

Admission admission() {
  Admission admission(kToken);
  admission.setPort(8123);
  return admission;
}

TEST(AdmissionTest, ThisMachineIsMeantByItsNameAndPortOnly) {
  const Admission door = admission();
  EXPECT_TRUE(door.isOurs("127.0.0.1:8123", ""));
  EXPECT_TRUE(door.isOurs("localhost:8123", "http://localhost:8123"));
  for (const char* host : {"", "127.0.0.1", "127.0.0.1:812", "127.0.0.1:81234", "evil.example:8123",
                           "[::1]:8123", "127.0.0.1:8123.evil.example"})
    EXPECT_FALSE(door.isOurs(host, "")) << host;
}

TEST(AdmissionTest, PagesOfOthersAreNotOurs) {
  const Admission door = admission();
  for (const char* origin : {"null", "http://evil.example", "https://127.0.0.1:8123", "http://127.0.0.1",
                             "http://127.0.0.1:8123.evil.example", "http://127.0.0.1:8123/"})
    EXPECT_FALSE(door.isOurs("127.0.0.1:8123", origin)) << origin;
}

TEST(AdmissionTest, OnlyTheWholeTokenIsKnown) {
  const Admission door = admission();
  EXPECT_TRUE(door.knows("Bearer 0123456789abcdef"));
  for (const char* given : {"", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdef0",
                            "Bearer 0123456789abcdeF", "bearer 0123456789abcdef", "0123456789abcdef"})
    EXPECT_FALSE(door.knows(given)) << given;
}

TEST(AdmissionTest, TokensDiffer) {
  EXPECT_EQ(newToken().size(), 32u);
  EXPECT_NE(newToken(), newToken());
}

}  // namespace
}  // namespace ordo::loopback
