import { act, cleanup, render } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Curve, numbered } from "./curve";

const drawn = vi.hoisted(() => [] as unknown[]);
vi.mock("uplot", () => ({
  default: class {
    static paths = { stepped: () => null };
    constructor(_: unknown, data: unknown) {
      drawn.push(data);
    }
    setData() {}
    setSize() {}
    destroy() {}
  },
}));
afterEach(cleanup);

test("where the colours change what was last given is drawn again", () => {
  let change = () => {};
  vi.stubGlobal("matchMedia", () => ({
    addEventListener: (_: string, heard: () => void) => (change = heard),
    removeEventListener() {},
  }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  const curve = (x: number[]) => (
    <Curve label="best" x={x} lines={[{ name: "value", y: x }]} xLabel="compiles" yLabel="bytes" />
  );
  const { rerender } = render(curve([1]));
  expect(drawn).toEqual([[[1], [1]]]);
  rerender(curve([1, 2, 3]));
  act(() => change());
  expect(drawn.at(-1)).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
  vi.unstubAllGlobals();
});

test("a logarithmic axis has numbers also where it has one decade", () => {
  expect(numbered([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toEqual([
    1,
    2,
    null,
    null,
    5,
    null,
    null,
    null,
    null,
    10,
  ]);
  expect(numbered([1, 2, 10, 50, 100, 1000])).toEqual([1, null, 10, null, 100, 1000]);
});
