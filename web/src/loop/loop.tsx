// A production loop: what is left of the error budget, what candidates are worth, and each experiment with both arms'
// latency and the canary's share. It is asked for anew while it is looked at, for a controller may be at work.
import { useMemo, useState } from "react";
import { ask } from "../api";
import { Curve } from "../ui/curve";
import { chance, number, plural, share } from "../ui/format";
import { Failure, useAnswer, useTicks } from "../ui/pieces";
import { Drift } from "./drift";
import type { Arm, Detail, Experiment, Status } from "./types";

export const faster = (logRatio: number): string => share(Math.expm1(logRatio));

/** "observe", "promoted: +4.1 % ± 0.9": what came of it, or where it is. */
export function outcomeOf({ outcome, state, reward }: Experiment): string {
  const what = outcome ?? `${state} (goes on)`;
  if (reward?.value == null) return what;
  if (reward.censored) return `${what}: harm`;
  return `${what}: ${faster(reward.value)}${reward.error === null ? "" : ` ± ${(100 * reward.error).toFixed(2)}`}`;
}

const time = (seconds: number) => new Date(seconds * 1000).toLocaleString("en-GB");

export function LoopView() {
  const ticks = useTicks(3000);
  const status = useAnswer<Status>(`loop ${ticks}`, (signal) => ask("loop/status", undefined, signal));
  const [chosen, choose] = useState<string | null>(null);
  if (!status.value)
    return status.error ? <Failure error={status.error} /> : <p className="quiet">Reading the loop…</p>;
  const { production, controller, paused, budget, candidates, experiments } = status.value;
  const latest = experiments.at(-1);
  const experiment = experiments.find(({ id }) => id === chosen) ?? latest;
  return (
    <div className="loop">
      <div className="heading">
        <h1>{production} in production</h1>
        <p>
          <span className="figure">
            {Math.round(100 * budget.left)} % <small>of the error budget left</small>
          </span>{" "}
          · <span title={budget.why}>{budget.mode}</span> · canaries get {Math.round(100 * budget.most_share)}{" "}
          % at most
        </p>
        <p className="quiet" role="status">
          {controller ? "A controller is at work" : "No controller is at work"}
          {paused && "; it was asked to pause"}
        </p>
      </div>
      <Budget budget={budget} />
      <Candidates list={candidates} />
      <Drift experiments={experiments} />
      <section className="card" aria-labelledby="experiments">
        <h2 id="experiments">Experiments</h2>
        {!latest && <p className="quiet">There has been none yet.</p>}
        <ol className="experiments">
          {[...experiments].reverse().map((one) => (
            <li key={one.id}>
              <button aria-pressed={one.id === experiment?.id} onClick={() => choose(one.id)}>
                <span className="name">{one.candidate}</span>
                <span>{outcomeOf(one)}</span>
                <span className="quiet">{time(one.created_s)}</span>
              </button>
            </li>
          ))}
        </ol>
      </section>
      {experiment && (
        <One key={experiment.id} experiment={experiment} ticks={experiment.outcome ? 0 : ticks} />
      )}
    </div>
  );
}

function Budget({ budget }: { budget: Status["budget"] }) {
  const { x, lines } = useMemo(() => {
    const began = budget.curve[0]?.[0] ?? 0;
    return {
      x: budget.curve.map(([at]) => (at - began) / 3600),
      lines: [{ name: "left", stepped: true, y: budget.curve.map(([, left]) => 100 * left) }],
    };
  }, [budget]);
  return (
    <section className="card">
      <h2>The error budget</h2>
      <p className="quiet">
        {number(100 * budget.objective)} % of requests are to be good. It burns {budget.burn_hour.toFixed(2)}{" "}
        times as fast as it may by the last hour, {budget.burn_quarter_day.toFixed(2)} times by the last six.
      </p>
      {x.length > 1 ? (
        <Curve
          label="What was left of the error budget"
          x={x}
          lines={lines}
          xLabel="hours"
          yLabel="left, %"
          height={180}
        />
      ) : (
        <p className="quiet">Nothing was counted yet.</p>
      )}
    </section>
  );
}

