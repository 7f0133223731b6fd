// The explorer and the page of `ordo report --html` look alike: the report's colours and type are those of style.css.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const style = readFileSync("src/style.css", "utf8").replace(/\s+/g, " ");
const report = readFileSync("../src/report/html.cpp", "utf8").split("@media print")[0]!;
const plots = readFileSync("../src/report/plot.cpp", "utf8");

test("each colour of a report is the explorer's of that name", () => {
  const colours = [...report.matchAll(/--[\w-]+: light-dark\([^)]*\);/g)].map(([colour]) => colour);
  expect(colours.length).toBeGreaterThan(10);
  for (const colour of colours) expect(style).toContain(colour);
  expect(report.replace(/--[\w-]+: light-dark\([^)]*\);/g, "")).not.toMatch(/#[0-9a-f]{3,6}\b/);
});

test("plots have no other colours, with what is light where they stand alone", () => {
  for (const [, name, light] of plots.matchAll(/var\((--[\w-]+),(#[0-9a-f]{6})\)/g)) {
    expect(style).toContain(`${name}: light-dark(${light}, `);
    expect(report).toContain(`${name}: `);
  }
});

test("type is the same", () => {
  const font = /font: 14px\/1\.5 ([^;]*);/;
  expect(font.exec(report)![1]!.replace(/\s+/g, " ")).toBe(font.exec(style)![1]!.trim());
});
