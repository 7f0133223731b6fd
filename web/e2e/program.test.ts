// The Program view as a person uses it.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { looking, looksRight, openPage, shoot, violations } from "./harness";

const both = looking(() => ["suite/sha256", "--objective", "ir_instructions"]);

const passes = (page: Page) => page.locator("button.pass");
const figure = (page: Page) => page.locator(".figure").innerText();

async function begin(look = {}) {
  const opened = await openPage(both.browser, both.server.url, look);
  await opened.page.locator(".passes .value").first().waitFor();
  return opened;
}

async function apply(page: Page, name: string) {
  const before = await passes(page).count();
  await page.getByPlaceholder(/^Filter/).fill(name);
  await page
    .locator("button.choice", { has: page.getByText(name, { exact: true }) })
    .first()
    .click();
  await expect.poll(() => passes(page).count()).toBe(before + 1);
  await expect.poll(() => page.locator(".passes .value").count()).toBe(before + 1);
}

test("a pass is applied, shown and taken back", async () => {
  const { page, problems } = await begin();
  const start = await figure(page);
  await apply(page, "sroa");
  expect(await figure(page)).not.toBe(start);
  expect(await passes(page).nth(1).innerText()).toContain("▼");
  await page.locator(".cm-mergeView, .cm-editor").first().waitFor();
  await page.getByText(/sroa changed \d+ of/).waitFor();
  await shoot(page, "program-light");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => passes(page).count()).toBe(1);
  await expect.poll(() => figure(page)).toBe(start);
  expect(problems).toEqual([]);
});

