#include "frontend/dependencies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::frontend {
namespace {

using Paths = std::vector<std::filesystem::path>;

TEST(DependenciesTest, ARuleOfMakeIsRead) {
  EXPECT_EQ(parseRule("x: a.c inc/b.h \\\n  c\\ d.h e$$f.h g\\#h.h\n"),
            (Paths{"a.c", "inc/b.h", "c d.h", "e$f.h", "g#h.h"}));
  EXPECT_EQ(parseRule("x: a.c"), Paths{"a.c"});
  EXPECT_EQ(parseRule(""), Paths{});
  EXPECT_EQ(parseRule("x:\n"), Paths{});
}

TEST(DependenciesTest, ClangSaysWhatItReads) {
  const TempDir dir = *TempDir::create();
  ASSERT_TRUE(writeFile(dir.path() / "a b.h", "int x;\n"));
  ASSERT_TRUE(writeFile(dir.path() / "a.c", "#include \"a b.h\"\n"));
  const auto files = dependencies({"a.c", "c", {}, dir.path()});
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_THAT(*files, testing::UnorderedElementsAre("a.c", "a b.h"));
}

TEST(DependenciesTest, AMissingFileIsNamed) {
  const TempDir dir = *TempDir::create();
  ASSERT_TRUE(writeFile(dir.path() / "a.c", "#include <nothing/here.h>\n"));
  EXPECT_THAT(dependencies({"a.c", "c", {}, dir.path()}).error().message,
              testing::HasSubstr("'nothing/here.h'"));
}

}  // namespace
}  // namespace ordo::frontend
