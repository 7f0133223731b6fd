// What is as large as it gets: a module of 50,000 instructions, a study of 100,000 runs, a search of 10,000
// sequences; a tenth of that without ORDO_FULL. How long frames are and what it takes is printed (docs/web.md has the figures); what is asserted depends on
// no clock: how many elements there are, and how long answers are.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { openBrowser, openPage, Server } from "./harness";

const kShare = process.env.ORDO_FULL ? 1 : 0.1;
const kMostElements = 6000;
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

const debuggers = new WeakMap<Page, CDPSession>();

/** Processor seconds of the page's main thread until now. */
async function busy(page: Page): Promise<number> {
  let debug = debuggers.get(page);
  if (!debug) {
    debug = await page.context().newCDPSession(page);
    await debug.send("Performance.enable", { timeDomain: "threadTicks" });
    debuggers.set(page, debug);
  }
  const { metrics } = await debug.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")!.value;
}

/** Frames while an element, or the page, is scrolled and back, a screen a frame: how long each took. */
async function scroll(
  page: Page,
  element: string,
  steps = 60,
): Promise<{ frames: number[]; busy_ms: number }> {
  const before = await busy(page);
  const frames = await page
    .locator(element)
    .first()
    .evaluate(async (box, steps) => {
      if (box !== document.documentElement && box.scrollHeight <= box.clientHeight)
        throw new Error(`${box.className} has nothing to scroll`);
      const frames: number[] = [];
      let before = await new Promise<number>(requestAnimationFrame);
      for (let i = 1; i <= 2 * steps; i++) {
        box.scrollTop =
          (i <= steps ? i : 2 * steps - i) * Math.min(box.clientHeight, box.scrollHeight / steps);
        const now = await new Promise<number>(requestAnimationFrame);
        frames.push(now - before);
        before = now;
      }
      return frames;
    }, steps);
  return { frames, busy_ms: (1000 * ((await busy(page)) - before)) / frames.length };
}

/** Frames are late where others use the machine as well; what the page itself takes for one is told beside. */
function figures({ frames, busy_ms }: { frames: number[]; busy_ms: number }): string {
  const sorted = [...frames].sort((a, b) => b - a);
  const late = frames.filter((frame) => frame > 50).length;
  return (
    `longest frame ${sorted[0]!.toFixed(0)} ms, median ${sorted[Math.floor(sorted.length / 2)]!.toFixed(0)} ms, ` +
    `${late} of ${frames.length} over 50 ms, ${busy_ms.toFixed(1)} ms of processor each`
  );
}

/** Resident memory in MiB of the page, the largest of those that render, and of a process. */
function memory(of: number): string {
  const resident = (pid: string) => {
    try {
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  };
  const renders = readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer");
    } catch {
      return false;
    }
  });
  return `page ${Math.max(...renders.map(resident)).toFixed(0)} MiB, server ${resident(String(of)).toFixed(0)} MiB`;
}

const took = async (work: () => Promise<unknown>): Promise<string> => {
  const began = performance.now();
  await work();
  return `${((performance.now() - began) / 1000).toFixed(2)} s`;
};

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
  expect(Number((await page.locator(".figure").innerText()).replaceAll(/\D/g, ""))).toBeGreaterThan(
    50000 * kShare,
  );
  await page.locator(".cm-content").first().waitFor();
  const plain = await scroll(page, ".diff");
  await page.getByPlaceholder(/^Filter/).fill("sroa");
  const applied = await took(async () => {
    await page.locator("button.choice").first().click();
    await page.locator(".passes .value").nth(1).waitFor();
  });
  const compared = await took(() => page.getByText(/sroa.* changed \d+ of/).waitFor());
  const shown = await took(() =>
    page.locator(".cm-mergeView, .cm-deletedChunk, .cm-changedLine").first().waitFor(),
  );
  const merged = await scroll(page, ".diff");
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
  console.log(
    `module: first state ${opened}, pass to seen ${applied}, what it changed ${compared}, its difference ${shown}; ` +
      `scrolling code: ${figures(plain)}; a difference: ${figures(merged)}; ${memory(server.process.pid!)}; ` +
      `longest answer ${(bytes() / 1e6).toFixed(2)} MB`,
  );
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
  console.log(
    `study: server ${started}, first figures ${opened}, a suite picked ${picked}; scrolling programs: ${figures(list)}; ` +
      `the page: ${figures(all)}; ${memory(server.process.pid!)}; longest answer ${(bytes() / 1e6).toFixed(2)} MB`,
  );
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
  const live: { frames: number[]; busy_ms: number }[] = [];
  while ((await page.getByRole("button", { name: "Stop" }).count()) > 0)
    live.push(await scroll(page, "html", 20));
  // It ends before its budget where it finds nothing that is new.
  const compiles = /^([\d ]+) compiles/.exec(await page.locator(".search [role=status]").innerText())![1]!;
  expect(Number(compiles.replaceAll(" ", ""))).toBeGreaterThan(5000 * kShare);
  await page.getByRole("button", { name: /^Look at the best/ }).waitFor();
  const after = await scroll(page, "html");
  expect(await elements(page)).toBeLessThan(kMostElements);
  console.log(
    `search of ${compiles} sequences: scrolling while it goes on: ${figures({ frames: live.flatMap(({ frames }) => frames), busy_ms: Math.max(...live.map(({ busy_ms }) => busy_ms)) })}; after it: ${figures(after)}; ${memory(server.process.pid!)}`,
  );
  expect(problems).toEqual([]);
  await page.context().close();
  await server.end();
});
