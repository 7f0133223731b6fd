// The pictures of docs/web.md, of what the real commands make.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { openBrowser, openPage, Server } from "./harness";
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

const ordo = (...args: string[]) => execFileSync(kOrdo, args, { cwd: folder, stdio: "pipe" });

/** Of a server of these arguments, once `ready` has come. */
async function picture(name: string, args: string[], ready: (page: Page) => Promise<unknown>): Promise<void> {
  const server = await Server.start(...args);
  const { page } = await openPage(browser, server.url);
  await ready(page);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: `../docs/web/${name}.png` });
  await page.context().close();
  await server.end();
}

test("a program", () =>
  picture("program", ["suite/sha256", "--objective", "ir_instructions"], async (page) => {
    await page.locator(".passes .value").first().waitFor();
    for (const [i, name] of ["sroa", "early-cse<memssa>", "function-simplification<Oz>"].entries()) {
      await page.getByPlaceholder(/^Filter/).fill(name);
      await page
        .locator("button.choice", { has: page.getByText(name, { exact: true }) })
        .first()
        .click();
      await page
        .locator(".passes .value")
        .nth(i + 1)
        .waitFor();
    }
    await page.getByRole("button", { name: "Try all" }).click();
    await page.getByText(/\d+ of \d+ make it smaller/).waitFor();
    await page.locator(".cm-changedLine").first().waitFor();
  }));

test("a tuning", async () => {
  const journal = join(folder, "tune.jsonl");
  ordo("tune", "suite/sha256", "--budget", "200evals", "-q", "--journal", journal, "-o", join(folder, "x.o"));
  await picture("tuning", [journal], (page) =>
    page.getByRole("group", { name: /by their common beginnings/ }).waitFor(),
  );
});

test("a study", async () => {
  const file = join(folder, "study.sqlite");
  const methods = "policy,random,evolutionary,greedy";
  const names = ["base64", "bwt", "crc32", "editdist", "fft", "json", "sha256", "sorts", "sudoku", "wc"];
  const programs = names.map((name) => `suite/${name}`);
  ordo("eval", ...programs, "--methods", methods, "--compiles", "30", "--seeds", "1", "--study", file, "-q");
  await picture("study", [file], async (page) => {
    await page.locator(".uplot canvas").waitFor();
    await page.locator(".pairs .pair[style]").first().waitFor();
  });
});

test("a loop", async () => {
  ordo("loop", "init");
  execFileSync("python3", [resolve("e2e/loop_sample.py"), folder], { stdio: "pipe" });
  await picture("loop", [join(folder, "loop.toml")], (page) =>
    page.locator(".uplot canvas").nth(2).waitFor(),
  );
});

test.skipIf(!existsSync(join(dirname(kOrdo), "ordo-mlir-worker")))("a kernel", async () => {
  ordo("tune", "mlir/matmul/64x64x64", "--budget", "60evals", "--no-peers", "-q", "-o", folder);
  const recipe = execFileSync("find", [folder, "-name", "matmul*.ordo.json"]).toString().trim();
  await picture("kernel", [recipe], async (page) => {
    await page.getByText(/It takes [\d.]+ [mµ]s on this machine/).waitFor();
    await page.locator(".cm-content").first().waitFor();
    await page.getByRole("region", { name: "Tiles of linalg.matmul" }).waitFor();
    await page
      .getByRole("button", { name: /^vectorize/ })
      .first()
      .click();
    await page.locator(".cm-changedLine").first().waitFor();
    await page.getByRole("heading", { name: "Tiles and caches after 2 steps" }).waitFor();
    await page.waitForLoadState("networkidle");
    const tiles = page.locator("section", { has: page.getByRole("heading", { name: /^Tiles and caches/ }) });
    await tiles.last().screenshot({ path: "../docs/web/tiles.png" });
    await page.evaluate(() => scrollTo(0, 0));
  });
});
