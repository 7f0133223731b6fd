// The page in other tabs, and behind other addresses than the printed one: a forwarded port, a proxy below a path.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server as Proxy } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, openPage, Server, shoot } from "./harness";

let folder: string;
let file: string;
let browser: Browser;
let server: Server;
let proxy: Proxy;
let proxyPort: number;

/** Passes on what is below /ordo/, without that, and says in Host what it was asked by. */
function proxyTo(port: () => number): Proxy {
  return createServer((asked, answer) => {
    const path = (asked.url ?? "/").replace(/^\/ordo/, "");
    const onward = request(
      { host: "127.0.0.1", port: port(), path, method: asked.method, headers: asked.headers, setHost: false },
      (got) => {
        answer.writeHead(got.statusCode!, got.headers);
        got.pipe(answer);
      },
    );
    asked.pipe(onward);
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ordo-web-"));
  file = join(folder, "names.cpp");
  writeFileSync(
    file,
    `namespace shop { int price(int x) { int y = x; y += 2; return y; } }
int größe(int x) { int y = x; return y * shop::price(y); }
int main() { int z = 3; return größe(z) + shop::price(z); }`,
  );
  proxy = proxyTo(() => server.port);
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  proxyPort = (proxy.address() as { port: number }).port;
  [server, browser] = await Promise.all([
    Server.start(file, "--objective", "ir_instructions", "--allow-host", `localhost:${proxyPort}`),
    openBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await server?.end();
  proxy?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function apply(page: Page, name: string) {
  const values = page.locator(".passes .value");
  // Of a page that is still loading none would be counted, and its start then for the pass.
  await values.first().waitFor();
  const before = await values.count();
  await page.getByPlaceholder(/^Filter/).fill(name);
  await page
    .locator("button.choice", { has: page.getByText(name, { exact: true }) })
    .first()
    .click();
  await expect.poll(() => values.count()).toBe(before + 1);
}

test("a second tab needs no token in its address", async () => {
  const { page } = await openPage(browser, server.url);
  await page.getByRole("heading", { level: 1 }).waitFor();
  const second = await page.context().newPage();
  await second.goto(`${server.origin}/`);
  expect(await second.getByRole("heading", { level: 1 }).textContent()).toContain("names.cpp");
  await page.context().close();
  // Who was told no token is let in nowhere.
  const { page: stranger } = await openPage(browser, `${server.origin}/`);
  expect(await stranger.getByRole("alert").textContent()).toContain(
    "open the address that 'ordo web' printed",
  );
  await stranger.context().close();
});

test("below a path of a proxy it works as anywhere, at a name that is allowed", async () => {
  const { page, problems } = await openPage(
    browser,
    `http://localhost:${proxyPort}/ordo/#token=${server.token}`,
  );
  await apply(page, "sroa");
  await page.getByText(/sroa changed \d+ of/).waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});

test("a name that is not allowed is refused with what to do", async () => {
  const response = await fetch(`http://127.0.0.1:${proxyPort}/ordo/`);
  expect(response.status).toBe(403);
  expect(await response.text()).toContain(`--allow-host 127.0.0.1:${proxyPort}`);
});

test("the function that was chosen stays, and names are as their source has them", async () => {
  const { page, problems } = await openPage(browser, server.url);
  await page.locator(".passes .value").first().waitFor();
  const list = page.getByLabel("Function", { exact: true });
  const chosen = () => list.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]!.text);
  const names = () => list.locator("option").allTextContents();
  await expect.poll(async () => (await names()).join()).toContain("shop::price(int)");
  expect((await names()).join()).toContain("größe(int)");
  await list.selectOption("_ZN4shop5priceEi");
  await page.getByText("Its symbol: _ZN4shop5priceEi").waitFor();
  await shoot(page, "names");
  for (const action of ["sroa", "simplifycfg"]) {
    await apply(page, action);
    await page.getByText(new RegExp(`${action} changed`)).waitFor();
    expect(await chosen()).toContain("shop::price(int)");
  }
  await page.getByLabel("As", { exact: true }).selectOption("asm");
  await page.getByText("retq").first().waitFor();
  await shoot(page, "names-asm");
  expect(problems).toEqual([]);
  await page.context().close();
});
