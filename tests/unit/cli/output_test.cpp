#include "cli/output.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "support/files.h"

namespace ordo::cli {
namespace {

using ::testing::HasSubstr;

TEST(OutputTest, NamesFilesAfterTheProgramAndTheForm) {
  EXPECT_EQ(outputPath({.emit = "obj", .out = {}, .recipe = {}}, "a"), "a.o");
  EXPECT_EQ(outputPath({.emit = "asm", .out = {}, .recipe = {}}, "a"), "a.s");
  EXPECT_EQ(outputPath({.emit = "exe", .out = {}, .recipe = {}}, "a"), "a");
  EXPECT_EQ(outputPath({.emit = "ll", .out = "x.ll", .recipe = {}}, "a"), "x.ll");
  EXPECT_EQ(outputPath({.emit = "bc", .out = "out", .recipe = {}, .several = true}, "a"), "out/a.bc");
  EXPECT_EQ(outputPath({.emit = "obj", .out = "/tmp", .recipe = {}}, "a"), "/tmp/a.o");
}

TEST(OutputTest, PutsTheRecipeBesideTheResult) {
  EXPECT_EQ(recipePath({.emit = "obj", .out = {}, .recipe = {}}, "a"), "a.ordo.json");
  EXPECT_EQ(recipePath({.emit = "obj", .out = "dir/x.o", .recipe = {}}, "a"), "dir/a.ordo.json");
  EXPECT_EQ(recipePath({.emit = "obj", .out = "-", .recipe = {}}, "a"), "a.ordo.json");
  EXPECT_EQ(recipePath({.emit = "obj", .out = "/dev/null", .recipe = {}}, "a"), "a.ordo.json");
  EXPECT_EQ(recipePath({.emit = "obj", .out = {}, .recipe = "r.json"}, "a"), "r.json");
}

TEST(OutputTest, RefusesPlacesThatCannotBeWrittenBeforeAnyWork) {
  const Status missing = checkOutput({.emit = "obj", .out = "/proc/nonexistent/x.o", .recipe = {}});
  ASSERT_FALSE(missing.has_value());
  EXPECT_THAT(missing.error().message, HasSubstr("/proc/nonexistent"));
  EXPECT_FALSE(checkOutput({.emit = "obj", .out = "-", .recipe = {}, .several = true}).has_value());
  const Status form = checkOutput({.emit = "objj", .out = {}, .recipe = {}});
  ASSERT_FALSE(form.has_value());
  EXPECT_THAT(form.error().message, HasSubstr("did you mean 'obj'"));
}

TEST(OutputTest, MakesTheFolderForSeveralResults) {
  const Result<TempDir> dir = TempDir::create();
  ASSERT_TRUE(dir.has_value());
  const std::string out = (dir->path() / "deep" / "er").string();
  EXPECT_TRUE(checkOutput({.emit = "obj", .out = out, .recipe = {}, .several = true}).has_value());
  EXPECT_TRUE(std::filesystem::is_directory(out));
}

}  // namespace
}  // namespace ordo::cli
