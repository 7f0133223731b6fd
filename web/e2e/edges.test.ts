// Long names, names that are markup, and as little data as there can be.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, openPage, overflow, Server, shoot, violations } from "./harness";

const kMarkup = "<img src=x onerror=alert(1)>";
const kLong = `a_very_long_name_${"x".repeat(300)}`;

let server: Server;
let browser: Browser;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ordo-web-"));
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const program = `int ${kLong}(int x) { return x * 3; }
int marked(int x) __asm__("${kMarkup}");
int marked(int x) { return x ? ${kLong}(x) : 7; }
int nothing(void);
int main(void) { return marked(1) + nothing(); }`;
  const none = {
    replies: 0,
    calls: 0,
    failed_calls: 0,
    thinking_s: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
  };
  const said = { model: kLong, program: kMarkup, objective: kLong, end: "", why: kMarkup, messages: [] };
  const talk = { ...said, ...none, temperature: 0, seed: 1 };
  const trial = [
    {
      baseline: kLong,
      candidate: kMarkup,
      verdict: "no difference shown",
      why: "",
      identical: true,
      quantity: "cpu",
      least_effect: 0.005,
      p: 1,
      voided: [],
    },
  ];
  [server, browser] = await Promise.all([
    Server.start(
      file(`${"n".repeat(120)}.c`, program),
      file("talk.json", JSON.stringify(talk)),
      file("trial.json", JSON.stringify(trial)),
    ),
    openBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await server?.end();
  rmSync(folder, { recursive: true });
});

for (const look of [{ width: 360, height: 740 }, { width: 1440 }]) {
  test(`they are shown as what they are, at ${look.width} px`, async () => {
    const { page, problems } = await openPage(browser, server.url, look);
    page.on("dialog", () => problems.push("the markup was run"));
    await page.locator(".cm-content").first().waitFor();
    expect(await page.getByLabel("Function", { exact: true }).innerText()).toContain(kMarkup);
    await page.getByLabel("Function", { exact: true }).selectOption(kMarkup);
    await expect.poll(() => page.locator(".cm-content").first().innerText()).toContain(kMarkup);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await violations(page)).toEqual([]);
    await shoot(page, `edges-${look.width}`);
    for (const name of ["Agent", "Run time"]) {
      await page.getByRole("link", { name }).click();
      await page.getByText(kMarkup).first().waitFor();
      expect(await overflow(page), name).toBeLessThanOrEqual(0);
      expect(await violations(page), name).toEqual([]);
    }
    expect(await page.locator("img").count()).toBe(0);
    expect(problems).toEqual([]);
  });
}
