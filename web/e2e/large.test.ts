// What is as large as it gets: a module of 50,000 instructions, a study of 100,000 runs, a search of 10,000
// sequences; a tenth of that without ORDO_FULL. How long frames are and what it takes is
// printed (docs/web.md has the figures); what is asserted depends on no clock: how many elements there are, and
// how long answers are.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { openBrowser, openPage, Server } from "./harness";
import { keep, kShare, memory, scroll, took, worstOf, type Scrolled } from "./measure";

const kMostElements = 6000;
// Pixels a frame: three notches of a wheel. Faster than anybody reads, and than most of what is scrolled.
const kFast = 300;
const kMostBytes = 4 << 20; // of an answer

let browser: Browser;
let folder: string;
const make = (...args: string[]) =>
  execFileSync("python3", ["e2e/large_samples.py", ...args, String(kShare)], { stdio: "pipe" });
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ordo-web-"));
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

const elements = (page: Page) => page.evaluate(() => document.querySelectorAll("*").length);

/** The longest answer that a page got. */
function longest(page: Page): () => number {
  let most = 0;
  page.on("response", (response) => {
    void response.body().then(
      (body) => (most = Math.max(most, response.url().includes("/api/") ? body.length : 0)),
      () => undefined,
    );
  });
  return () => most;
}

test("a large module", async () => {
  const file = join(folder, "large.c");
  make("module", file);
  const server = await Server.start(file, "--objective", "ir_instructions");
  const { page, problems } = await openPage(browser, server.url);
  const bytes = longest(page);
  const opened = await took(() => page.locator(".passes .value").first().waitFor());
  const instructions = Number((await page.locator(".figure").innerText()).replaceAll(/\D/g, ""));
  expect(instructions).toBeGreaterThan(50000 * kShare);
  await page.locator(".cm-content").first().waitFor();
  const plain = await scroll(page, ".diff", 60, kFast);
  const plain_screens = await scroll(page, ".diff");
  await page.getByPlaceholder(/^Filter/).fill("sroa");
  const applied = await took(async () => {
    await page.locator("button.choice").first().click();
    await page.locator(".passes .value").nth(1).waitFor();
  });
  const compared = await took(() => page.getByText(/sroa.* changed \d+ of/).waitFor());
  const shown = await took(() =>
    page.locator(".cm-mergeView, .cm-deletedChunk, .cm-changedLine").first().waitFor(),
  );
  const merged = await scroll(page, ".diff", 60, kFast);
  const merged_screens = await scroll(page, ".diff");
  expect(await elements(page)).toBeLessThan(kMostElements);
  await page.getByRole("tab", { name: "Graph" }).click();
  await page
    .getByText(/\d blocks?/)
    .first()
    .waitFor();
  await page.getByLabel("Of", { exact: true }).selectOption("calls");
  await page
    .getByText(/\d functions/)
    .first()
    .waitFor();
  expect(await elements(page)).toBeLessThan(kMostElements);
  await page.getByRole("tab", { name: "Code" }).click();
  await page.getByLabel("As", { exact: true }).selectOption("asm");
  await page.locator(".cm-content").first().waitFor();
  keep("module", {
    instructions,
    opened_ms: opened,
    applied_ms: applied,
    changes_ms: compared,
    difference_ms: shown,
    code: plain,
    code_screens: plain_screens,
    difference: merged,
    difference_screens: merged_screens,
    ...memory(server.process.pid!),
    longest_answer: bytes(),
  });
  expect(bytes()).toBeLessThan(kMostBytes);
  expect(problems).toEqual([]);
  await page.context().close();
  await server.end();
});

test("a large study", async () => {
  const file = join(folder, "large.sqlite");
  make("study", inject("study"), file);
  let server!: Server;
  const started = await took(async () => (server = await Server.start(file)));
  const { page, problems } = await openPage(browser, server.url);
  const bytes = longest(page);
  const opened = await took(() => page.locator("table.ranking tbody tr").first().waitFor());
  await page.locator(".pairs .pair[style]").first().waitFor();
  expect(await page.locator(".study").innerText()).toContain(`${kShare === 1 ? "100 000" : "10 000"} runs`);
  const list = await scroll(page, ".pairs .long");
  const all = await scroll(page, "html");
  const picked = await took(async () => {
    await page
      .getByRole("group", { name: /^Suites/ })
      .getByRole("checkbox")
      .first()
      .check();
    await page.getByText(/^(834|84) programs, 2 seeds/).waitFor();
  });
  expect(await elements(page)).toBeLessThan(kMostElements);
  keep("study", {
    runs: 100_000 * kShare,
    started_ms: started,
    opened_ms: opened,
    picked_ms: picked,
    programs: list,
    page: all,
    ...memory(server.process.pid!),
    longest_answer: bytes(),
  });
  expect(bytes()).toBeLessThan(kMostBytes);
  expect(problems).toEqual([]);
  await page.context().close();
  await server.end();
});

test("a long search", async () => {
  const file = join(folder, "small.c"); // of which many sequences are tried in a second
  writeFileSync(file, "int f(int x) { return x * 2 + x; }\nint main(void) { return f(7); }\n");
  const server = await Server.start(file, "--objective", "ir_instructions");
  const { page, problems } = await openPage(browser, server.url);
  await page.locator(".passes .value").first().waitFor();
  await page.getByRole("tab", { name: "Search" }).click();
  await page.getByLabel("Searcher", { exact: true }).selectOption("random");
  await page.getByLabel("Compiles", { exact: true }).fill(String(10000 * kShare));
  await page.getByRole("button", { name: "Search from here" }).click();
  await page.locator(".uplot canvas").waitFor();
  const live: Scrolled[] = [];
  while ((await page.getByRole("button", { name: "Stop" }).count()) > 0)
    live.push(await scroll(page, "html", 20));
  // It ends before its budget where it finds nothing that is new.
  const compiles = /^([\d ]+) compiles/.exec(await page.locator(".search [role=status]").innerText())![1]!;
  expect(Number(compiles.replaceAll(" ", ""))).toBeGreaterThan(5000 * kShare);
  await page.getByRole("button", { name: /^Look at the best/ }).waitFor();
  const after = await scroll(page, "html");
  expect(await elements(page)).toBeLessThan(kMostElements);
  keep("search", {
    sequences: Number(compiles.replaceAll(" ", "")),
    live: worstOf(live),
    after,
    ...memory(server.process.pid!),
  });
  expect(problems).toEqual([]);
  await page.context().close();
  await server.end();
});
