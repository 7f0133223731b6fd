import { expect, test } from "vitest";
import { picturesOf, type Stage } from "./train";

const stage = (...names: string[]): Stage => ({
  name: "practise",
  step: "batch",
  count: 0,
  steps: [],
  curves: names.map((name) => ({ name, values: [] })),
});

test("curves that belong together are one picture, and come first; none is left out", () => {
  expect(picturesOf(stage("entropy", "judged", "kl", "loss", "mean_gain"))).toEqual([
    ["mean_gain", "judged"],
    ["loss"],
    ["entropy"],
    ["kl"],
  ]);
  expect(picturesOf(stage())).toEqual([]);
});
