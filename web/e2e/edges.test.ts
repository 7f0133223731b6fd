// Long names, names that are markup, and as little data as there can be: every view of documents and programs,
// narrow and wide, in both lights.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { expectFits, openBrowser, openPage, Server, shoot, type Look, violations } from "./harness";

const kMarkup = "<img src=x onerror=alert(1)>";
const kLong = `a_very_long_name_${"x".repeat(300)}`;
// Widths do not depend on lights: two of the four.
const kLooks: Look[] = [{ width: 360, height: 740, dark: true }, { width: 1440 }];

/** Does this to a copy of an SQLite file. */
function altered(from: string, to: string, ...statements: string[]): string {
  copyFileSync(from, to);
  const script =
    "import sqlite3, sys\nwith sqlite3.connect(sys.argv[1]) as d:\n  d.executescript(sys.argv[2])\nd.close()";
  execFileSync("python3", ["-c", script, to, statements.join(";\n")]);
  return to;
}

let full: Server; // of long names
let empty: Server; // of what has hardly begun
let browser: Browser;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ordo-web-"));
  const at = (name: string) => join(folder, name);
  const file = (name: string, content: string) => {
    writeFileSync(at(name), content);
    return at(name);
  };
  const program = `int ${kLong}(int x) { return x * 3; }
int marked(int x) __asm__("${kMarkup}");
int marked(int x) { return x ? ${kLong}(x) : 7; }
int nothing(void);
int main(void) { return marked(1) + nothing(); }`;
  const counts = {
    replies: 0,
    calls: 0,
    failed_calls: 0,
    thinking_s: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
  };
  const talk = {
    model: kLong,
    program: kMarkup,
    objective: kLong,
    end: "",
    why: kMarkup,
    messages: [] as object[],
  };
  const said = [
    { role: kMarkup, content: kLong },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ function: { name: kLong, arguments: `{"${kLong}":"${kMarkup}"}` } }],
    },
    { role: "tool", content: JSON.stringify({ [kLong]: kMarkup, value: 3 }) },
  ];
  const figures = { p: 1, quantity: "cpu", least_effect: 0.005, voided: [] };
  const trial = {
    baseline: kLong,
    candidate: kMarkup,
    verdict: "no difference shown",
    why: kLong,
    identical: true,
  };
  const remove = (table: string) => `DELETE FROM ${table}`;
  [full, empty, browser] = await Promise.all([
    Server.start(
      file(`${"n".repeat(120)}.c`, program),
      altered(
        inject("study"),
        at("long.sqlite"),
        `UPDATE program SET uri = '${kLong}' WHERE uri = 'suite/crc32'`,
        `UPDATE run SET method = '${kLong}' WHERE method = 'policy'`,
        `UPDATE run SET method = '${kMarkup}' WHERE method = 'random'`,
        `UPDATE program SET suite = '${kMarkup}' WHERE uri = 'suite/bwt'`,
        `UPDATE program SET suite = '${kLong}' WHERE uri = 'suite/sudoku'`,
      ),
      file("talk.json", JSON.stringify({ ...talk, ...counts, temperature: 0, seed: 1, messages: said })),
      file("trial.json", JSON.stringify([{ ...trial, ...figures }])),
    ),
    Server.start(
      file("none.c", "int none;"),
      altered(
        inject("study"),
        at("none.sqlite"),
        ...["improvement", "candidate_failure", "checkpoint_value", "checkpoint", "method_start"].map(remove),
        ...["run", "baseline", "program"].map(remove),
      ),
      file(
        "none.json",
        JSON.stringify({
          ...talk,
          ...counts,
          model: "",
          program: "",
          objective: "",
          why: "",
          temperature: 0,
          seed: 1,
        }),
      ),
    ),
    openBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([full?.end(), empty?.end()]);
  rmSync(folder, { recursive: true });
});

/** Each view of a server, once `there` is, and what is to be seen of it. */
async function each(server: Server, name: string, look: Look, views: [string, string][]): Promise<void> {
  const { page, problems } = await openPage(browser, server.url, look);
  page.on("dialog", () => problems.push("the markup was run"));
  for (const [view, there] of views) {
    await page.getByRole("link", { name: view, exact: true }).click();
    await page.locator(there).first().waitFor();
    await expectFits(page, view);
    expect(await violations(page), view).toEqual([]);
    expect(await page.locator("img").count()).toBe(0);
    const kind = view.toLowerCase().replace(" ", "-");
    await shoot(page, `edges-${name}-${kind}-${look.width}${look.dark ? "-dark" : ""}`);
  }
  expect(problems).toEqual([]);
  await page.context().close();
}

for (const look of kLooks) {
  const where = `at ${look.width} px${look.dark ? ", dark" : ""}`;
  test(`long names and markup are shown as what they are, ${where}`, () =>
    each(full, "long", look, [
      ["Program", ".cm-content"],
      ["Study", ".pairs .pair[style]"],
      ["Run time", ".verdict"],
      ["Agent", ".messages li"],
    ]));

  test(`where there is no data, that is said, ${where}`, () =>
    each(empty, "none", look, [
      ["Program", ".passes .value"],
      ["Study", ".notice"],
      ["Agent", ".heading"],
    ]));
}

test("a function whose name is markup can be picked", async () => {
  const { page, problems } = await openPage(browser, full.url);
  await page.getByLabel("Function", { exact: true }).selectOption(kMarkup);
  await expect.poll(() => page.locator(".cm-content").first().innerText()).toContain(kMarkup);
  expect(problems).toEqual([]);
});
