import { expect, test } from "vitest";
import { curveOf, type Tuning } from "./tune";

test("the best so far is held until now", () => {
  const best = [
    { compiles: 1, seconds: 0.5, value: 9, actions: [] },
    { compiles: 4, seconds: 0.75, value: 7, actions: ["a"] },
  ];
  const tuning = { best, compiles: 10, seconds: 2 } as unknown as Tuning;
  expect(curveOf(tuning, "compiles")).toEqual([
    [1, 4, 10],
    [9, 7, 7],
  ]);
  expect(curveOf(tuning, "seconds")[0]).toEqual([0.5, 0.75, 2]);
  expect(curveOf({ ...tuning, best: [] }, "compiles")).toEqual([[], []]);
});
