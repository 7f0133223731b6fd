#include "campaigns/advice_lines.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/unit/campaigns/fake_advise.h"

namespace ordo::campaigns {
namespace {

TEST(AdviceLinesTest, ModulesAreThoseOfFoldersHoweverLarge) {
  const FakeAdvise fake("#!/bin/sh\n");
  const std::string one = fake.add("one.bc");
  fake.add("notes.txt");
  const std::string huge = fake.add("huge.bc", std::string(200'000, 'x'));
  const Result<std::vector<std::string>> modules = modulesToLearnFrom({fake.folder()});
  ASSERT_TRUE(modules);
  EXPECT_EQ(std::set(modules->begin(), modules->end()), (std::set{one, huge}));
}

TEST(AdviceLinesTest, NothingIsLearnedFromProgramsThatAreKeptForEvaluation) {
  const Result<std::vector<std::string>> modules = modulesToLearnFrom({"compilergym/cbench-v1/crc32"});
  EXPECT_FALSE(modules);
}

TEST(AdviceLinesTest, EachModuleIsSaidSomethingOf) {
  const FakeAdvise fake("#!/bin/sh\nshift\nfor m; do echo \"did $m\"; done\n");
  std::vector<std::string> modules;
  for (int i = 0; i < 11; ++i) modules.push_back(fmt::format("m{}", i));
  std::set<std::string> said;
  ASSERT_TRUE(eachModule({"search"}, modules, 2, [&](std::string_view line) {
    said.emplace(line);
    return true;
  }));
  EXPECT_EQ(said.size(), 11u);
  EXPECT_TRUE(said.contains("did m10"));
  std::size_t lines = 0;
  ASSERT_TRUE(eachModule({"search"}, modules, 1, [&](std::string_view) { return ++lines < 3; }));
  EXPECT_EQ(lines, 3u) << "it was to stop";
}

TEST(AdviceLinesTest, AProgramThatFailsIsAnErrorWithItsWords) {
  const FakeAdvise fake("#!/bin/sh\necho 'no such option' >&2\nexit 3\n");
  const Status done = eachModule({"search"}, {"m"}, 1, [](std::string_view) { return true; });
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("no such option"), std::string::npos);
}

}  // namespace
}  // namespace ordo::campaigns
