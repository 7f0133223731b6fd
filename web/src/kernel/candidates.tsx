// Every schedule that the search tried, and how long it took.
import { useMemo } from "react";
import { Curve } from "../ui/curve";
import { number, plural } from "../ui/format";
import { duration } from "./duration";

export interface Candidate {
  number: number;
  seconds: number;
  time_ns: number | null;
  problem: string;
  steps: string[];
}

const kFastest = 10;
const kSlowest = 8; // times the best: what is above would press all others together

export interface Tried {
  measured: (Candidate & { time_ns: number })[];
  failed: Candidate[];
  /** The least until each of `measured`, in nanoseconds. */
  best: number[];
}

export function triedOf(candidates: Candidate[]): Tried {
  const measured = candidates.flatMap((one) =>
    one.time_ns === null ? [] : [{ ...one, time_ns: one.time_ns }],
  );
  let least = Infinity;
  return {
    measured,
    failed: candidates.filter(({ time_ns }) => time_ns === null),
    best: measured.map(({ time_ns }) => (least = Math.min(least, time_ns))),
  };
}

export function Candidates({ candidates }: { candidates: Candidate[] }) {
  const { measured, failed, best } = useMemo(() => triedOf(candidates), [candidates]);
  const { x, lines, top, above } = useMemo(() => {
    const top = (best.at(-1) ?? 0) * kSlowest;
    return {
      top: top / 1e6,
      above: measured.filter(({ time_ns }) => time_ns > top).length,
      x: measured.map((one) => one.number),
      lines: [
        { name: "best so far", y: best.map((ns) => ns / 1e6), stepped: true },
        { name: "candidates", y: measured.map(({ time_ns }) => time_ns / 1e6), points: true },
      ],
    };
  }, [measured, best]);
  const fastest = useMemo(
    () => [...measured].sort((a, b) => a.time_ns - b.time_ns).slice(0, kFastest),
    [measured],
  );
  return (
    <>
      <p>
        {plural(measured.length, "schedule")} measured
        {above > 0 && `, ${number(above)} of them too slow to be drawn`}
        {failed.length > 0 &&
          `; ${number(failed.length)} could not be: ${failed[0]!.problem || "no reason given"}`}
        .
      </p>
      {measured.length > 0 && (
        <>
          <Curve
            label="The time of each schedule that was tried, and the best so far"
            x={x}
            lines={lines}
            xLabel="schedules tried"
            yLabel="ms"
            top={top}
          />
          <h3>The fastest</h3>
          <div className="scroll" role="region" aria-label="The fastest schedules" tabIndex={0}>
            <table className="fastest">
              <thead>
                <tr>
                  <th scope="col">number</th>
                  <th scope="col">time</th>
                  <th scope="col">steps</th>
                </tr>
              </thead>
              <tbody>
                {fastest.map((one) => (
                  <tr key={one.number}>
                    <th scope="row">{number(one.number)}</th>
                    <td>{duration(one.time_ns)}</td>
                    <td>
                      <code>{one.steps.join(" ") || "none"}</code>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </>
  );
}
