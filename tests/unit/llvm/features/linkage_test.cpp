#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/Support/raw_ostream.h>

#include "tests/unit/llvm/features/sample.h"

namespace ordo::features {
namespace {

TEST(LinkageTest, CountsFunctionsAsByHand) {
  const ir::OwnedModule module = parseText(R"(
declare void @ext()
declare void @llvm.trap()
define void @mine() {
  call void @llvm.trap()
  ret void
}
define internal void @nobodys() {
  ret void
}
define private void @nobodys_either() {
  ret void
}
define linkonce_odr void @copy() {
  ret void
}
define linkonce void @other_copy() {
  ret void
}
define weak_odr void @weak() {
  ret void
}
define available_externally void @elsewhere() {
  ret void
}
)");
  using testing::Pair;
  EXPECT_THAT(
      named("linkage", *module),
      testing::UnorderedElementsAre(Pair("declared", 1), Pair("external", 1), Pair("internal", 2),
                                    Pair("linkonce", 2), Pair("weak", 1), Pair("available_externally", 1)));
}

TEST(LinkageTest, AreWhatThePrintedProgramSays) {
  const auto modules = compiledSamples();
  if (modules.empty()) GTEST_SKIP() << "needs clang-22";
  std::int64_t copies = 0;
  for (const ir::OwnedModule& module : modules) {
    std::string text;
    llvm::raw_string_ostream(text) << *module;
    std::istringstream lines(text);
    std::map<std::string_view, std::int64_t> printed;
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("define")) continue;
      printed["internal"] += line.starts_with("define internal");
      printed["linkonce"] += line.starts_with("define linkonce");
    }
    for (const auto& [name, count] : printed) EXPECT_EQ(named("linkage", *module).at(name), count) << name;
    copies += printed["linkonce"];
  }
  EXPECT_GT(copies, 0) << "of the samples in C++";
}

}  // namespace
}  // namespace ordo::features
