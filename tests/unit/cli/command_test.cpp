// Conformance of every subcommand: it can be set up and says what it is for.
#include "cli/command.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <set>

namespace ordo::cli {
namespace {

TEST(CommandTest, EveryCommandHasAUniqueNameASummaryAndHelp) {
  std::set<std::string_view> names;
  ASSERT_FALSE(catalog().empty());
  for (const CommandInfo* command : catalog()) {
    EXPECT_TRUE(names.insert(command->name).second) << command->name;
    EXPECT_FALSE(command->summary.empty()) << command->name;
    CLI::App app;
    const Command run = command->setup(app);
    EXPECT_TRUE(run) << command->name;
    EXPECT_FALSE(app.help().empty());
  }
}

TEST(CommandTest, ExamplesUseTheCommand) {
  for (const CommandInfo* command : catalog()) {
    if (command->examples.empty()) continue;
    EXPECT_NE(command->examples.find("ordo " + std::string(command->name)), std::string_view::npos)
        << command->name;
  }
}

}  // namespace
}  // namespace ordo::cli
