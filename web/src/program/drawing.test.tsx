import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Drawing } from "./drawing";

afterEach(cleanup);

test("the node that is chosen is in sight, however wide the graph is", () => {
  const node = (block: number, x: number, y: number) => ({ block, x, y, width: 90, height: 30 });
  const layout = { width: 3000, height: 200, nodes: [node(0, 1500, 20), node(1, 40, 180)], edges: [] };
  const nodes = ["entry", "exit"].map((name) => ({ name, note: "" }));
  render(<Drawing label="Graph" nodes={nodes} layout={layout} at={0} look={() => undefined} />);
  expect(screen.getByRole("group").scrollLeft).toBe(1500);
  expect(screen.getByRole("button", { name: /entry/ }).getAttribute("aria-pressed")).toBe("true");
});
