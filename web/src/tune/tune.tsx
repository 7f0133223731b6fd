// A tuning that another process is at, followed by its journal: the best so far, its curve, and how the best ones part.
import { useMemo, useState } from "react";
import { Tree } from "../program/tree";
import { Curve } from "../ui/curve";
import { standing, Stop, useFollowed, type Followed } from "../ui/follow";
import { number, percent, plural } from "../ui/format";
import { Failure, Select } from "../ui/pieces";

export interface Tuning extends Followed {
  program: string;
  objective: string;
  baseline: string;
  baseline_value: number | null;
  reference: { name: string; value: number } | null;
  compiles: number;
  seconds: number;
  programs: number;
  improvements: number;
  /** [compiles, seconds, value] of improvements. */
  curve: [number, number, number][];
  /** Those found last. */
  best: { compiles: number; seconds: number; value: number; actions: string[] }[];
  saves: { action: string; saves: number }[];
}

/** The best so far, held until now. */
export function curveOf(
  { curve, compiles, seconds }: Pick<Tuning, "curve" | "compiles" | "seconds">,
  over: "compiles" | "seconds",
): [number[], number[]] {
  const now = over === "compiles" ? compiles : seconds;
  const x = curve.map((point) => point[over === "compiles" ? 0 : 1]);
  const y = curve.map(([, , value]) => value);
  const last = y.at(-1);
  return last !== undefined && now > x.at(-1)!
    ? [
        [...x, now],
        [...y, last],
      ]
    : [x, y];
}

export function TuneView() {
  const tuning = useFollowed<Tuning>("tune");
  return (
    <>
      <Failure error={tuning.error} />
      {tuning.value ? (
        <Told tuning={tuning.value} />
      ) : (
        tuning.busy && <p className="quiet">Reading the journal…</p>
      )}
    </>
  );
}

function Told({ tuning }: { tuning: Tuning }) {
  const [over, setOver] = useState<"compiles" | "seconds">("compiles");
  const { program, objective, baseline, baseline_value, reference, compiles, seconds, best, saves } = tuning;
  const found = best.at(-1);
  const [x, y] = useMemo(() => curveOf(tuning, over), [tuning, over]);
  const lines = useMemo(
    () => [
      { name: "best so far", stepped: true, y },
      { name: baseline, y: y.map(() => baseline_value) },
      ...(reference ? [{ name: reference.name, y: y.map(() => reference.value) }] : []),
    ],
    [y, baseline, baseline_value, reference],
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
            {reference && (
              <>
                , {percent(found.value, reference.value)} against {reference.name} ({number(reference.value)})
              </>
            )}
          </p>
        )}
        <p className="quiet" role="status">
          {standing(tuning)}: {plural(compiles, "compile")} in {number(Math.round(seconds * 10) / 10)} s,{" "}
          {plural(tuning.improvements, "improvement")}
        </p>
        <Stop kind="tune" command="ordo tune" told={tuning} />
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
            <Tree found={best} />
          </section>
          <section className="card">
            <h2>The best</h2>
            <p>
              <code>{found.actions.join(" ") || "no pass"}</code>
            </p>
            {saves.length > 0 && (
              <>
                <h3>Which passes pay</h3>
                <table>
                  <thead>
                    <tr>
                      <th scope="col">pass of the result</th>
                      <th scope="col">what leaving it out costs</th>
                    </tr>
                  </thead>
                  <tbody>
                    {saves.map((one, i) => (
                      <tr key={i}>
                        <th scope="row">
                          <code>{one.action}</code>
                        </th>
                        <td>{number(one.saves)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </>
            )}
          </section>
        </>
      )}
    </div>
  );
}
