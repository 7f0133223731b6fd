#include "campaigns/methods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "prior/proposals.h"
#include "search/catalog/catalog.h"
#include "support/files.h"

namespace ordo::campaigns {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;

// A "Python" that is ready if it is asked to run what exists.
constexpr const char* kPython = R"sh(#!/bin/sh
case $3 in
  --list) printf 'one\ntwo\n' ;;
  one | two | */good.py:*) echo '{"ordo_method":1}'; read -r task ;;
  *) echo "No module named 'x'" >&2; exit 1 ;;
esac
)sh";

class MethodsTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path python = dir_.path() / "python";
    ASSERT_TRUE(writeFile(python, kPython));
    std::filesystem::permissions(python, std::filesystem::perms::all);
    ::setenv("ORDO_PYTHON", python.c_str(), 1);
  }
  void TearDown() override { ::unsetenv("ORDO_PYTHON"); }

  std::string path(const std::string& name) const { return (dir_.path() / name).string(); }

  std::vector<std::string> chosen(const std::vector<std::string>& names) {
    const auto methods = chooseMethods(names, nullptr);
    EXPECT_TRUE(methods) << methods.error().message;
    std::vector<std::string> result;
    for (std::size_t i = 0; methods && i < methods->size(); ++i) result.push_back((*methods)[i].name);
    return result;
  }
  Error refused(const std::string& name) {
    const auto methods = chooseMethods({name}, nullptr);
    EXPECT_FALSE(methods) << name;
    return methods ? Error{} : methods.error();
  }

  TempDir dir_ = *TempDir::create();
};

TEST_F(MethodsTest, SearchersAndPeersByNameEachOnce) {
  EXPECT_THAT(chosen({"random", "greedy", "random"}), ElementsAre("random", "greedy"));
  EXPECT_THAT(chosen({"peers", "peer/two", "random"}), ElementsAre("peer/one", "peer/two", "random"));
  EXPECT_EQ(chosen({"all"}).size(), search::catalog().size());
}

TEST_F(MethodsTest, OthersMayMakeMethodsToo) {
  const MethodFamily family{"agent", "agent:MODEL", [](const std::string& name) -> Result<study::Method> {
                              return study::Method{"made of " + name, {}};
                            }};
  const auto methods = chooseMethods({"agent", "agent:x y=z", "random"}, nullptr, {family});
  ASSERT_TRUE(methods) << methods.error().message;
  EXPECT_EQ((*methods)[1].name, "made of agent:x y=z");
  EXPECT_EQ(methods->size(), 3u);
  EXPECT_THAT(chooseMethods({"agents:x"}, nullptr, {family}).error().message, HasSubstr("unknown method"));
}

TEST_F(MethodsTest, AFileIsKnownByItsContent) {
  ASSERT_TRUE(writeFile(path("good.py"), "one"));
  const auto first = chosen({"python:" + path("good.py"), "python:" + path("good.py") + ":search"});
  EXPECT_THAT(first, ElementsAre(MatchesRegex("python:/.*/good.py:search@[0-9a-f]{8}")));
  ASSERT_TRUE(writeFile(path("good.py"), "two"));
  EXPECT_NE(chosen({"python:" + path("good.py")}), first);
}

TEST_F(MethodsTest, AnyProgramThatGreetsWillDo) {
  EXPECT_THAT(chosen({"program:" + path("python") + " -m x one"}),
              ElementsAre(MatchesRegex("program:/.* -m x one@[0-9a-f]{8}")));
  EXPECT_THAT(refused("program:" + path("python") + " -m x three").message,
              AllOf(HasSubstr("does not start"), HasSubstr("No module named 'x'")));
}

TEST_F(MethodsTest, ASearcherBeginsWithTheProposalsOfAFile) {
  const std::string file = path("a:b.jsonl");
  ASSERT_TRUE(writeFile(file, prior::writeHeader({.model = "m"})));
  EXPECT_THAT(chosen({"prior:" + file + ":evolutionary", "evolutionary"}),
              ElementsAre(MatchesRegex("prior/evolutionary@[0-9a-f]{8}"), "evolutionary"));
  EXPECT_EQ(refused("prior:" + file + ":rondom").code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(refused("prior:evolutionary").code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(refused("prior:" + path("none") + ":random").code, ErrorCode::kNotFound);
  ASSERT_TRUE(writeFile(file, "{}"));
  EXPECT_EQ(refused("prior:" + file + ":random").code, ErrorCode::kCorrupt);
}

TEST_F(MethodsTest, WhatIsWrongIsSaidAtOnce) {
  EXPECT_EQ(refused("rondom").code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused("rondom").message, HasSubstr("did you mean 'random'"));
  EXPECT_EQ(refused("python:" + path("none.py")).code, ErrorCode::kNotFound);
  EXPECT_EQ(refused("program:").code, ErrorCode::kNotFound);
  EXPECT_EQ(refused("program:/proc/nonexistent/file").code, ErrorCode::kNotFound);
  const Error missing = refused("peer/three");
  EXPECT_EQ(missing.code, ErrorCode::kUnavailable);
  EXPECT_THAT(missing.message, AllOf(HasSubstr("peer/three does not start"), HasSubstr("No module named 'x'"),
                                     HasSubstr("./ordo peers")));
}

}  // namespace
}  // namespace ordo::campaigns
