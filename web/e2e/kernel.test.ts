// A kernel of MLIR, where Ordo was built with it: its worker is no part of what everybody has.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { looksRight, openBrowser, openPage, Server } from "./harness";
import { kOrdo } from "./ordo";

test.skipIf(!existsSync(join(dirname(kOrdo), "ordo-mlir-worker")))(
  "a kernel shows its steps, its loops before and after each, and what it takes",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "ordo-web-"));
    const options = ["--budget", "12evals", "--no-peers", "-q", "-o", folder];
    execFileSync(kOrdo, ["tune", "mlir/matmul/64x64x64", ...options], { stdio: "pipe" });
    const recipe = execFileSync("find", [folder, "-name", "*.ordo.json"]).toString().trim();
    const [server, browser] = await Promise.all([Server.start(recipe), openBrowser()]);
    const { page, problems } = await openPage(browser, server.url);
    await page.getByText(/It takes [\d.]+ [mµ]s on this machine/).waitFor();
    await page.locator(".cm-content").first().waitFor();
    const steps = page.locator(".experiments button");
    expect(await steps.count()).toBeGreaterThan(1);
    // Tiles beside caches: one level is all, and the registers of the result are at the end.
    const tiles = page.getByRole("region", { name: "Tiles of linalg.matmul" });
    expect(await tiles.locator("tbody tr").first().innerText()).toMatch(/all\s+64 × 64 × 64/);
    expect(await tiles.locator("tbody tr").count()).toBeGreaterThan(2);
    // Each schedule that was tried, and the fastest of them is the result or nearly so.
    await page.getByText(/^\d+ schedules? measured/).waitFor();
    await page.locator(".uplot canvas").waitFor();
    expect(await page.locator(".fastest tbody tr").count()).toBeGreaterThan(1);
    await looksRight(page, "kernel");
    await page.setViewportSize({ width: 1440, height: 900 });
    await steps.first().click();
    await page.getByRole("heading", { name: "After 0 steps", exact: true }).waitFor();
    await expect.poll(() => page.locator(".cm-content").first().innerText()).toContain("linalg.matmul");
    await page.getByLabel("As", { exact: true }).selectOption("schedule");
    await steps.last().click();
    await expect.poll(() => page.locator(".cm-content").first().innerText()).toContain("transform.");
    expect(problems).toEqual([]);
    expect((await server.ask("kernel/state", { steps: 1000 })).status).toBe(400);
    await browser.close();
    expect(await server.end()).toBe(0);
    rmSync(folder, { recursive: true });
  },
);
