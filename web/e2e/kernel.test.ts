// A kernel of MLIR, where Ordo was built with it: its worker is no part of what everybody has.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { expectFits, openBrowser, openPage, Server, shoot, violations } from "./harness";

const kOrdo = process.env.ORDO ?? "../build/release/bin/ordo";

test.skipIf(!existsSync(join(dirname(kOrdo), "ordo-mlir-worker")))(
  "a kernel shows its steps, its loops before and after each, and what it takes",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "ordo-web-"));
    const options = ["--budget", "12evals", "--no-peers", "-q", "-o", folder];
    execFileSync(kOrdo, ["tune", "mlir/matmul/64x64x64", ...options], { stdio: "pipe" });
    const recipe = execFileSync("find", [folder, "-name", "*.ordo.json"]).toString().trim();
    const [server, browser] = await Promise.all([Server.start(recipe), openBrowser()]);
    for (const look of [{ width: 1440 }, { width: 360, height: 740, dark: true }]) {
      const { page, problems } = await openPage(browser, server.url, look);
      await page.getByText(/It takes [\d.]+ [mµ]s on this machine/).waitFor();
      await page.locator(".cm-content").first().waitFor();
      const steps = page.locator(".experiments button");
      expect(await steps.count()).toBeGreaterThan(1);
      await steps.first().click();
      await page.getByRole("heading", { name: "After 0 steps" }).waitFor();
      await expect.poll(() => page.locator(".cm-content").first().innerText()).toContain("linalg.matmul");
      await page.getByLabel("As", { exact: true }).selectOption("schedule");
      await steps.last().click();
      await expect.poll(() => page.locator(".cm-content").first().innerText()).toContain("transform.");
      await expectFits(page);
      expect(await violations(page)).toEqual([]);
      await shoot(page, `kernel-${look.width}`);
      expect(problems).toEqual([]);
    }
    expect((await server.ask("kernel/state", { steps: 1000 })).status).toBe(400);
    await browser.close();
    expect(await server.end()).toBe(0);
    rmSync(folder, { recursive: true });
  },
);
