import { expect, test } from "vitest";
import { treeOf } from "./tree";

test("sequences share their beginnings, and each branch knows the best beyond it", () => {
  const tree = treeOf([
    { actions: ["a", "b"], value: 5 },
    { actions: ["a", "c", "b"], value: 3 },
    { actions: ["a"], value: 9 },
  ]);
  expect(tree.map(({ pass }) => pass)).toEqual(["", "a", "b", "c", "b"]);
  expect(tree.map(({ best }) => best)).toEqual([3, 3, 5, 3, 3]);
  expect(tree.map(({ value }) => value)).toEqual([null, 9, 5, null, 3]);
  expect(tree.map(({ targets }) => targets)).toEqual([["1"], ["2", "3"], [], ["4"], []]);
  expect(tree[4]!.actions).toEqual(["a", "c", "b"]);
});

test("of nothing there is nothing, and the empty sequence is the start", () => {
  expect(treeOf([])).toEqual([]);
  expect(treeOf([{ actions: [], value: 1 }])).toHaveLength(1);
});