function Candidates({ list }: { list: Status["candidates"] }) {
  return (
    <section className="card">
      <h2>Candidates</h2>
      <p className="quiet">
        How much faster each is than the first production by all that was seen, and how likely it is the best.
      </p>
      <div className="scroll" role="region" aria-label="Candidates" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">candidate</th>
              <th scope="col">faster by</th>
              <th scope="col">deviation</th>
              <th scope="col">is the best</th>
              <th scope="col">tried</th>
              <th scope="col">now</th>
            </tr>
          </thead>
          <tbody>
            {list.map((one) => (
              <tr key={one.name}>
                <th scope="row">{one.name}</th>
                <td>{faster(one.value)}</td>
                <td>{(100 * one.deviation).toFixed(2)} %</td>
                <td>{chance(one.best)}</td>
                <td>{number(one.rewards)}</td>
                <td>{one.barred ? "barred: it did harm" : one.production ? "production" : ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function One({ experiment, ticks }: { experiment: Experiment; ticks: number }) {
  const detail = useAnswer<Detail>(`${experiment.id} ${ticks}`, (signal) =>
    ask("loop/experiment", { id: experiment.id }, signal),
  );
  return (
    <section className="card" aria-labelledby="chosen">
      <h2 id="chosen">
        {experiment.candidate} against {experiment.baseline || "the first production"}
      </h2>
      <p>
        {outcomeOf(experiment)}
        {experiment.reward ? `. ${experiment.reward.why}` : experiment.cause && `. ${experiment.cause}`}
      </p>
      <p className="quiet">
        {experiment.id}, chosen with probability {chance(experiment.probability)}
        {experiment.staged !== null && `; the stage said ${faster(experiment.staged)}`}
      </p>
      <Failure error={detail.error} />
      {detail.value && <Seen detail={detail.value} />}
    </section>
  );
}

const milliseconds = (seconds: number | null) => (seconds === null ? null : 1000 * seconds);

function Seen({ detail }: { detail: Detail }) {
  const { windows, quantile, slo_s, steps } = detail;
  const { x, latency, traffic } = useMemo(() => {
    const began = windows[0]?.begin_s ?? 0;
    const of = (which: (arm: Arm) => number | null, arm: "control" | "canary") =>
      windows.map((window) => (window.gap ? null : milliseconds(which(window[arm]))));
    const band = (arm: "control" | "canary", dash: number[]) => [
      { name: arm, y: of(({ value }) => value, arm), dash },
      { name: `${arm}, low`, y: of(({ low }) => low, arm), points: true },
      { name: `${arm}, high`, y: of(({ high }) => high, arm), points: true },
    ];
    return {
      x: windows.map(({ end_s }) => (end_s - began) / 60),
      latency: [
        ...band("control", [8, 4]),
        ...band("canary", []),
        { name: "objective", y: windows.map(() => 1000 * slo_s), dash: [2, 3] },
      ],
      traffic: [{ name: "canary", stepped: true, y: windows.map(({ share: part }) => 100 * part) }],
    };
  }, [windows, slo_s]);
  const gaps = windows.filter(({ gap }) => gap).length;
  return (
    <>
      {x.length > 1 ? (
        <>
          <h3>Latency, quantile {quantile}, with its 95 % interval as dots</h3>
          <Curve
            label="Latency of both arms, window by window"
            x={x}
            lines={latency}
            xLabel="minutes"
            yLabel="ms"
          />
          {gaps > 0 && (
            <p className="quiet">
              {plural(gaps, "window is a gap", "windows are gaps")}: nothing was seen that counts.
            </p>
          )}
          <h3>Share of requests</h3>
          <Curve
            label="Share of requests"
            x={x}
            lines={traffic}
            xLabel="minutes"
            yLabel="canary, %"
            height={150}
          />
        </>
      ) : (
        <p className="quiet">It has not been observed in traffic.</p>
      )}
      <h3>Step by step</h3>
      <ol className="steps">
        {steps.map(({ to, cause, at_s }, i) => (
          <li key={i}>
            <span className="quiet">{time(at_s)}</span> <strong>{to}</strong>
            {cause && `: ${cause}`}
          </li>
        ))}
      </ol>
    </>
  );
}
