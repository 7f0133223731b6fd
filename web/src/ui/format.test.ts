import { expect, test } from "vitest";
import { chance, difference, number, percent, plural, share } from "./format";

test("figures are written with their signs", () => {
  expect(number(1234567)).toBe("1 234 567");
  expect(difference(-1200)).toBe("−1 200");
  expect(difference(3)).toBe("+3");
  expect(difference(0)).toBe("±0");
  expect(share(-0.04567)).toBe("−4.57 %");
  expect(share(0.000001)).toBe("0.00 %");
  expect(share(1.378)).toBe("+138 %");
  expect(percent(90, 100)).toBe("−10.0 %");
  expect(percent(1, 0)).toBe("—");
  expect(chance(0.4567)).toBe("46 %");
  expect(chance(0.00123)).toBe("0.12 %");
  expect(plural(1, "pass", "passes")).toBe("1 pass");
  expect(plural(2, "pass", "passes")).toBe("2 passes");
});
