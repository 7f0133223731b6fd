import { expect, test } from "vitest";
import { reason, type Trial } from "./trial";

const trial = (verdict: string, low: number, high: number): Trial =>
  ({
    verdict,
    why: "why",
    identical: false,
    least_effect: 0.005,
    candidate_to_baseline: { speedup: 1, low, high },
  }) as Trial;

test("a verdict is explained by its interval", () => {
  expect(reason(trial("faster", 1.02, 1.1))).toContain("×1.020");
  expect(reason(trial("slower", 0.8, 0.9))).toContain("×0.900");
  expect(reason(trial("no difference shown", 0.99, 1.01))).toContain("×0.990 to ×1.010");
  expect(reason(trial("void", 0.99, 1.01))).toBe("Void: why");
  expect(reason({ ...trial("no difference shown", 1, 1), identical: true })).toContain("same machine code");
});
