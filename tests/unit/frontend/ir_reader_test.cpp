#include "frontend/ir_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::frontend {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class IrReaderTest : public testing::Test {
 protected:
  Result<Compiled> read(const std::string& file, std::string_view content, Level level = Level::kOz) {
    EXPECT_TRUE(writeFile(dir_.path() / file, content));
    return readIr({file, "ir", {}, dir_.path()}, level);
  }

  std::string place(const std::string& file) const { return (dir_.path() / file).string(); }

  TempDir dir_ = *TempDir::create();
};

// Constant expressions that LLVM 16 had.
constexpr std::string_view kOld =
    "@a = global i8 0\n@chosen = global i64 or (i64 ptrtoint (ptr @a to i64), i64 1)\n";

TEST_F(IrReaderTest, TextOfAnotherVersionIsRefusedWithFileLineAndReason) {
  for (const Level level : {Level::kOz, Level::kO2}) {
    const auto read = this->read("old.ll", kOld, level);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(read.error().message,
                StartsWith(place("old.ll") + ":2:22: not valid LLVM 22 IR: or constexprs"));
    EXPECT_THAT(read.error().message, HasSubstr("llvm-as"));
  }
}

TEST_F(IrReaderTest, WhatTheVerifierSaysIsPassedOn) {
  const auto read = this->read("a.ll",
                               "define i32 @f(i32 %x) {\n  %a = add i32 %b, 1\n  %b = add i32 %x, 1\n"
                               "  ret i32 %a\n}\n");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(
      read.error().message,
      StartsWith(place("a.ll") + " is not valid LLVM 22 IR: Instruction does not dominate all uses!"));
  EXPECT_THAT(read.error().message, Not(HasSubstr("opt-22")));
}

TEST_F(IrReaderTest, BitcodeThatLlvmDoesNotReadIsRefusedWithItsReason) {
  const auto good = read("good.ll", "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n", Level::kO2);
  ASSERT_TRUE(good) << good.error().message;
  const auto cut = read("cut.bc", good->bytes.substr(0, good->bytes.size() / 2 / 4 * 4));
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(cut.error().message, StartsWith(place("cut.bc") + " is not valid LLVM 22 bitcode: "));
  EXPECT_THAT(cut.error().message, Not(HasSubstr("stdin")));
}

TEST_F(IrReaderTest, BitcodeIsKnownByItsFirstBytesWhateverItIsCalled) {
  const auto good = read("good.ll", "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n", Level::kO2);
  ASSERT_TRUE(good);
  const auto renamed = read("renamed.ll", good->bytes, Level::kO2);
  ASSERT_TRUE(renamed) << renamed.error().message;
  EXPECT_EQ(renamed->bytes, good->bytes);
}

// As an argument of a tool they would be an option, and a file of arguments.
TEST_F(IrReaderTest, NoNameIsTakenForAnOption) {
  for (const std::string name : {"-x.ll", "@x.ll"}) {
    const auto read = this->read(name, "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->commands.back().back(), "./" + name);
  }
}

TEST_F(IrReaderTest, IrForAnotherMachineThanClangCompilesForIsRefused) {
  const auto bytes =
      read("windows.ll", "target triple = \"x86_64-pc-windows-msvc\"\ndefine void @f() {\n  ret void\n}\n");
  ASSERT_TRUE(bytes) << bytes.error().message;
  const Source source{"windows.ll", "ir", {}, {}};
  const Status refused = checkIrTarget(source, bytes->bytes, "x86_64-pc-linux-gnu");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(refused.error().message, HasSubstr("windows.ll is for x86_64-pc-windows-msvc"));
  EXPECT_TRUE(checkIrTarget(source, bytes->bytes, "x86_64-pc-windows-msvc"));
  // A front end compiles source for that target in the first place.
  EXPECT_TRUE(checkIrTarget({"a.c", "c", {}, {}}, bytes->bytes, "x86_64-pc-linux-gnu"));
}

}  // namespace
}  // namespace ordo::frontend
