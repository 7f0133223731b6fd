// A tuning and a training that go on in another process, followed, and stopped from the page.
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { looksRight, openBrowser, openPage, Server, shoot, spawned, violations } from "./harness";
import { kOrdo } from "./ordo";

let browser: Browser;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ordo-web-"));
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

const exit = (child: ChildProcess): Promise<number | null> =>
  new Promise((ended) => (child.exitCode !== null ? ended(child.exitCode) : child.on("exit", ended)));

/** Presses Stop as a person does, who is asked whether that is meant. */
async function stop(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  expect(await violations(page)).toEqual([]);
  await shoot(page, "stop");
  await page.getByRole("button", { name: "Yes, stop it" }).click();
}

test("a tuning that goes on is followed, stopped from the page, and its result is kept", async () => {
  const journal = join(folder, "tune.jsonl");
  const output = join(folder, "x.o");
  writeFileSync(journal, "");
  const server = await Server.start(journal);
  const { page, problems } = await openPage(browser, server.url);
  await page.getByText("No program was begun yet").waitFor();
  expect(await page.getByRole("button", { name: "Stop" }).count()).toBe(0);
  const options = ["--budget", "10m", "--jobs", "1", "-q", "--journal", journal, "-o", output];
  const tuning = spawned(kOrdo, ["tune", "suite/sha256", ...options]);
  await page.getByText("It goes on").waitFor();
  await page.locator(".uplot canvas").waitFor();
  const before = await page.getByRole("status").innerText();
  await expect.poll(() => page.getByRole("status").innerText()).not.toBe(before);
  await stop(page);
  await page.getByText(/It comes to its end|It is done/).waitFor();
  // Asked again, it is not signalled again: that would end it without a result.
  expect([200, 422]).toContain((await server.ask("tune/stop", {})).status);
  expect(await exit(tuning)).toBe(130);
  await page.getByText("It is done").waitFor();
  expect(statSync(output).size, "the best so far was written").toBeGreaterThan(0);
  expect(existsSync(join(folder, "sha256.ordo.json")) || existsSync(join(folder, "x.ordo.json"))).toBe(true);
  await page.getByRole("group", { name: /by their common beginnings/ }).waitFor();
  await looksRight(page, "tuning");
  expect(problems).toEqual([]);
  expect((await server.ask("tune/stop", {})).status, "there is nothing to stop any more").toBe(422);
  await server.end();
});

test("a journal whose process was killed does not go on, and nobody else is stopped for it", async () => {
  const journal = join(folder, "killed.jsonl");
  const options = ["--budget", "10m", "--jobs", "1", "-q", "--journal", journal, "-o", join(folder, "y.o")];
  const tuning = spawned(kOrdo, ["tune", "suite/crc32", ...options]);
  await expect.poll(() => existsSync(journal) && statSync(journal).size).toBeGreaterThan(200);
  tuning.kill("SIGKILL");
  await exit(tuning);
  const server = await Server.start(journal);
  const { page } = await openPage(browser, server.url);
  await page.getByText("It was ended from outside").waitFor();
  expect(await page.getByRole("button", { name: "Stop" }).count()).toBe(0);
  expect((await server.ask("tune/stop", {})).status).toBe(422);
  // A file can say any number: this is ours, which has the file open for nothing.
  const stat = { pid: process.pid, started: 1 };
  writeFileSync(journal, `${JSON.stringify({ event: "writer", writer: stat })}\n`);
  expect((await server.ask("tune/stop", {})).status).toBe(422);
  await server.end();
});

test("a tuning that is done says which passes pay", async () => {
  const server = await Server.start(inject("journal"));
  const { page, problems } = await openPage(browser, server.url);
  await page.getByText("It is done").waitFor();
  // Both baselines: clang's, and the same level in the research convention.
  await page.getByText(/against clang-Oz \([\d ]+\)\s*, .* against bare-Oz \([\d ]+\)/).waitFor();
  await page.getByRole("heading", { name: "Which passes pay" }).waitFor();
  await page.getByRole("group", { name: /by their common beginnings/ }).waitFor();
  await looksRight(page, "tuning-done");
  expect(problems).toEqual([]);
  await server.end();
});

test("a training is shown by its stages", async () => {
  const server = await Server.start(inject("events"));
  const { page, problems } = await openPage(browser, server.url);
  await page.getByText(/It is done: Cloning, 30 epochs; Practice, 200 batches; what is kept/).waitFor();
  await expect.poll(() => page.locator(".uplot canvas").count()).toBe(2);
  await page.getByLabel("Show").first().selectOption("rollouts");
  await page.getByText("rollouts 102 400").waitFor();
  await looksRight(page, "training");
  expect(problems).toEqual([]);
  await server.end();
});

test.skipIf(!existsSync(join(dirname(kOrdo), "ordo-train")))(
  "a training that goes on is followed and stopped, where Ordo was built with libtorch",
  async () => {
    const [events, weights] = [join(folder, "events.jsonl"), join(folder, "w.safetensors")];
    const experience = join(folder, "experience.jsonl");
    const collect = [
      "suite/base64",
      "suite/crc32",
      "suite/wc",
      "--searchers",
      "random",
      "--budget",
      "20evals",
    ];
    expect(await exit(spawned(kOrdo, ["collect", ...collect, "-o", experience, "-q"]))).toBe(0);
    const small =
      "--hidden 16 --blocks 1 --judges 0 --more-programs 0 --programs 2 --group 4 --threads 1 --jobs 1";
    const training = spawned(kOrdo, [
      ...["train", "policy", experience, "--no-clone", "--rollouts", "100000", ...small.split(" ")],
      ...["--events", events, "-o", weights, "-q"],
    ]);
    await expect.poll(() => existsSync(events)).toBe(true);
    const server = await Server.start(events);
    const { page, problems } = await openPage(browser, server.url);
    await page.getByText(/It goes on: Practice/).waitFor();
    await page.locator(".uplot canvas").waitFor();
    await stop(page);
    expect(await exit(training)).toBe(130);
    await page.getByText(/It is done/).waitFor();
    expect(statSync(weights).size).toBeGreaterThan(0);
    expect(problems).toEqual([]);
    await server.end();
  },
);
