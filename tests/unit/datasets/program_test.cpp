#include "datasets/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "datasets/dataset.h"
#include "support/files.h"
#include "tests/unit/support/ordinary_user.h"

namespace ordo::datasets {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Every test stands in a folder of its own.
class ProgramFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    fs::current_path(dir_.path());
  }
  void TearDown() override { fs::current_path(before_); }

  void write(const fs::path& file, std::string_view text) {
    if (file.has_parent_path()) fs::create_directories(file.parent_path());
    ASSERT_TRUE(writeFile(file, text));
  }

  void writeSuiteProgram(const std::string& name) {
    const fs::path folder = fs::path("suite") / name;
    write(folder / "program.toml",
          fmt::format("format = 1\nname = \"{}\"\nsummary = \"a program\"\nlanguage = \"c\"\n"
                      "source = \"main.c\"\n[[test]]\nname = \"t\"\nstdin = \"in\"\nstdout = \"out\"\n",
                      name));
    for (const char* file : {"main.c", "in", "out"}) write(folder / file, "int main(void) { return 0; }");
  }

  Error rejected(std::string_view uri) {
    const auto program = loadProgram(uri);
    EXPECT_FALSE(program) << uri;
    return program ? Error{} : program.error();
  }

  TempDir dir_ = *TempDir::create();
  fs::path before_;
};

TEST_F(ProgramFolderTest, TheExtensionSaysWhatAFileIs) {
  const std::pair<const char*, const char*> languages[] = {
      {"a.c", "c"},   {"a.cc", "c++"},       {"a.cpp", "c++"},           {"a.cxx", "c++"},
      {"a.C", "c++"}, {"a.i", "cpp-output"}, {"a.ii", "c++-cpp-output"},
  };
  for (const auto& [file, language] : languages) {
    write(file, "int x;");
    const auto program = loadProgram(file);
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_EQ(program->kind, ProgramKind::kSource);
    EXPECT_EQ(program->language, language) << file;
    EXPECT_EQ(program->path(), file);
    EXPECT_EQ(program->uri, file);
    EXPECT_EQ(program->name, "a");
  }
  write("a.ll", "define void @f() { ret void }");
  EXPECT_EQ(loadProgram("a.ll")->kind, ProgramKind::kIrText);
}

TEST_F(ProgramFolderTest, BitcodeIsKnownByItsFirstBytes) {
  const std::string bare = "BC\xC0\xDE rest", wrapped = "\xDE\xC0\x17\x0B rest";
  for (const char* file : {"a.bc", "a.o", "a", "a.c"}) {
    for (const std::string& content : {bare, wrapped}) {
      write(file, content);
      const auto program = loadProgram(file);
      ASSERT_TRUE(program) << program.error().message;
      EXPECT_EQ(program->kind, ProgramKind::kBitcode);
      EXPECT_EQ(program->language, "ir");
    }
  }
  write("b.bc", "int x;");
  EXPECT_EQ(rejected("b.bc").code, ErrorCode::kCorrupt);
}

TEST_F(ProgramFolderTest, FileUrisAreFiles) {
  write("a.c", "int x;");
  EXPECT_EQ(loadProgram("file:a.c")->path(), "a.c");
}

TEST_F(ProgramFolderTest, AFolderWithADescriptionIsASuiteProgram) {
  writeSuiteProgram("hello");
  for (const char* uri : {"suite/hello", "suite/hello/", "./suite/hello", "suite/hello/program.toml"}) {
    const auto program = loadProgram(uri);
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_EQ(program->kind, ProgramKind::kSuite);
    EXPECT_EQ(program->name, "hello");
    EXPECT_EQ(program->path(), "suite/hello/main.c");
    EXPECT_EQ(program->uri, uri);
    EXPECT_EQ(program->tests.size(), 1u);
  }
  fs::current_path("suite/hello");
  EXPECT_EQ(loadProgram(".")->name, "hello");
}

TEST_F(ProgramFolderTest, SuiteProgramsAreFoundBesideTheDataFromAnywhere) {
  writeSuiteProgram("hello");
  fs::create_directories("data");
  fs::create_directories("elsewhere");
  ::setenv("ORDO_DATA", (dir_.path() / "data").c_str(), 1);
  fs::current_path("elsewhere");
  EXPECT_TRUE(loadProgram("suite/hello"));
  EXPECT_EQ(rejected("hello").code, ErrorCode::kNotFound);
  ::unsetenv("ORDO_DATA");
}

