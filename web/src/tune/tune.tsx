// A tuning that another process is at, followed by its journal: the best so far, its curve, and how the best ones part.
import { useMemo, useState } from "react";
import { ask } from "../api";
import { Tree } from "../program/tree";
import { Curve } from "../ui/curve";
import { number, percent, plural } from "../ui/format";
import { Failure, Select, useAnswer, useTicks } from "../ui/pieces";

interface Best {
  compiles: number;
  seconds: number;
  value: number;
  actions: string[];
}

export interface Tuning {
  program: string;
  objective: string;
  baseline: string;
  baseline_value: number | null;
  compiles: number;
  seconds: number;
  ended: boolean;
  failure: string;
  programs: number;
  best: Best[];
}

/** The best so far, held until now. */
export function curveOf(
  { best, compiles, seconds }: Tuning,
  over: "compiles" | "seconds",
): [number[], number[]] {
  const now = over === "compiles" ? compiles : seconds;
  const x = best.map((one) => one[over]);
  const y = best.map(({ value }) => value);
  const last = y.at(-1);
  return last !== undefined && now > x.at(-1)!
    ? [
        [...x, now],
        [...y, last],
      ]
    : [x, y];
}

const kBranches = 8;

export function TuneView() {
  const [ended, setEnded] = useState(false);
  const ticks = useTicks(ended ? 5000 : 1000);
  const tuning = useAnswer<Tuning>(`tuning ${ticks}`, async (signal) => {
    const answer = await ask<Tuning>("tune/journal", undefined, signal);
    setEnded(answer.ended);
    return answer;
  });
  if (!tuning.value)
    return tuning.error ? <Failure error={tuning.error} /> : <p className="quiet">Reading the journal…</p>;
  return <Followed tuning={tuning.value} />;
}

function Followed({ tuning }: { tuning: Tuning }) {
  const [over, setOver] = useState<"compiles" | "seconds">("compiles");
  const { program, objective, baseline, baseline_value, compiles, seconds, ended, failure, best } = tuning;
  const found = best.at(-1);
  const [x, y] = useMemo(() => curveOf(tuning, over), [tuning, over]);
  const lines = useMemo(
    () => [
      { name: "best so far", stepped: true, y },
      { name: baseline, y: y.map(() => baseline_value) },
    ],
    [y, baseline, baseline_value],
  );
  return (
    <div className="tuning">
      <div className="heading">
        <h1>{program || "No program was begun yet"}</h1>
        {found && (
          <p>
            <span className="figure">
              {number(found.value)} <small>{objective}</small>
            </span>
            {baseline_value !== null && (
              <>
                {" "}
                · <strong>{percent(found.value, baseline_value)}</strong> against {baseline} (
                {number(baseline_value)})
              </>
            )}
          </p>
        )}
        <p className="quiet" role="status">
          {ended ? (failure ? `It ended: ${failure}` : "It is done") : "It goes on"}:{" "}
          {plural(compiles, "compile")} in {number(Math.round(seconds * 10) / 10)} s
        </p>
      </div>
      {found && (
        <>
          <section className="card">
            <h2>On the way</h2>
            <Select
              label="Over"
              value={over}
              options={[{ value: "compiles" }, { value: "seconds" }]}
              choose={(value) => setOver(value as "compiles" | "seconds")}
            />
            <Curve
              label={`The best ${objective} so far`}
              x={x}
              lines={lines}
              xLabel={over}
              yLabel={objective}
            />
          </section>
          <section className="card">
            <h2>Where the best part</h2>
            <Tree found={best.slice(-kBranches)} />
          </section>
          <section className="card">
            <h2>The best</h2>
            <p>
              <code>{found.actions.join(" ") || "no pass"}</code>
            </p>
          </section>
        </>
      )}
    </div>
  );
}
