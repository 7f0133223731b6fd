// Trials of `ordo time --json`: the verdict, why it is that, and the blocks that it rests on, with the A/A
// twin.
import { ask } from "../api";
import { number, share } from "../ui/format";
import { Failure, useAnswer } from "../ui/pieces";

interface Interval {
  speedup: number;
  low: number;
  high: number;
}

export interface Trial {
  baseline: string;
  candidate: string;
  verdict: string;
  why: string;
  identical: boolean;
  quantity: string;
  least_effect: number;
  alpha_per_side: number;
  p: number;
  voided: unknown[];
  candidate_to_baseline?: Interval | null;
  twin_to_baseline?: Interval | null;
  blocks?: number;
  blocks_planned?: number;
  runs_of_a_cell?: number;
  seconds?: number;
  processor?: number;
  drift?: number;
  others_share?: number;
  log_ratios?: { candidate: number[]; twin: number[] };
}

export function TrialView() {
  const trials = useAnswer<Trial[]>("trial", (signal) => ask("trial/document", undefined, signal));
  if (!trials.value) return trials.error ? <Failure error={trials.error} /> : <p className="quiet">…</p>;
  return (
    <div className="trials">
      <div className="heading">
        <h1>Run time</h1>
      </div>
      {trials.value.map((trial, i) => (
        <One key={i} trial={trial} />
      ))}
    </div>
  );
}

/** Why a verdict is what it is, in words that follow from its figures. */
export function reason(trial: Trial): string {
  const least = share(trial.least_effect).replace("+", "");
  if (trial.identical) return "Both are the same machine code, so there is nothing to run.";
  const interval = trial.candidate_to_baseline;
  if (!interval) return trial.why;
  const low = `×${interval.low.toFixed(3)}`;
  const high = `×${interval.high.toFixed(3)}`;
  if (trial.verdict === "faster")
    return `Even the low end of the interval, ${low}, is faster by more than ${least}.`;
  if (trial.verdict === "slower")
    return `Even the high end of the interval, ${high}, is slower by more than ${least}.`;
  if (trial.verdict === "void") return `Void: ${trial.why}`;
  return `The interval, ${low} to ${high}, does not lie beyond ${least} on one side: a difference is claimed only where it does.`;
}

function One({ trial }: { trial: Trial }) {
  return (
    <section className="card">
      <h2>
        <span className={`verdict ${trial.verdict.replaceAll(" ", "-")}`}>{trial.verdict}</span>{" "}
        {trial.candidate} against {trial.baseline}
      </h2>
      <p>{reason(trial)}</p>
      {trial.why && trial.verdict !== "void" && <p className="quiet">{trial.why}</p>}
      {trial.candidate_to_baseline && trial.twin_to_baseline && (
        <Intervals candidate={trial.candidate_to_baseline} twin={trial.twin_to_baseline} />
      )}
      {trial.log_ratios && <Blocks trial={trial} />}
      <dl className="facts">
        <Fact name="measured" value={trial.quantity} />
        <Fact name="p" value={trial.p.toPrecision(2)} />
        {trial.blocks !== undefined && (
          <Fact
            name="blocks"
            value={`${trial.blocks} of ${trial.blocks_planned}, ${trial.runs_of_a_cell} runs a cell`}
          />
        )}
        {trial.seconds !== undefined && (
          <Fact
            name="took"
            value={`${number(Math.round(trial.seconds))} s on processor ${trial.processor}`}
          />
        )}
        {trial.drift !== undefined && <Fact name="drift" value={share(trial.drift)} />}
        {trial.others_share !== undefined && (
          <Fact name="taken by others" value={share(trial.others_share).replace("+", "")} />
        )}
        {trial.voided.length > 0 && <Fact name="void trials before it" value={String(trial.voided.length)} />}
      </dl>
    </section>
  );
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

function Intervals({ candidate, twin }: { candidate: Interval; twin: Interval }) {
  const ends = [candidate.low, candidate.high, twin.low, twin.high, 0.99, 1.01];
  const least = Math.min(...ends);
  const most = Math.max(...ends);
  const place = (value: number) => (100 * (value - least)) / (most - least);
  return (
    <div className="scroll" role="region" aria-label="Speed-ups" tabIndex={0}>
      <table className="speedups">
        <thead>
          <tr>
            <th scope="col">arm</th>
            <th scope="col">speed-up</th>
            <th scope="col">interval</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {(
            [
              ["candidate", candidate],
              ["the baseline again (A/A twin)", twin],
            ] as const
          ).map(([name, { speedup, low, high }]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>×{speedup.toFixed(3)}</td>
              <td>
                {low.toFixed(3)} to {high.toFixed(3)}
              </td>
              <td className="drawn">
                <span className="interval" aria-hidden="true">
                  <span className="zero" style={{ left: `${place(1)}%` }} />
                  <span
                    className="range"
                    style={{ left: `${place(low)}%`, right: `${100 - place(high)}%` }}
                  />
                  <span className="mean" style={{ left: `${place(speedup)}%` }} />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Each block's two ratios: a ring for the candidate, a cross for the twin. */
function Blocks({ trial }: { trial: Trial }) {
  const { candidate, twin } = trial.log_ratios!;
  const most = Math.max(0.005, ...candidate, ...twin);
  const least = Math.min(-0.005, ...candidate, ...twin);
  const width = 720;
  const height = 140;
  const x = (i: number) => 50 + ((width - 60) * (i + 0.5)) / Math.max(candidate.length, 1);
  const y = (ratio: number) => 10 + ((most - ratio) / (most - least)) * (height - 20);
  return (
    <figure>
      <svg
        className="blocks"
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Speed-up in each of ${candidate.length} blocks: the candidate's as rings, the twin's as crosses`}
      >
        <line x1={50} x2={width} y1={y(0)} y2={y(0)} className="axis" />
        <text x={44} y={y(0) + 4} textAnchor="end">
          ×1
        </text>
        <text x={44} y={y(most) + 4} textAnchor="end">
          ×{Math.exp(most).toFixed(3)}
        </text>
        {twin.map((ratio, i) => (
          <path key={`t${i}`} className="twin" d={`M${x(i) - 3} ${y(ratio) - 3}l6 6m0 -6l-6 6`} />
        ))}
        {candidate.map((ratio, i) => (
          <circle key={`c${i}`} className="candidate" cx={x(i)} cy={y(ratio)} r={3.5} />
        ))}
      </svg>
      <figcaption className="quiet">
        Each block's speed-up: ○ the candidate, × the baseline against itself.
      </figcaption>
    </figure>
  );
}
