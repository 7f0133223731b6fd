import { expect, test } from "vitest";
import { driftOf } from "./drift";
import { faster, outcomeOf } from "./loop";
import type { Experiment } from "./types";

const experiment = (outcome: string | null, reward: Experiment["reward"]): Experiment =>
  ({ outcome, state: "observe", reward }) as Experiment;
const reward = { value: 0.05, error: 0.01, censored: false, verdict: "promote", why: "" };

test("a log-ratio is said as what is faster", () => {
  expect(faster(0)).toBe("0.00 %");
  expect(faster(Math.log(1.1))).toBe("+10.0 %");
  expect(faster(Math.log(0.5))).toBe("−50.0 %");
});

test("what came of an experiment is its outcome and its reward, or where it is", () => {
  expect(outcomeOf(experiment(null, null))).toBe("observe (goes on)");
  expect(outcomeOf(experiment("promoted", reward))).toBe("promoted: +5.13 % ± 1.00");
  expect(outcomeOf(experiment("rolled back", { ...reward, censored: true }))).toBe("rolled back: harm");
  expect(outcomeOf(experiment("void", { ...reward, value: null, error: null }))).toBe("void");
});

test("the policy's mind has a line for each candidate, where it was chosen", () => {
  const one = (candidate: string, probability: number) => ({ candidate, probability }) as Experiment;
  const { x, lines } = driftOf([one("a", 0.5), one("b", 0.25), one("b", 0.75)]);
  expect(x).toEqual([1, 2, 3]);
  expect(lines).toEqual([
    { name: "b", y: [null, 25, 75] },
    { name: "a", y: [50, null, null] },
  ]);
  expect(driftOf(Array.from({ length: 20 }, (_, i) => one(`c${i}`, 0.1))).lines.length).toBe(6);
});
