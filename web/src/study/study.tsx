// A study: methods in order, for the programs that are picked by suite and by size, and two methods against
// each other, program by program.
import { useMemo, useState } from "react";
import { ask } from "../api";
import { Curve } from "../ui/curve";
import { number, plural, share } from "../ui/format";
import { Failure, LongList, Select, useAnswer } from "../ui/pieces";
import { Ranking } from "./ranking";
import { Scatter } from "./scatter";
import type { About, Pair, RankingAnswer } from "./types";

export function StudyView() {
  const about = useAnswer<About>("study", (signal) => ask("study/about", undefined, signal));
  if (!about.value)
    return about.error ? <Failure error={about.error} /> : <p className="quiet">Reading the study…</p>;
  return <Opened about={about.value} />;
}

function Picks({
  title,
  names,
  picked,
  pick,
}: {
  title: string;
  names: string[];
  picked: string[];
  pick: (names: string[]) => void;
}) {
  return (
    <fieldset className="picks">
      <legend>{title}</legend>
      {names.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={picked.includes(name)}
            onChange={(event) =>
              pick(event.target.checked ? [...picked, name] : picked.filter((one) => one !== name))
            }
          />{" "}
          {name}
        </label>
      ))}
    </fieldset>
  );
}

const options = (values: string[]) => values.map((value) => ({ value }));

function Opened({ about }: { about: About }) {
  const [objective, setObjective] = useState(about.objectives[0] ?? "");
  const [baseline, setBaseline] = useState(about.baselines[0]!);
  const [suites, setSuites] = useState<string[]>([]);
  const [sizes, setSizes] = useState<string[]>([]);
  const [over, setOver] = useState<"compiles" | "seconds">("compiles");
  const present = useMemo(
    () => about.sizes.filter((size) => about.programs.some((program) => program.size === size)),
    [about],
  );
  const body = { objective, baseline, suites, sizes };
  const key = JSON.stringify(body);
  const ranking = useAnswer<RankingAnswer | null>(key, async (signal) =>
    objective ? ask("study/ranking", body, signal) : null,
  );
  if (!objective)
    return (
      <>
        <h1>Study</h1>
        <p className="notice">This study has no finished run yet.</p>
      </>
    );
  const curves = ranking.value?.[over === "compiles" ? "over_compiles" : "over_seconds"] ?? [];

  return (
    <div className="study">
      <div className="heading">
        <h1>Study</h1>
        <p>
          {plural(about.programs.length, "program")}, {plural(about.methods.length, "method")},{" "}
          {plural(about.runs, "run")}
          {about.failed_runs > 0 &&
            `, of which ${number(about.failed_runs)} failed and count as no improvement`}
          {about.in_progress && "; it is not finished"}
        </p>
      </div>
      <div className="card">
        <div className="controls">
          <Select
            label="Objective"
            value={objective}
            options={options(about.objectives)}
            choose={setObjective}
          />
          <Select label="Over" value={baseline} options={options(about.baselines)} choose={setBaseline} />
        </div>
        <div className="controls">
          <Picks title="Suites (none: all)" names={about.suites} picked={suites} pick={setSuites} />
          <Picks
            title="Sizes before any pass, in instructions (none: all)"
            names={present}
            picked={sizes}
            pick={setSizes}
          />
        </div>
      </div>
      <Failure error={ranking.error} />
      {ranking.value && (
        <>
          <section className="card">
            <h2>Methods</h2>
            <p className="quiet" role="status">
              {plural(ranking.value.programs, "program")}, {plural(ranking.value.seeds, "seed")}
              {ranking.value.left_out > 0 &&
                `; ${plural(ranking.value.left_out, "run")} left out, for other methods lack their counterparts`}
              . Improvement over {baseline}: the mean of the means of suites, with its 95 % interval.
            </p>
            <Ranking answer={ranking.value} />
          </section>
          <section className="card">
            <h2>On the way</h2>
            <Select
              label="Over"
              value={over}
              options={options(["compiles", "seconds"])}
              choose={(value) => setOver(value as "compiles" | "seconds")}
            />
            {curves.length > 0 && (
              <Curve
                label={`Improvement of each method over clang-Oz, over ${over}`}
                x={curves[0]!.x}
                lines={curves.map(({ method, y }) => ({
                  name: method,
                  stepped: true,
                  y: y.map((value) => value * 100),
                }))}
                xLabel={over === "compiles" ? "compiles" : "processor seconds"}
                yLabel="improvement over clang-Oz, %"
                logarithmic
              />
            )}
          </section>
          {about.methods.length > 1 && <Against about={about} body={body} />}
        </>
      )}
      <section className="card">
        <h2>Where it comes from</h2>
        <dl className="provenance">
          {about.provenance.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}

function Against({ about, body }: { about: About; body: object }) {
  const [a, setA] = useState(about.methods[0]!);
  const [b, setB] = useState(about.methods[1]!);
  const pairs = useAnswer<{ pairs: Pair[] }>(JSON.stringify([body, a, b]), (signal) =>
    ask("study/pairs", { ...body, a, b }, signal),
  );
  const rows = useMemo(
    () => [...(pairs.value?.pairs ?? [])].sort((one, two) => two.b - two.a - (one.b - one.a)),
    [pairs.value],
  );
  const sizes = useMemo(() => new Map(about.programs.map((program) => [program.uri, program])), [about]);
  const better = rows.filter((row) => row.b > row.a).length;
  const worse = rows.filter((row) => row.b < row.a).length;
  return (
    <section className="card">
      <h2>Two methods, program by program</h2>
      <div className="controls">
        <Select label="Across" value={a} options={options(about.methods)} choose={setA} />
        <Select label="Up" value={b} options={options(about.methods)} choose={setB} />
      </div>
      <Failure error={pairs.error} />
      {pairs.value && (
        <>
          <p role="status">
            {b} is better on {number(better)} of {plural(rows.length, "program")}, worse on {number(worse)}.
          </p>
          <div className="duel">
            <Scatter pairs={rows} a={a} b={b} />
            <div className="pairs">
              <div className="pair head" aria-hidden="true">
                <span className="name">program</span>
                <span title={a}>{a}</span>
                <span title={b}>{b}</span>
              </div>
              <LongList
                items={rows}
                height={26}
                label={`Programs with what ${a} and ${b} make of each, those where ${b} is better by most first`}
                row={(row) => (
                  <div className="pair" key={row.program} style={{ height: 26 }}>
                    <span
                      className="name"
                      title={`${row.program}: ${number(sizes.get(row.program)?.instructions ?? 0)} instructions`}
                    >
                      {row.program}
                    </span>
                    <span>{share(row.a)}</span>
                    <span>{share(row.b)}</span>
                  </div>
                )}
              />
            </div>
          </div>
        </>
      )}
    </section>
  );
}
