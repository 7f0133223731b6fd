import { Graphviz } from "@hpcc-js/wasm-graphviz";
import { expect, test } from "vitest";
import { blocksOf, dotOf, parsePlain } from "./cfg";

const kLoop = `; Function Attrs: nounwind
define i32 @f(i32 %0) #0 {
  br label %2

2:                                                ; preds = %5, %1
  %3 = phi i32 [ 0, %1 ], [ %6, %5 ]
  switch i32 %3, label %5 [
    i32 0, label %"a b"
    i32 1, label %5
  ]

"a b":
  ret i32 %3

5:
  %6 = add i32 %3, 1
  br i1 true, label %2, label %"a b", !llvm.loop !5
}
`;

test("blocks are read with their instructions and where they go on", () => {
  const blocks = blocksOf(kLoop);
  expect(blocks.map(({ name }) => name)).toEqual(["entry", "2", '"a b"', "5"]);
  expect(blocks.map(({ targets }) => targets)).toEqual([["2"], ["5", '"a b"'], [], ["2", '"a b"']]);
  expect(blocks[0]!.lines).toEqual(["br label %2"]);
});

test("a named entry keeps its name, and what is no function has no blocks", () => {
  expect(blocksOf("define void @g() {\nbegin:\n  ret void\n}").map(({ name }) => name)).toEqual(["begin"]);
  expect(blocksOf("declare void @h()\n")).toEqual([]);
  expect(blocksOf("")).toEqual([]);
});

test("Graphviz lays out every block and every edge", async () => {
  const blocks = blocksOf(kLoop);
  const layout = parsePlain((await Graphviz.load()).layout(dotOf(blocks), "plain", "dot"));
  expect(layout.nodes.map(({ block }) => block).sort()).toEqual([0, 1, 2, 3]);
  expect(layout.edges.length).toBe(5);
  for (const node of layout.nodes) {
    expect(node.x).toBeGreaterThan(0);
    expect(node.y).toBeLessThan(layout.height);
  }
  const y = (block: number) => layout.nodes.find((node) => node.block === block)!.y;
  expect(y(0)).toBeLessThan(y(1));
});
