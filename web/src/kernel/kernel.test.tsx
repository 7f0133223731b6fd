import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { triedOf } from "./candidates";
import { duration } from "./duration";
import { holder, place, size, Tiles, type Level } from "./tiles";

test("nanoseconds are said with three digits", () => {
  expect(duration(1_254_321)).toBe("1.25 ms");
  expect(duration(12_345)).toBe("12.3 µs");
  expect(duration(987_654_321)).toBe("988 ms");
});

const caches = [
  { name: "L1d", bytes: 32768 },
  { name: "L2", bytes: 524288 },
];

test("a tile is held by the smallest cache that it fits into", () => {
  expect(size(49152)).toBe("48 KiB");
  expect(holder(32768, caches)).toBe("L1d");
  expect(holder(32769, caches)).toBe("L2");
  expect(holder(1e9, caches)).toBe("none");
  expect(holder(1, [])).toBe("not known");
  expect(place(64, 1024)).toBe(0);
  expect(place(1024, 1024)).toBe(100);
  expect(place(256, 1024)).toBe(50);
});

test("each level says what it computes, touches, and which cache holds it", () => {
  const levels: Level[] = [
    { loop: null, turns: 1, step: false, tile: [512, 512], bytes: [1048576, 1048576] },
    { loop: 1, turns: 8, step: true, tile: [512, 64], bytes: [16384, 8192] },
  ];
  render(
    <Tiles
      caches={caches}
      operations={[
        { operation: "linalg.fill", extents: [4], levels: [levels[0]!] },
        { operation: "linalg.matmul", extents: [512, 512], levels },
      ]}
    />,
  );
  const rows = within(screen.getByRole("table")).getAllByRole("row");
  expect(rows).toHaveLength(3);
  expect(rows[1]!.textContent).toContain("2 MiBnone");
  expect(rows[2]!.textContent).toContain("1, 8 turns by a step512 × 6424 KiBL1d");
});

test("what could not be measured is told apart from what was", () => {
  const one = { seconds: 1, problem: "", steps: [] };
  const { measured, failed, best } = triedOf([
    { ...one, number: 1, time_ns: 9 },
    { ...one, number: 2, time_ns: null, problem: "it does not lower" },
    { ...one, number: 3, time_ns: 12 },
    { ...one, number: 4, time_ns: 5 },
  ]);
  expect(measured.map((candidate) => candidate.number)).toEqual([1, 3, 4]);
  expect(failed).toHaveLength(1);
  expect(best).toEqual([9, 9, 5]);
});
