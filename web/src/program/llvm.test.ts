import { expect, test } from "vitest";
import { tokensOf } from "./llvm";

test("IR is told apart", () => {
  expect(tokensOf('  %x1 = add nsw i32 %"a b", -3, !tbaa !4 ; more', "ir")).toEqual([
    ["%x1", "name"],
    ["add", "word"],
    ["nsw", "word"],
    ["i32", "type"],
    ['%"a b"', "name"],
    ["-3", "number"],
    ["!tbaa", "meta"],
    ["!4", "meta"],
    ["; more", "comment"],
  ]);
  expect(tokensOf("for.end7:", "ir")).toEqual([["for.end7:", "label"]]);
  expect(tokensOf('@s = constant [3 x i8] c"a\\22"', "ir").at(-1)).toEqual(['c"a\\22"', "string"]);
  expect(tokensOf("xi32", "ir")).toEqual([["xi32", "word"]]);
});

test("assembly is told apart", () => {
  expect(tokensOf("\tmovl\t$-0x1f, %eax  # it", "asm")).toEqual([
    ["movl", "word"],
    ["$-0x1f", "number"],
    ["%eax", "name"],
    ["# it", "comment"],
  ]);
  expect(tokensOf(".LBB0_1:", "asm")).toEqual([[".LBB0_1:", "label"]]);
  expect(tokensOf('\t.string "a # b"', "asm")[1]).toEqual(['"a # b"', "string"]);
});