TEST_F(ProgramFolderTest, WhatIsMissingIsReportedWithTheNearestName) {
  writeSuiteProgram("sha256");
  write("main.c", "int x;");
  EXPECT_EQ(rejected("main.cpp").code, ErrorCode::kNotFound);
  EXPECT_THAT(rejected("mian.c").message,
              HasSubstr("there is no file or folder mian.c; did you mean main.c?"));
  EXPECT_THAT(rejected("suite/sha265").message, HasSubstr("did you mean suite/sha256?"));
  EXPECT_EQ(rejected("").code, ErrorCode::kInvalidArgument);
}

TEST_F(ProgramFolderTest, AFileThatTheDescriptionNamesMustExist) {
  writeSuiteProgram("hello");
  fs::remove("suite/hello/out");
  const Error error = rejected("suite/hello");
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_THAT(error.message,
              HasSubstr("suite/hello/program.toml names out, which is not a file in its folder"));
}

TEST_F(ProgramFolderTest, EverySourceMustExist) {
  writeSuiteProgram("hello");
  std::string text = *readFile("suite/hello/program.toml");
  write("suite/hello/program.toml",
        text.replace(text.find("source ="), text.find('\n', text.find("source =")) - text.find("source ="),
                     "sources = [\"main.c\", \"more.c\"]"));
  EXPECT_THAT(rejected("suite/hello").message, HasSubstr("names more.c, which is not a file"));
  write("suite/hello/more.c", "int more;");
  EXPECT_TRUE(loadProgram("suite/hello"));
}

TEST_F(ProgramFolderTest, TheFilesOfATimedRunMustExistAndNotGrowOutOfBounds) {
  writeSuiteProgram("hello");
  const std::string text = *readFile("suite/hello/program.toml");
  const auto withRun = [&](std::string_view keys) {
    write("suite/hello/program.toml",
          fmt::format("{}[[run]]\nname = \"r\"\nstdin = \"in\"\nstdout_xxh128 = \"{:032}\"\n{}", text, 0,
                      keys));
  };
  withRun("before = \"head\"\n");
  EXPECT_THAT(rejected("suite/hello").message, HasSubstr("names head, which is not a file in its folder"));
  write("suite/hello/head", "12345678");
  EXPECT_EQ(loadProgram("suite/hello")->runs.size(), 1u);

  write("suite/hello/in", std::string(1024, 'x'));
  withRun("repeat = 262144\n");
  EXPECT_TRUE(loadProgram("suite/hello"));
  withRun("repeat = 262144\nafter = \"head\"\n");
  const Error error = rejected("suite/hello");
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_THAT(error.message, HasSubstr("run 'r' has 268435464 bytes of input; at most 268435456 are made"));
}

TEST_F(ProgramFolderTest, AFolderWithoutADescriptionSaysWhatToName) {
  fs::create_directories("src");
  EXPECT_THAT(rejected("src").message,
              HasSubstr("src is a folder without program.toml; name a file, or a folder"));
}

TEST_F(ProgramFolderTest, FilesThatCannotBeTunedAreReported) {
  write("empty.c", "");
  EXPECT_THAT(rejected("empty.c").message, HasSubstr("empty.c is empty"));
  write("a.rs", "fn main() {}");
  EXPECT_THAT(rejected("a.rs").message, HasSubstr("C and C++ (.c .cc .cpp .cxx .C .i .ii)"));
  ASSERT_EQ(::mkfifo("pipe.c", 0600), 0);
  EXPECT_THAT(rejected("pipe.c").message, HasSubstr("neither a file nor a folder"));
}

TEST_F(ProgramFolderTest, UnreadableFilesAreReported) {
  write("a.c", "int x;");
  fs::permissions("a.c", fs::perms::none);
  fs::permissions(dir_.path(), fs::perms::owner_all | fs::perms::others_exec);
  EXPECT_TRUE(holdsForAnOrdinaryUser([this] { return rejected("a.c").code == ErrorCode::kUnavailable; }));
}

TEST_F(ProgramFolderTest, EveryProgramOfOurSuiteLoads) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(ORDO_SOURCE_DIR "/suite")) {
    if (!entry.is_directory()) continue;
    const auto program = loadProgram(entry.path().string());
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_GT(program->tests.size(), 0u) << program->name;
    ++count;
  }
  EXPECT_GE(count, 16u);
}

TEST(SuiteTest, EveryProgramHasTestsAndTimedRuns) {
  std::size_t programs = 0;
  for (const auto& entry : fs::directory_iterator(ORDO_SOURCE_DIR "/suite")) {
    if (!isProgramFolder(entry.path())) continue;
    const auto program = loadPath(entry.path());
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_GE(program->tests.size(), 2u) << program->name;
    EXPECT_GE(program->runs.size(), 2u) << program->name;
    for (const TimedRun& run : program->runs) EXPECT_NE(run.expected, Hash128{}) << program->name;
    ++programs;
  }
  EXPECT_EQ(programs, 27u);
}

}  // namespace
}  // namespace ordo::datasets
