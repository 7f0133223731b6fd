import { expect, test } from "vitest";
import { duration } from "./kernel";

test("nanoseconds are said with three digits", () => {
  expect(duration(1_254_321)).toBe("1.25 ms");
  expect(duration(12_345)).toBe("12.3 µs");
  expect(duration(987_654_321)).toBe("988 ms");
});
