// The views Study, Run time and Agent, and a recipe, in one server.
import { expect, inject, test } from "vitest";
import { looking, looksRight, openPage, shoot } from "./harness";

const both = looking(() => [
  inject("study"),
  inject("trial"),
  inject("talk"),
  inject("recipe"),
  inject("loop"),
]);

test("a study ranks its methods, for the programs that are picked", async () => {
  const { page, problems } = await openPage(both.browser, both.server.url);
  await page.locator("table.ranking tbody tr").nth(1).waitFor();
  expect(await page.locator(".study").innerText()).toContain("3 programs");
  await expect.poll(() => page.locator("section.card").first().innerText()).toContain("3 programs, 2 seeds");
  await page.locator(".uplot canvas").waitFor();
  await shoot(page, "study-light");
  const sizes = page.getByRole("group", { name: /^Sizes/ }).getByRole("checkbox");
  await sizes.first().check();
  await expect
    .poll(() => page.locator("section.card").first().innerText())
    .not.toContain("3 programs, 2 seeds");
  await sizes.first().uncheck();
  await page.getByLabel("Objective", { exact: true }).selectOption("text_bytes");
  await page.getByText(/is better on \d+ of 3 programs/).waitFor();
  expect(await page.locator(".scatter circle").count()).toBe(3);
  expect(problems).toEqual([]);
});

test("the figures of a study are those of the engine's report", async () => {
  const answer = await both.server.ask("study/ranking", {
    objective: "ir_instructions",
    baseline: "clang-Oz",
    suites: [],
    sizes: [],
  });
  const { rows } = (await answer.json()) as { rows: { method: string; clamped: { mean: number }[] }[] };
  const { page } = await openPage(both.browser, both.server.url);
  const first = page.locator("table.ranking tbody tr").first();
  expect(await first.locator("th").innerText()).toBe(rows[0]!.method);
  const shown = (await first.locator("td").nth(1).innerText()).replace("−", "-").replace(" %", "");
  expect(Number(shown)).toBeCloseTo(100 * rows[0]!.clamped[1]!.mean, 0);
});

test("a trial says its verdict, why, and shows its blocks", async () => {
  const { page, problems } = await openPage(both.browser, both.server.url);
  await page.getByRole("link", { name: "Run time" }).click();
  await page.locator(".verdict").waitFor();
  expect(await page.locator(".trials").innerText()).toMatch(/interval|Void/i);
  await shoot(page, "trial-light");
  expect(problems).toEqual([]);
});

test("a recipe begins with its passes, says what each saves, and what was checked", async () => {
  const { page, problems } = await openPage(both.browser, both.server.url);
  await page.getByRole("link", { name: "Program" }).click();
  await page.locator(".passes .value").nth(1).waitFor();
  expect(await page.locator(".passes").innerText()).toContain("leaving it out costs");
  expect(await page.locator(".heading").innerText()).toMatch(/−\d/);
  await page.getByRole("tab", { name: "Reproduce" }).click();
  await page.getByText(/stock opt-22 makes the same IR/).waitFor();
  expect(problems).toEqual([]);
});

test("a dialogue shows calls, answers, costs and the curve", async () => {
  const { page, problems } = await openPage(both.browser, both.server.url);
  await page.getByRole("link", { name: "Agent" }).click();
  await page.getByText("suggest_actions").first().waitFor();
  await page.locator(".uplot canvas").waitFor();
  await shoot(page, "talk-light");
  expect(problems).toEqual([]);
});

test("a loop says its budget, what candidates are worth, and what came of each experiment", async () => {
  const { page, problems } = await openPage(both.browser, both.server.url);
  await page.getByRole("link", { name: "Loop" }).click();
  await page.getByText("fast in production").waitFor();
  const experiments = page.locator(".experiments button");
  expect(await experiments.count()).toBe(3);
  expect(await experiments.nth(0).innerText()).toContain("observe (goes on)");
  expect(await experiments.nth(1).innerText()).toContain("rolled back: harm");
  await page.getByText("barred: it did harm").waitFor();
  await experiments.nth(2).click();
  await page.getByRole("heading", { name: "fast against the first production" }).waitFor();
  await expect.poll(() => page.locator(".loop .uplot canvas").count()).toBe(4);
  await page.getByText("1 window is a gap").waitFor();
  await shoot(page, "loop-light");
  expect(problems).toEqual([]);
});

for (const [name, there] of [
  ["Study", "table.ranking td"],
  ["Run time", ".verdict"],
  ["Agent", ".messages li"],
  ["Loop", ".steps li"],
] as const) {
  test(`${name}: nothing overflows and axe finds nothing, narrow and wide, light and dark`, async () => {
    const { page } = await openPage(both.browser, both.server.url);
    await page.getByRole("link", { name }).click();
    await page.locator(there).first().waitFor();
    await looksRight(page, name.toLowerCase().replace(" ", "-"));
  });
}
