// How the policy's mind changed: with what probability it chose each candidate, from experiment to experiment.
import { useMemo } from "react";
import { Curve, type Line } from "../ui/curve";
import type { Experiment } from "./types";

// More could not be told apart; those that were chosen most often are shown.
const kMost = 6;

/** A line for each candidate, with a value where that one was chosen. */
export function driftOf(experiments: Experiment[]): { x: number[]; lines: Line[] } {
  const chosen = new Map<string, number>();
  for (const { candidate } of experiments) chosen.set(candidate, (chosen.get(candidate) ?? 0) + 1);
  const names = [...chosen].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  return {
    x: experiments.map((_, i) => i + 1),
    lines: names.slice(0, kMost).map((name) => ({
      name,
      y: experiments.map((one) => (one.candidate === name ? 100 * one.probability : null)),
    })),
  };
}

export function Drift({ experiments }: { experiments: Experiment[] }) {
  const { x, lines } = useMemo(() => driftOf(experiments), [experiments]);
  if (x.length < 2) return null;
  return (
    <section className="card">
      <h2>The policy's mind</h2>
      <p className="quiet">
        With what probability it chose the candidate of each experiment
        {new Set(experiments.map(({ candidate }) => candidate)).size > kMost &&
          `, of those ${kMost} that it chose most often`}
        .
      </p>
      <Curve
        label="Probability of the chosen candidate, from experiment to experiment"
        x={x}
        lines={lines.map((line) => ({ ...line, marked: true }))}
        xLabel="experiment"
        yLabel="probability, %"
        height={180}
      />
    </section>
  );
}
