#include "llvm/ir/text_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/process.h"

namespace ordo::ir {
namespace {

using testing::ElementsAre;
using testing::Pair;

TextPieces code(std::uint64_t size, std::uint64_t align = 1) {
  TextPieces pieces;
  pieces.pieces.push_back({".text", size, align});
  return pieces;
}

TEST(TextLayoutTest, PadsToTheAlignmentOfEachPieceInItsSection) {
  TextLayout layout;
  EXPECT_EQ(layout.sizes().text, 0u);
  layout.add(code(5, 16));
  layout.add(code(3, 16));
  EXPECT_EQ(layout.end(".text"), 19u);
  TextPieces table;
  table.pieces.push_back({".rodata", 7, 4});
  layout.add(table);
  EXPECT_EQ(layout.sizes().text, 26u);
  EXPECT_EQ(layout.end(".rodata.cst16"), 0u);
}

TEST(TextLayoutTest, AnEmptyPieceNeedsNoPadding) {
  TextLayout layout;
  layout.add(code(5));
  layout.add(code(0, 16));
  EXPECT_EQ(layout.sizes().text, 5u);
}

TEST(TextLayoutTest, WhatIsSharedCountsOnce) {
  TextPieces pieces;
  pieces.common = {{"cie", 24}};
  pieces.unwind = 20;
  TextLayout layout;
  layout.add(pieces);
  EXPECT_EQ(layout.sizes().text, 48u) << "padded to 8 at the end";
  layout.add(pieces);
  EXPECT_EQ(layout.sizes().text, 64u);
  pieces.common = {{"cie with a personality", 32}};
  layout.add(pieces);
  EXPECT_EQ(layout.sizes().text, 24u + 32 + 60 + 4);
}

TEST(TextLayoutTest, FindsJumpsThatMayBeShortInTheObject) {
  TextPieces target = code(40);
  target.local_functions.push_back({".text", 0, "target"});
  TextPieces source = code(50);
  source.jumps.push_back({".text", 46, "target"});
  TextLayout near;
  near.add(target);
  near.add(source);
  EXPECT_EQ(near.nearJump(), std::make_optional(std::pair<std::size_t, std::size_t>(0, 1)));

  TextLayout far;
  far.add(target);
  far.add(code(500));
  far.add(source);
  EXPECT_FALSE(far.nearJump());

  TextLayout back;
  back.add(source);
  back.add(code(10));
  back.add(target);
  EXPECT_EQ(back.nearJump(), std::make_optional(std::pair<std::size_t, std::size_t>(0, 2)));
}

TEST(TextLayoutTest, AFillerIsTakenFromReadOnlyDataAlone) {
  TextPieces pieces = code(9);
  pieces.pieces.push_back({".rodata", 30, 16});
  pieces.dropFiller(0);
  EXPECT_EQ(pieces.pieces[1].align, 16u);
  pieces.dropFiller(10);
  EXPECT_EQ(pieces.pieces[0].size, 9u);
  EXPECT_EQ(pieces.pieces[1].size, 20u);
  EXPECT_EQ(pieces.pieces[1].align, 1u);
}

std::string assemble(std::string_view text) {
  const auto result = runProcess({"clang-22", "-x", "assembler", "-c", "-", "-o", "-"},
                                 {.input = std::string(text), .dir = {}});
  EXPECT_TRUE(result->ok()) << result->err;
  return result->out;
}

TEST(TextPiecesTest, ReadsSectionsJumpsAndUnwindInformation) {
  const Result<TextPieces> pieces = textPieces(assemble(R"(
  .type f,@function
f:
  .cfi_startproc
  pushq %rax
  .cfi_def_cfa_offset 16
  call other
  je elsewhere
  popq %rcx
  .cfi_def_cfa_offset 8
  jmp elsewhere
  .cfi_endproc
  .section .rodata
  .p2align 3
  .zero 12
  .data
  .zero 100
)"),
                                               1);
  ASSERT_TRUE(pieces) << pieces.error().message;
  ASSERT_EQ(pieces->pieces.size(), 2u);
  EXPECT_EQ(pieces->pieces[0].section, ".text");
  EXPECT_EQ(pieces->pieces[0].size, 18u);
  EXPECT_EQ(pieces->pieces[0].align, 1u);
  EXPECT_EQ(pieces->pieces[1].section, ".rodata");
  EXPECT_EQ(pieces->pieces[1].align, 8u);
  ASSERT_EQ(pieces->jumps.size(), 2u) << "a call is none";
  EXPECT_EQ(pieces->jumps[0].offset, 8u);
  EXPECT_EQ(pieces->jumps[1].symbol, "elsewhere");
  ASSERT_EQ(pieces->local_functions.size(), 1u);
  EXPECT_EQ(pieces->local_functions[0].symbol, "f");
  EXPECT_THAT(pieces->common, ElementsAre(Pair(testing::_, 24u)));
  EXPECT_EQ(pieces->unwind, 24u);
}

TEST(TextPiecesTest, RefusesWhatIsNoObjectOfThisKind) {
  EXPECT_EQ(textPieces("not an object").error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(textPieces({}).error().code, ErrorCode::kCorrupt);
  const std::string object = assemble("nop");
  EXPECT_FALSE(textPieces(object.substr(0, object.size() / 2)));
}

}  // namespace
}  // namespace ordo::ir
