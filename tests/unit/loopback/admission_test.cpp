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

TEST(AdmissionTest, OtherNamesAreOnesThatTheUserAllows) {
  Admission door(kToken, {"Build.example.com", "localhost:9000"});
  door.setPort(8123);
  EXPECT_TRUE(door.isOurs("build.example.com", "https://build.example.com"));
  EXPECT_TRUE(door.isOurs("build.example.com:8443", "https://build.example.com:8443"));
  EXPECT_TRUE(door.isOurs("127.0.0.1:8123", "https://BUILD.example.com"))
      << "a proxy that says where it went";
  EXPECT_TRUE(door.isOurs("localhost:9000", "http://localhost:9000"));
  EXPECT_TRUE(door.isOurs("127.0.0.1:8123", ""));
  for (const auto& [host, origin] :
       std::vector<std::pair<std::string, std::string>>{{"localhost:9001", ""},
                                                        {"example.com", ""},
                                                        {"build.example.com.evil.example", ""},
                                                        {"xbuild.example.com", ""},
                                                        {"build.example.com:80x", ""},
                                                        {"build.example.com@evil.example", ""},
                                                        {"build.example.com", "https://evil.example"},
                                                        {"build.example.com", "null"},
                                                        {"build.example.com", "ftp://build.example.com"},
                                                        {"127.0.0.1:8123", "http://localhost:3000"}})
    EXPECT_FALSE(door.isOurs(host, origin)) << host << ' ' << origin;
}

TEST(AdmissionTest, WhatToDoIsSaidAndNothingForeignIsRepeated) {
  const Admission door = admission();
  EXPECT_NE(door.remedy("localhost:9000", "").find("--allow-host localhost:9000"), std::string::npos);
  EXPECT_NE(door.remedy("127.0.0.1:8123", "https://me.example").find("--allow-host me.example"),
            std::string::npos);
  for (const char* host : {"", "<script>", "a b", "x\r\ny", "https://x"})
    EXPECT_EQ(door.remedy(host, ""), "requests have to come from this machine") << host;
}

TEST(AdmissionTest, OnlyNamesOfHostsCanBeAllowed) {
  EXPECT_TRUE(checkHosts({"build.example.com", "localhost:9000", "10.0.0.1"}));
  for (const char* name : {"", "*", "*.example.com", "https://x", "x/y", "x:", "x:http", "x y", "x:123456"})
    EXPECT_FALSE(checkHosts({name})) << name;
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
