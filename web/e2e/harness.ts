// The real server, and Chromium that looks at it. Tests of a file share both.
import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { kOrdo } from "./ordo";

const kAxe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const children = new Set<ChildProcess>();
// Also those of tests that failed before they could end them.
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
});

/** A process that does not outlive the tests of its file. */
export function spawned(command: string, args: string[], stdio: StdioOptions = "ignore"): ChildProcess {
  const child = spawn(command, args, { stdio });
  children.add(child);
  child.on("exit", () => children.delete(child));
  return child;
}

export class Server {
  private constructor(
    readonly process: ChildProcess,
    readonly url: string,
  ) {}

  /** `ordo web` with these arguments, once it has said its address. */
  static async start(...args: string[]): Promise<Server> {
    const child = spawned(kOrdo, ["web", ...args], ["ignore", "pipe", "pipe"]);
    let said = "";
    child.stderr!.on("data", (data: Buffer) => (said += data.toString()));
    const url = await new Promise<string>((resolve, reject) => {
      let out = "";
      child.stdout!.on("data", (data: Buffer) => {
        out += data.toString();
        if (out.includes("\n")) resolve(out.trim());
      });
      child.on("exit", (code) => reject(new Error(`ordo web ended with ${code}: ${said}`)));
      child.on("error", reject);
    });
    return new Server(child, url);
  }

  get origin(): string {
    return new URL(this.url).origin;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get token(): string {
    return this.url.replace(/.*token=/, "");
  }

  ask(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const all: Record<string, string> = { Authorization: `Bearer ${this.token}`, ...headers };
    if (body === undefined) return fetch(`${this.origin}/api/${path}`, { headers: all });
    return fetch(`${this.origin}/api/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...all },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  }

  /** Ends it, and says its exit code. */
  async end(signal: NodeJS.Signals = "SIGINT"): Promise<number | null> {
    if (this.process.exitCode !== null) return this.process.exitCode;
    const ended = new Promise<number | null>((resolve) => this.process.on("exit", resolve));
    this.process.kill(signal);
    return ended;
  }
}

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });

/** A server of these arguments and a browser, for all tests of a file. */
export function looking(args: () => string[]): { server: Server; browser: Browser } {
  const both = {} as { server: Server; browser: Browser };
  beforeAll(async () => {
    [both.server, both.browser] = await Promise.all([Server.start(...args()), openBrowser()]);
  });
  afterAll(async () => {
    await both.browser?.close();
    await both.server?.end();
  });
  return both;
}

export interface Look {
  width?: number;
  height?: number;
  dark?: boolean;
}

/** A page of a fresh profile; errors in it fail the test that looks at `problems`. */
export async function openPage(
  browser: Browser,
  url: string,
  look: Look = {},
): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({
    viewport: { width: look.width ?? 1440, height: look.height ?? 900 },
    colorScheme: look.dark ? "dark" : "light",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(45000);
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => {
    if (!request.url().startsWith(new URL(url).origin) && !request.url().startsWith("data:"))
      problems.push(`asked ${request.url()}`);
  });
  await page.goto(url);
  return { page, problems };
}

/** What axe-core complains about: rule, how many places, and the first. */
export async function violations(page: Page): Promise<string[]> {
  // By the debugger, for the page's own policy lets no foreign script in.
  await page.evaluate(kAxe);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run: () => Promise<{
          violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
        }>;
      };
    };
    return (await axe.run()).violations.map(
      ({ id, nodes }) =>
        `${id} (${nodes.length}): ${nodes[0]!.html.slice(0, 200)} ${nodes[0]!.failureSummary}`,
    );
  });
}

/** The page comes to be no wider than its window: charts follow a new width a frame later. */
export async function expectFits(page: Page, what = ""): Promise<void> {
  const overflow = (): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(overflow, { message: what }).toBeLessThanOrEqual(0);
}

// Colours do not depend on widths, nor widths on colours: these four tell of all.
const kLooks = [
  [1440, "light"],
  [1440, "dark"],
  [3840, "light"],
  [360, "dark"],
] as const;

/** At every width and in both schemes that people have: it fits, axe-core finds nothing, and it can be looked at. */
export async function looksRight(page: Page, name: string): Promise<void> {
  for (const [width, scheme] of kLooks) {
    await page.setViewportSize({ width, height: width > 2000 ? 2160 : 900 });
    await page.emulateMedia({ colorScheme: scheme });
    await expectFits(page, `${name}, ${width} px`);
    expect(await violations(page), `${name}, ${width} px, ${scheme}`).toEqual([]);
    await shoot(page, `${name}-${width}-${scheme}`);
  }
}

/** A picture in $ORDO_WEB_SHOTS, if somebody wants to look. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.ORDO_WEB_SHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
}
