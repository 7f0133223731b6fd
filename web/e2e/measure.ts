// What is measured of a page and its server, and kept in $ORDO_WEB_FIGURES for `./ordo bench web`.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { CDPSession, Page } from "playwright-core";

/** All of it, or a tenth. */
export const kShare = process.env.ORDO_FULL ? 1 : 0.1;

/** Prints what was measured and keeps it, if somebody wants it. */
export function keep(name: string, values: Record<string, unknown>): void {
  console.log(`${name}: ${JSON.stringify(values, null, 1)}`);
  const folder = process.env.ORDO_WEB_FIGURES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/${name}.json`, JSON.stringify(values));
}

export interface Scrolled {
  frames: number;
  /** Over 50 ms. */
  late: number;
  longest_ms: number;
  median_ms: number;
  /** Of a processor, on the page's main thread, for a frame: what others do on this machine is not in it. */
  busy_ms: number;
}

const round = (value: number): number => Math.round(value * 10) / 10;

const debuggers = new WeakMap<Page, CDPSession>();

/** Processor seconds of the page's main thread until now. */
export async function busy(page: Page): Promise<number> {
  let debug = debuggers.get(page);
  if (!debug) {
    debug = await page.context().newCDPSession(page);
    await debug.send("Performance.enable", { timeDomain: "threadTicks" });
    debuggers.set(page, debug);
  }
  const { metrics } = await debug.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")!.value;
}

/** How long frames take while an element, or the page, is scrolled and back, a screen or so many pixels a frame. */
export async function scroll(page: Page, element: string, steps = 60, pixels?: number): Promise<Scrolled> {
  const before = await busy(page);
  const frames = await page
    .locator(element)
    .first()
    .evaluate(
      async (box, [steps, pixels]) => {
        if (box !== document.documentElement && box.scrollHeight <= box.clientHeight)
          throw new Error(`${box.className} has nothing to scroll`);
        const frames: number[] = [];
        let before = await new Promise<number>(requestAnimationFrame);
        for (let i = 1; i <= 2 * steps; i++) {
          box.scrollTop =
            (i <= steps ? i : 2 * steps - i) *
            (pixels ?? Math.min(box.clientHeight, box.scrollHeight / steps));
          const now = await new Promise<number>(requestAnimationFrame);
          frames.push(now - before);
          before = now;
        }
        return frames;
      },
      [steps, pixels] as const,
    );
  const busy_ms = (1000 * ((await busy(page)) - before)) / frames.length;
  const sorted = [...frames].sort((a, b) => a - b);
  return {
    frames: frames.length,
    late: frames.filter((frame) => frame > 50).length,
    longest_ms: round(sorted.at(-1)!),
    median_ms: round(sorted[Math.floor(sorted.length / 2)]!),
    busy_ms: round(busy_ms),
  };
}

/** The worst of several, and how many were late of all. */
export const worstOf = (all: Scrolled[]): Scrolled => ({
  frames: all.reduce((sum, one) => sum + one.frames, 0),
  late: all.reduce((sum, one) => sum + one.late, 0),
  longest_ms: Math.max(...all.map((one) => one.longest_ms)),
  median_ms: Math.max(...all.map((one) => one.median_ms)),
  busy_ms: Math.max(...all.map((one) => one.busy_ms)),
});

/** Resident memory of the page, the largest of those that render, and of the server, in MiB. */
export function memory(server: number): { page_mib: number; server_mib: number } {
  const resident = (pid: string) => {
    try {
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
    } catch {
      return 0; // it has ended meanwhile
    }
  };
  const renders = readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer");
    } catch {
      return false;
    }
  });
  return {
    page_mib: Math.round(Math.max(...renders.map(resident))),
    server_mib: Math.round(resident(String(server))),
  };
}

/** How long something takes, in milliseconds. */
export async function took(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return Math.round(performance.now() - began);
}
