import { expect, test } from "vitest";
import { curveOf } from "./tune";

test("the best so far is held until now", () => {
  const curve: [number, number, number][] = [
    [1, 0.5, 9],
    [4, 0.75, 7],
  ];
  const tuning = { curve, compiles: 10, seconds: 2 };
  expect(curveOf(tuning, "compiles")).toEqual([
    [1, 4, 10],
    [9, 7, 7],
  ]);
  expect(curveOf(tuning, "seconds")[0]).toEqual([0.5, 0.75, 2]);
  expect(curveOf({ ...tuning, curve: [] }, "compiles")).toEqual([[], []]);
});
