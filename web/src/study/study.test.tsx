import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Ranking } from "./ranking";
import { Scatter } from "./scatter";

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
