import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Ranking } from "./ranking";
import { dotsOf, Scatter } from "./scatter";

afterEach(cleanup);

test("a method without an interval has a mean and no more", () => {
  const row = {
    method: "a method with a very long name",
    clamped: [{ mean: 0.04 }],
    own: [{ mean: -0.01 }],
    wins: 1,
    ties: 0,
    losses: 2,
  };
  render(
    <Ranking
      answer={{
        rows: [row],
        programs: 1,
        seeds: 1,
        left_out: 0,
        budgets: [10],
        over_compiles: [],
        over_seconds: [],
      }}
    />,
  );
  expect(screen.getByText("+4.00 %")).toBeTruthy();
  expect(screen.getByText("−1.00 %")).toBeTruthy();
  expect(screen.getByRole("img", { name: "+4.00 %" })).toBeTruthy();
});

test("a picture of no program is no error", () => {
  render(<Scatter pairs={[]} a="a" b="b" />);
  expect(screen.getByRole("img").getAttribute("aria-label")).toContain("0 programs");
});

test("a picture of many programs has few elements, and a dot for each place", () => {
  const pairs = Array.from({ length: 20000 }, (_, i) => ({
    program: `p${i}`,
    a: (i % 141) / 1000,
    b: Math.floor(i / 141) / 1000,
  }));
  const { container } = render(<Scatter pairs={pairs} a="a" b="b" />);
  expect(container.querySelectorAll("*").length).toBeLessThan(30);
  const dots = container.querySelector("path.dots")!.getAttribute("d")!;
  expect(dots.length).toBeGreaterThan(100_000);
});

test("dots in one place are one", () => {
  expect(
    dotsOf([
      [1.1, 2],
      [0.9, 2.1],
      [3, 4.5],
    ]),
  ).toBe("M1 2h0M3 4.5h0");
});
