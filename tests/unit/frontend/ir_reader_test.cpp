#include "frontend/ir_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/ir_triple.h"
#include "support/files.h"

namespace ordo::frontend {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
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

constexpr std::string_view kMac =
    "target triple = \"x86_64-apple-macosx10.15.0\"\ndefine void @f() {\n  ret void\n}\n";

TEST_F(IrReaderTest, IrIsCompiledForItsOwnMachine) {
  const auto bytes = read("mac.ll", kMac);
  ASSERT_TRUE(bytes) << bytes.error().message;
  const auto flags = [&](std::vector<std::string> said, std::string language = "ir") {
    const Result<Source> source =
        forItsMachine({"mac.ll", std::move(language), std::move(said), {}}, bytes->bytes);
    EXPECT_TRUE(source) << source.error().message;
    return source ? source->flags : std::vector<std::string>{};
  };
  const std::string own = "--target=x86_64-apple-macosx10.15.0";
  EXPECT_THAT(flags({}), ElementsAre(own));
  EXPECT_THAT(flags({"-march=haswell"}), ElementsAre(own, "-march=haswell"));
  EXPECT_THAT(flags({own}), ElementsAre(own));
  // The same machine in other words.
  EXPECT_THAT(flags({"--target=x86_64-apple-darwin19"}), ElementsAre("--target=x86_64-apple-darwin19"));
  // A front end compiles source for the target in the first place.
  EXPECT_THAT(flags({}, "c"), IsEmpty());
}

TEST_F(IrReaderTest, FlagsThatOnlyThatMachineHasAreFine) {
  const auto bytes = read("m4.ll", "target triple = \"thumbv7em-unknown-none-eabi\"\n");
  ASSERT_TRUE(bytes) << bytes.error().message;
  const Result<Source> source = forItsMachine({"m4.ll", "ir", {"-mcpu=cortex-m4"}, {}}, bytes->bytes);
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_THAT(source->flags, ElementsAre("--target=thumbv7em-unknown-none-eabi", "-mcpu=cortex-m4"));
}

TEST_F(IrReaderTest, FlagsThatSayAnotherMachineAreRefused) {
  const auto bytes = read("mac.ll", kMac);
  ASSERT_TRUE(bytes) << bytes.error().message;
  for (const std::string flag : {"-m32", "--target=aarch64-linux-gnu", "--target=x86_64-pc-linux-gnu"}) {
    const Result<Source> refused = forItsMachine({"mac.ll", "ir", {flag}, {}}, bytes->bytes);
    ASSERT_FALSE(refused) << flag;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(refused.error().message, StartsWith("mac.ll is for x86_64-apple-macosx10.15.0")) << flag;
  }
}

TEST_F(IrReaderTest, IrThatNamesNoMachineIsForThatOfTheFlags) {
  EXPECT_TRUE(writeFile(dir_.path() / "any.ll", "define void @f() {\n  ret void\n}\n"));
  for (const Level level : {Level::kOz, Level::kO2}) {
    const auto read = readIr({"any.ll", "ir", {"--target=aarch64-linux-gnu"}, dir_.path()}, level);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(targetOf(read->bytes).triple, "aarch64-unknown-linux-gnu");
    EXPECT_THAT(read->commands.back(), Contains("-mtriple=aarch64-unknown-linux-gnu"));
  }
}

TEST_F(IrReaderTest, ALayoutThatSaysLessThanTodaysIsMadeWhole) {
  const std::string text =
      "target datalayout = \"e-i64:64-f80:128-n8:16:32:64-S128\"\n{}define void @f() {{\n  ret void\n}}\n";
  for (const std::string_view triple : {"", "target triple = \"x86_64-pc-linux-gnu\"\n"}) {
    const auto read = this->read("old.ll", fmt::format(fmt::runtime(text), triple), Level::kO2);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_THAT(targetOf(read->bytes).layout, StartsWith("e-m:e-"));
  }
  // Not one that says something else.
  const auto other = read(
      "other.ll", "target datalayout = \"E-i64:64\"\ntarget triple = \"x86_64-pc-linux-gnu\"\n", Level::kO2);
  ASSERT_TRUE(other) << other.error().message;
  EXPECT_EQ(targetOf(other->bytes).layout, "E-i64:64");
}

}  // namespace
}  // namespace ordo::frontend