test("after a click the states are asked for, and the code when they are told", async () => {
  const { page } = await begin();
  await page.locator(".cm-editor").first().waitFor();
  const said: string[] = [];
  const name = (url: string) => url.replace(/.*program\//, "");
  page.on("request", (request) => said.push(`asked for ${name(request.url())}`));
  page.on("response", (response) => said.push(`told ${name(response.url())}`));
  await apply(page, "sroa");
  await page.getByText(/sroa changed \d+ of/).waitFor();
  expect(said.slice(0, 4)).toEqual([
    "asked for states",
    "told states",
    "asked for functions",
    "told functions",
  ]);
});

test("the address has no token, and leads to the same state", async () => {
  const { page } = await begin();
  await apply(page, "sroa");
  await apply(page, "early-cse<memssa>");
  const value = await figure(page);
  expect(page.url()).not.toContain(both.server.token);
  const hash = new URL(page.url()).hash;
  const other = await openPage(both.browser, `${both.server.url}&`, {});
  await other.page.locator(".passes .value").first().waitFor();
  await other.page.goto(`${both.server.origin}/${hash}`);
  await expect.poll(() => passes(other.page).count()).toBe(3);
  await expect.poll(() => figure(other.page)).toBe(value);
  await other.page.goBack();
  await expect.poll(() => passes(other.page).count()).toBe(1);
});

test("another choice in the middle is another branch, and the first can be come back to", async () => {
  const { page } = await begin();
  await apply(page, "sroa");
  await apply(page, "early-cse<memssa>");
  await passes(page).nth(1).click();
  await page.getByPlaceholder(/^Filter/).fill("gvn");
  await page.locator("button.choice").first().click();
  await expect.poll(() => page.locator(".branches button").count()).toBe(1);
  expect(await passes(page).nth(2).innerText()).toContain("gvn");
  await page.locator(".branches button").first().click();
  await expect.poll(() => passes(page).nth(2).innerText()).toContain("early-cse");
});

test("all actions are tried, the best comes first, and the policy says why", async () => {
  const { page } = await begin();
  await page.getByRole("button", { name: "Try all" }).click();
  await page.getByText(/\d+ of \d+ make it smaller/).waitFor({ timeout: 40000 });
  const first = await page.locator("button.choice").first().innerText();
  expect(first).toMatch(/▼ −/);
  await page.locator("button.odds").first().click();
  await page.locator(".reasons li").first().waitFor();
  await shoot(page, "program-tried");
});

test("assembly, features, control flow and stock commands are shown", async () => {
  const { page, problems } = await begin();
  await apply(page, "sroa");
  await page.getByLabel("As", { exact: true }).selectOption("asm");
  await expect.poll(() => page.locator(".cm-content").first().innerText()).toMatch(/push|ret|mov/);
  await shoot(page, "program-assembly");
  await page.getByLabel("As", { exact: true }).selectOption("both");
  await page.locator(".beside .cm-editor").nth(1).waitFor();
  await expect.poll(() => page.getByLabel(/^Assembly of /).innerText()).toMatch(/push|mov/);
  expect(await page.getByLabel(/^IR of /).innerText()).toContain("define");
  expect(await violations(page)).toEqual([]);
  await shoot(page, "program-beside");
  await page.getByRole("tab", { name: "Features" }).click();
  await page.locator("table.heat td").first().waitFor();
  expect(await page.locator("table.heat td.moved").count()).toBeGreaterThan(3);
  await shoot(page, "program-features");
  await page.getByRole("tab", { name: "Graph" }).click();
  await page.locator(".node").nth(3).click();
  expect(await page.locator(".node").nth(3).getAttribute("aria-pressed")).toBe("true");
  await page
    .locator("pre.block")
    .getByText(/br|ret|switch/)
    .waitFor();
  expect(await violations(page)).toEqual([]);
  await shoot(page, "program-graph");
  await page.getByLabel("Of", { exact: true }).selectOption("calls");
  await page.getByRole("group", { name: "Calls of the program" }).waitFor();
  await page.locator(".node", { hasText: "main" }).first().click();
  await page.getByText(/^Calls .*none of these calls it/).waitFor();
  expect(await violations(page)).toEqual([]);
  await shoot(page, "program-calls");
  await page.getByRole("button", { name: "Its control flow" }).click();
  await page.getByRole("group", { name: "Control flow of main" }).waitFor();
  await page.getByRole("tab", { name: "Reproduce" }).click();
  await page.getByText(/opt-22 .*-passes=/).waitFor();
  expect(problems).toEqual([]);
});

test("a search draws its curve while it goes on, and its best can be looked at", async () => {
  const { page, problems } = await begin();
  await page.getByRole("tab", { name: "Search" }).click();
  await page.getByLabel("Compiles", { exact: true }).fill("60");
  await page.getByRole("button", { name: "Search from here" }).click();
  await page.locator(".uplot canvas").waitFor();
  await page.getByRole("heading", { name: "Which passes pay" }).waitFor({ timeout: 40000 });
  await shoot(page, "program-search");
  const tree = page.getByRole("group", { name: /by their common beginnings/ });
  await tree.locator(".node").nth(1).click();
  await page.getByText(/The best from here is \d/).waitFor();
  await tree.scrollIntoViewIfNeeded();
  await shoot(page, "program-tree");
  await page.getByRole("button", { name: /Look at the best/ }).click();
  await expect.poll(() => page.locator(".passes .value").count()).toBeGreaterThan(1);
  await expect.poll(() => page.locator(".heading").innerText()).toMatch(/−\d/);
  expect(problems).toEqual([]);
});

test("a search that is stopped leaves the server free for another", async () => {
  const { page } = await begin();
  await page.getByRole("tab", { name: "Search" }).click();
  await page.getByLabel("Compiles", { exact: true }).fill("100000");
  await page.getByRole("button", { name: "Search from here" }).click();
  await page.locator(".uplot canvas").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await expect
    .poll(
      async () => {
        const answer = await both.server.ask("program/search", {
          actions: [],
          searcher: "random",
          compiles: 12,
        });
        return (await answer.text()).includes("event: done");
      },
      { timeout: 30000, interval: 500 },
    )
    .toBe(true);
});

test("arrows move along the passes, Delete takes the last back", async () => {
  const { page } = await begin();
  await apply(page, "sroa");
  await apply(page, "early-cse<memssa>");
  await passes(page).nth(2).focus();
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => passes(page).nth(1).getAttribute("aria-current")).toBe("step");
  await page.keyboard.press("Delete");
  await expect.poll(() => passes(page).count()).toBe(2);
});

test("nothing overflows and axe finds nothing, narrow and wide, light and dark", async () => {
  const { page } = await begin();
  await apply(page, "sroa");
  await page.locator(".cm-editor").first().waitFor();
  await looksRight(page, "program");
  await page.getByRole("tab", { name: "Features" }).click();
  await page.locator("table.heat td").first().waitFor();
  await looksRight(page, "program-features");
});
