// How long people wait, printed; the limits are several times what was wanted, for machines that others use too.
// `npx vitest run --config e2e/vitest.config.ts reach` in web/ measures these alone.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, openPage, Server } from "./harness";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** The longest gap between frames, in milliseconds, while an element is scrolled from its start to its end. */
const worstFrame = (page: Page, element: string) =>
  page
    .locator(element)
    .first()
    .evaluate(async (box) => {
      let worst = 0;
      let before = await new Promise<number>(requestAnimationFrame);
      const steps = 60;
      for (let i = 1; i <= steps; i++) {
        box.scrollTop = ((box.scrollHeight - box.clientHeight) * i) / steps;
        const now = await new Promise<number>(requestAnimationFrame);
        worst = Math.max(worst, now - before);
        before = now;
      }
      return worst;
    });

test("the first state is there, a pass is applied, and what is long scrolls", async () => {
  const server = await Server.start("suite/sha256");
  const { page } = await openPage(browser, server.url);
  await page.locator(".passes .value").first().waitFor();
  const paints: number[] = [];
  for (let i = 0; i < 3; i++)
    paints.push(
      await timed(async () => {
        await page.goto(`${server.origin}/?${i}`);
        await page.locator(".passes .value").first().waitFor();
      }),
    );
  const seen: number[] = [];
  const passes: number[] = [];
  for (const [i, name] of ["sroa", "early-cse<memssa>", "gvn-hoist", "indvars", "dse"].entries()) {
    await page.getByPlaceholder(/^Filter/).fill(name);
    const choice = page.locator("button.choice", { has: page.getByText(name, { exact: true }) }).first();
    if ((await choice.count()) === 0) continue;
    const rows = (await page.locator(".passes .value").count()) + 1;
    seen.push(
      await timed(async () => {
        await choice.click();
        await page
          .locator(".passes .value")
          .nth(rows - 1)
          .waitFor();
      }),
    );
    // The same from another beginning, without a page: the pass, and the question.
    passes.push(
      await timed(() =>
        server.ask("program/states", { actions: [...Array<string>(i + 1).fill("mem2reg"), name] }),
      ),
    );
  }
  const frame = await worstFrame(page, ".choices");
  console.log(
    `first state ${median(paints).toFixed(0)} ms; a pass to seen ${median(seen).toFixed(0)} ms, of which the engine ` +
      `some ${median(passes).toFixed(0)} ms; longest frame while scrolling ${frame.toFixed(0)} ms`,
  );
  expect(seen.length).toBeGreaterThan(1);
  expect(median(paints)).toBeLessThan(5000);
  expect(median(seen)).toBeLessThan(3000);
  await server.end();
});
