// What the other views show, made once by the real commands: a study, a trial, a recipe, and a dialogue that
// is in the repository.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { kOrdo } from "./ordo";

declare module "vitest" {
  export interface ProvidedContext {
    study: string;
    trial: string;
    talk: string;
    recipe: string;
    loop: string;
    journal: string;
    events: string;
  }
}

/** Two methods on three programs, some seconds of work. */
function study(folder: string): string {
  const file = join(folder, "study.sqlite");
  const programs = ["suite/crc32", "suite/sudoku", "suite/bwt"];
  execFileSync(
    kOrdo,
    [
      "eval",
      ...programs,
      "--methods",
      "policy,random",
      "--compiles",
      "12",
      "--seeds",
      "2",
      "--study",
      file,
      "-q",
    ],
    { stdio: "pipe" },
  );
  return file;
}

/** A loop against the same loop with half of the work. */
function trial(dir: string): string {
  const program = (rounds: number) => `
int main(void) {
  volatile unsigned sum = 0;
  for (unsigned i = 0; i < ${rounds}u; i++) sum += i * i;
  return sum == 1;
}`;
  for (const [name, rounds] of [
    ["before", 4000000],
    ["after", 2000000],
  ] as const) {
    writeFileSync(join(dir, `${name}.c`), program(rounds));
    execFileSync("clang-22", ["-O2", join(dir, `${name}.c`), "-o", join(dir, name)]);
  }
  const file = join(dir, "trial.json");
  let said: Buffer;
  try {
    said = execFileSync(
      kOrdo,
      ["time", join(dir, "before"), join(dir, "after"), "--budget", "4s", "--repeats", "0", "--json", "-q"],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
  } catch (failed) {
    // Exit code 1 is a trial that is void, on a restless machine.
    said = (failed as { stdout: Buffer }).stdout;
  }
  writeFileSync(file, said);
  return file;
}

/** What a short search made of a program. */
function recipe(folder: string): string {
  const budget = [
    "--budget",
    "100evals",
    "--jobs",
    "1",
    "-o",
    join(folder, "crc32.o"),
    "-q",
    "--journal",
    join(folder, "tune.jsonl"),
  ];
  execFileSync(kOrdo, ["tune", "suite/crc32", "--objective", "ir_instructions", ...budget], {
    stdio: "pipe",
  });
  return join(folder, "crc32.ordo.json");
}

/** The loop.toml of a loop that has promoted one candidate, rolled one back and observes a third. */
function loop(folder: string): string {
  execFileSync(kOrdo, ["loop", "init"], { cwd: folder, stdio: "pipe" });
  execFileSync("python3", [resolve("e2e/loop_sample.py"), folder], { stdio: "pipe" });
  return join(folder, "loop.toml");
}

/** Events of a training, as docs/formats/events.md says: libtorch is no part of what everybody has (train.test.ts). */
function events(folder: string): string {
  const file = join(folder, "events.jsonl");
  const clone = Array.from({ length: 30 }, (_, i) => ({
    epoch: i + 1,
    loss: 2 + 2 / (i + 1),
    held_out_loss: 2.4 + 1.5 / (i + 1),
    held_out_accuracy: 0.5 - 0.4 / (i + 1),
    stage: "clone",
  }));
  const practise = Array.from({ length: 200 }, (_, i) => ({
    batch: i + 1,
    rollouts: 512 * (i + 1),
    mean_gain: 0.02 - 0.05 / (i + 1) + 0.003 * Math.sin(i),
    judged: 0.03 - 0.02 / (1 + Math.floor(i / 4)),
    best: i % 40 === 3,
    gains: [0.01, -1],
    stage: "practise",
  }));
  const writer = { pid: 1, started: 1 }; // not its writer, which is to be seen
  const begin = {
    stage: "begin",
    writer,
    experience: "debian.jsonl",
    output: "policy.safetensors",
    rollouts: 102400,
  };
  const lines = [begin, ...clone, ...practise, { stage: "end", failure: "" }];
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "ordo-web-"));
  project.provide("study", study(folder));
  project.provide("trial", trial(folder));
  project.provide("talk", resolve("../docs/trajectories/agent/sudoku.json"));
  project.provide("recipe", recipe(folder));
  project.provide("loop", loop(folder));
  project.provide("journal", join(folder, "tune.jsonl"));
  project.provide("events", events(folder));
  return () => rmSync(folder, { recursive: true });
}
