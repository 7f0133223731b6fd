#include "cli/places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/front.h"
#include "recipe/recipe.h"
#include "support/files.h"

namespace ordo::cli {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class PlacesTest : public testing::Test {
 protected:
  std::string file(const std::string& name) {
    const fs::path path = dir_.path() / name;
    fs::create_directories(path.parent_path());
    EXPECT_TRUE(writeFile(path, "int x;\n"));
    return path.string();
  }

  static std::vector<std::string> namesOf(const std::vector<std::string>& given) {
    const auto subjects = subjectsOf(given);
    EXPECT_TRUE(subjects) << subjects.error().message;
    std::vector<std::string> names;
    for (const Subject& subject : *subjects) names.push_back(subject.name);
    return names;
  }

  // Why it is refused, or "".
  static std::string complaint(const std::vector<std::string>& given, const OutputOptions& options,
                               std::size_t points = 0) {
    const auto subjects = subjectsOf(given);
    EXPECT_TRUE(subjects) << subjects.error().message;
    const Status status = preparePlaces(*subjects, options, points);
    return status ? "" : status.error().message;
  }

  std::string out(const std::string& name) const { return (dir_.path() / name).string(); }

  TempDir dir_ = *TempDir::create();
};

TEST_F(PlacesTest, NamesThatDifferAreKept) {
  EXPECT_THAT(namesOf({file("p/x.c"), file("q/y.c")}), ElementsAre("x", "y"));
}

TEST_F(PlacesTest, EqualNamesKeepTheirFoldersBelowTheCommonOne) {
  EXPECT_THAT(namesOf({file("p/x.c"), file("q/deep/x.c"), file("z.c")}), ElementsAre("p/x", "q/deep/x", "z"));
  EXPECT_THAT(namesOf({file("r/p/x.c"), file("r/q/x.c")}), ElementsAre("p/x", "q/x"));
}

TEST_F(PlacesTest, EqualNamesInOneFolderKeepTheirExtensions) {
  EXPECT_THAT(namesOf({file("x.c"), file("x.cpp"), file("p/x.c")}), ElementsAre("x.c", "x.cpp", "p/x"));
}

TEST_F(PlacesTest, AProgramThatIsGivenTwiceIsRefused) {
  const auto twice = subjectsOf({file("p/x.c"), out("p/../p/x.c")});
  ASSERT_FALSE(twice);
  EXPECT_THAT(twice.error().message, HasSubstr("given twice"));
}

TEST_F(PlacesTest, FoldersAreMadeBeforeAnyWork) {
  const OutputOptions options{.emit = "obj", .out = out("o"), .recipe = {}, .several = true};
  EXPECT_EQ(complaint({file("p/x.c"), file("q/x.c")}, options), "");
  EXPECT_TRUE(fs::is_directory(dir_.path() / "o" / "q"));
  EXPECT_EQ(outputPath(options, "q/x"), out("o/q/x.o"));
  EXPECT_EQ(recipePath(options, "q/x"), out("o/q/x.ordo.json"));
  EXPECT_EQ(drawingPath(options, "q/x"), out("o/q/x.pareto.svg"));
}

TEST_F(PlacesTest, NothingIsWrittenOverAnInput) {
  const std::string source = file("x.bc");
  EXPECT_THAT(complaint({source}, {.emit = "bc", .out = source, .recipe = {}}),
              AllOf(HasSubstr(source), HasSubstr("over an input")));
  EXPECT_THAT(complaint({source}, {.emit = "bc", .out = dir_.path().string(), .recipe = {}}),
              HasSubstr("over an input"));
  EXPECT_THAT(complaint({source}, {.emit = "obj", .out = out("y.o"), .recipe = source}),
              HasSubstr("over an input"));
  // Another one's, and by another name.
  fs::create_symlink(source, dir_.path() / "link.o");
  EXPECT_THAT(complaint({file("link.c"), source},
                        {.emit = "obj", .out = dir_.path().string(), .recipe = {}, .several = true}),
              HasSubstr("over an input"));
}

TEST_F(PlacesTest, NothingIsWrittenTwice) {
  EXPECT_THAT(complaint({file("x.c")}, {.emit = "obj", .out = out("y"), .recipe = out("y")}),
              HasSubstr("written twice"));
  EXPECT_THAT(complaint({file("a.c"), file("a.pareto-2.c")},
                        {.emit = "obj", .out = out("o"), .recipe = {}, .several = true}, 8),
              "");
  EXPECT_EQ(complaint({file("x.c")}, {.emit = "obj", .out = "-", .recipe = "/dev/null"}), "");
}

TEST_F(PlacesTest, ANameThatNoFileCanHaveIsRefused) {
  const std::string name(250, 'x');
  EXPECT_THAT(complaint({file(name + ".c")}, {.emit = "obj", .out = out("y.o"), .recipe = {}}),
              HasSubstr("too long"));
  EXPECT_EQ(complaint({file(name + ".c")}, {.emit = "obj", .out = out("y.o"), .recipe = out("r.json")}), "");
}

TEST_F(PlacesTest, WhatIsOfAnotherProgramOrPurposeStays) {
  const std::string a = file("a/x.c"), b = file("b/x.c");
  const fs::path before = fs::current_path();
  fs::current_path(dir_.path());
  recipe::Recipe recipe;
  recipe.source = "a/x.c";
  recipe.objective = "text_bytes";
  recipe.baseline = "clang-Oz";
  recipe.flags = {"-DA"};
  EXPECT_TRUE(writeFile("x.ordo.json", recipe::write(recipe)));
  const auto nameOf = [](const std::string& source, const OutputOptions& options, const Purpose& purpose) {
    std::vector<Subject> subjects = *subjectsOf({source});
    const std::vector<std::string> said = keepOthers(subjects, options, purpose);
    EXPECT_EQ(said.empty(), subjects.front().name == "x");
    return subjects.front().name;
  };
  EXPECT_EQ(nameOf(a, {}, {"text_bytes", "clang-Oz", {"-DA"}}), "x");
  EXPECT_EQ(nameOf("./a/x.c", {}, {"text_bytes", "clang-Oz", {"-DA"}}), "x");
  EXPECT_EQ(nameOf(b, {}, {"text_bytes", "clang-Oz", {"-DA"}}), "x-2");
  EXPECT_EQ(nameOf(a, {}, {"code_bytes", "clang-Oz", {"-DA"}}), "x-2");
  EXPECT_EQ(nameOf(a, {}, {"text_bytes", "clang-Os", {"-DA"}}), "x-2");
  EXPECT_EQ(nameOf(a, {}, {"text_bytes", "clang-Oz", {}}), "x-2");
  recipe.source = "b/x.c";
  EXPECT_TRUE(writeFile("x-2.ordo.json", recipe::write(recipe)));
  EXPECT_EQ(nameOf(b, {}, {"text_bytes", "clang-Oz", {"-DA"}}), "x-2") << "its own";
  EXPECT_EQ(nameOf(a, {}, {"code_bytes", "clang-Oz", {"-DA"}}), "x-3");
  OutputOptions named;
  named.out = "y.o";
  EXPECT_EQ(nameOf(b, named, {"text_bytes", "clang-Oz", {"-DA"}}), "x") << "who names a place means it";
  EXPECT_TRUE(writeFile("x.ordo.json", "{}"));
  EXPECT_EQ(nameOf(b, {}, {"text_bytes", "clang-Oz", {}}), "x") << "what is no recipe is nobody's";
  fs::current_path(before);
}

}  // namespace
}  // namespace ordo::cli
