// What the first paint has to load is small; Graphviz in WebAssembly is loaded when somebody looks at a
// graph.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { keep } from "./measure";

test("the application is at most 600 kB, gzipped, without WebAssembly", () => {
  const assets = readdirSync("../data/web/assets").filter(
    (name) => !readFileSync(`../data/web/assets/${name}`, "utf8").includes("WebAssembly.instantiate"),
  );
  const sizes = assets.map((name) => gzipSync(readFileSync(`../data/web/assets/${name}`)).length);
  const gzipped = sizes.reduce((sum, size) => sum + size, 0);
  keep("size", { gzipped });
  expect(assets.length).toBeGreaterThan(1);
  expect(gzipped).toBeLessThan(600_000);
});

test("the page itself loads no WebAssembly", () => {
  const page = readFileSync("../data/web/index.html", "utf8");
  for (const [, name] of page.matchAll(/assets\/([^"]+)"/g))
    expect(readFileSync(`../data/web/assets/${name}`, "utf8")).not.toContain("WebAssembly.instantiate");
});
