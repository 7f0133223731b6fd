#include "capture/capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"
#include "support/process.h"

namespace ordo::capture {
namespace {

namespace fs = std::filesystem;

// A folder with sources, and the compiler that captures.
class CaptureTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(root_ / "src");
    fs::create_directories(spool_);
    const fs::path program = fs::path(ORDO_BIN_DIR) / "ordo-capture";
    if (!fs::exists(program) || !findProgram({"clang-22"})) GTEST_SKIP() << "needs ordo-capture and clang-22";
    fs::create_symlink(program, dir_.path() / "cc");
  }

  ProcessResult compile(std::vector<std::string> words) {
    words.insert(words.begin(), (dir_.path() / "cc").string());
    ProcessOptions options;
    options.dir = root_;
    options.environment = {"PATH=/usr/bin:/bin", fmt::format("{}={}", kRootVariable, root_.string()),
                           fmt::format("{}={}", kOutVariable, spool_.string())};
    return *runProcess(words, options);
  }

  // The only record, and whether there is bitcode for it.
  Record record(bool* has_bitcode = nullptr) {
    for (const auto& entry : fs::directory_iterator(spool_)) {
      if (entry.path().extension() != ".json") continue;
      if (has_bitcode != nullptr) *has_bitcode = fs::exists(fs::path(entry.path()).replace_extension(".bc"));
      return *readRecord(*readFile(entry.path()), "record");
    }
    ADD_FAILURE() << "no record";
    return {};
  }

  TempDir dir_ = *TempDir::create();
  fs::path root_ = fs::canonical(dir_.path()) / "root";
  fs::path spool_ = fs::canonical(dir_.path()) / "spool";
};

TEST(CaptureRecord, IsReadAsItWasWritten) {
  const Record record{"a b.c", "a b.o", "c", {"-DX=\"y\"", "-I."}, "why"};
  const auto read = readRecord(writeRecord(record), "r");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->source, record.source);
  EXPECT_EQ(read->flags, record.flags);
  EXPECT_EQ(read->error, record.error);
  EXPECT_FALSE(readRecord("{}", "r"));
  EXPECT_FALSE(readRecord("nonsense", "r"));
}

TEST(InspectObject, BrokenObjectsHaveNothing) {
  for (const std::string text : {"", "abc",
                                 "\x7f"
                                 "ELF"})
    EXPECT_FALSE(inspectObject(text, "x").has_function);
  std::string header(64, '\xff');
  header.replace(0, 5,
                 "\x7f"
                 "ELF\x02");
  EXPECT_FALSE(inspectObject(header, "x").has_function);
}

TEST_F(CaptureTest, MakesTheObjectAndItsBitcode) {
  ASSERT_TRUE(writeFile(root_ / "src" / "a.c", "int f(int x) { return x + X; }"));
  const ProcessResult result = compile({"-DX=2", "-c", "src/a.c", "-o", "src/a.o"});
  EXPECT_TRUE(result.ok()) << result.err;
  EXPECT_TRUE(fs::exists(root_ / "src" / "a.o"));
  bool has_bitcode = false;
  const Record made = record(&has_bitcode);
  EXPECT_TRUE(has_bitcode);
  EXPECT_EQ(made.source, "src/a.c");
  EXPECT_EQ(made.object, "src/a.o");
  EXPECT_THAT(made.flags, testing::ElementsAre("-DX=2"));
  EXPECT_EQ(made.error, "");
}

TEST_F(CaptureTest, WithoutAFunctionThereIsNoBitcode) {
  ASSERT_TRUE(writeFile(root_ / "table.c", "const int table[3] = {1, 2, 3};"));
  EXPECT_TRUE(compile({"-c", "table.c"}).ok());
  bool has_bitcode = true;
  EXPECT_EQ(record(&has_bitcode).error, "has no function with a body");
  EXPECT_FALSE(has_bitcode);
}

TEST_F(CaptureTest, WhatNamesTheFolderItWasBuiltInIsNotKept) {
  ASSERT_TRUE(writeFile(root_ / "a.c", "const char *f(void) { return DIR; }"));
  EXPECT_TRUE(compile({fmt::format("-DDIR=\"{}\"", root_.string()), "-c", "a.c"}).ok());
  EXPECT_EQ(record().error, "holds the name of the folder it was built in");
}

TEST_F(CaptureTest, AFileThatDoesNotCompileFailsAsItWouldAndIsRecorded) {
  ASSERT_TRUE(writeFile(root_ / "a.c", "int f( {"));
  EXPECT_EQ(compile({"-c", "a.c"}).exit_code, 1);
  EXPECT_EQ(record().error, "does not compile to bitcode");
}

TEST_F(CaptureTest, CompilingAndLinkingAtOnceGivesProgramAndBitcode) {
  ASSERT_TRUE(writeFile(root_ / "main.c", "int main(void) { return 0; }"));
  const ProcessResult result = compile({"main.c", "-o", "program"});
  EXPECT_TRUE(result.ok()) << result.err;
  EXPECT_TRUE(fs::exists(root_ / "program"));
  EXPECT_EQ(record().source, "main.c");
}

}  // namespace
}  // namespace ordo::capture
