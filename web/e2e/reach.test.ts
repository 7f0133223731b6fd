// How long people wait: measured and printed (docs/web.md has the figures), and no verdict.
// `./ordo bench web` measures these alone, on a machine that does nothing else if it can be had.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, openPage, Server } from "./harness";
import { busy, keep, took } from "./measure";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const median = (values: number[]) =>
  Math.round([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!);

const kPasses = ["sroa", "early-cse<memssa>", "gvn-hoist", "indvars", "dse", "gvn", "simplifycfg"];

/** Milliseconds from a click on a choice until its state is painted, and how much of a processor the page took. */
async function click(page: Page, name: string): Promise<{ seen: number; work: number }> {
  await page.getByPlaceholder(/^Filter/).fill(name);
  const choice = page.locator("button.choice", { has: page.getByText(name, { exact: true }) }).first();
  await choice.waitFor();
  const before = await busy(page);
  const seen = await choice.evaluate(async (button: HTMLElement) => {
    const shown = () => document.querySelectorAll(".passes .value").length;
    const rows = shown() + 1;
    const began = performance.now();
    button.click();
    // The frame after the one in which it is there begins when that is painted.
    do await new Promise(requestAnimationFrame);
    while (shown() < rows);
    await new Promise(requestAnimationFrame);
    return performance.now() - began;
  });
  return { seen, work: 1000 * ((await busy(page)) - before) };
}

test("the first state is there, and a pass is applied", async () => {
  // The other does the same without a page: what the engine takes.
  const [server, other] = await Promise.all([Server.start("suite/sha256"), Server.start("suite/sha256")]);
  const { page, problems } = await openPage(browser, server.url);
  await page.locator(".passes .value").first().waitFor();
  const paints: number[] = [];
  for (let i = 0; i < 5; i++)
    paints.push(
      await took(async () => {
        await page.goto(`${server.origin}/?${i}`);
        await page.locator(".passes .value").first().waitFor();
      }),
    );
  await other.ask("program/states", { actions: [] });
  const steps: { seen: number; work: number; engine: number }[] = [];
  for (const [i, name] of kPasses.entries()) {
    await page.locator(".cm-editor").first().waitFor();
    // What went before is done: its code is shown.
    await page.waitForLoadState("networkidle");
    const actions = kPasses.slice(0, i + 1);
    const engine = await took(async () => (await other.ask("program/states", { actions })).json());
    steps.push({ ...(await click(page, name)), engine });
  }
  keep("reach", {
    first_ms: median(paints),
    seen_ms: median(steps.map(({ seen }) => seen)),
    engine_ms: median(steps.map(({ engine }) => engine)),
    beyond_ms: median(steps.map(({ seen, engine }) => seen - engine)),
    page_ms: median(steps.map(({ work }) => work)),
  });
  expect(await page.locator(".passes .value").count()).toBe(kPasses.length + 1);
  expect(problems).toEqual([]);
  await Promise.all([server.end(), other.end()]);
});
