// A search from the state that is looked at: its curve while it goes on, and what came of it.
import { useEffect, useMemo, useRef, useState } from "react";
import { listen } from "../api";
import { Curve } from "../ui/curve";
import { number, percent, plural } from "../ui/format";
import { Delta, Failure, NumberField, Select } from "../ui/pieces";
import { Tree } from "./tree";
import type { About, Answer, Best, SearchEnd } from "./types";

interface Props {
  about: About;
  actions: string[];
  visit: (actions: string[]) => void;
}

// Of long sequences: more would not fit on a screen.
const kBranches = 8;
// Of a curve: more would not be told apart, and drawing them all some ten times a second takes long.
const kMostPoints = 2000;

/** The best so far after each answer. */
export function bestSoFar(points: Answer[]): (number | null)[] {
  let best: number | null = null;
  return points.map(
    ([, , value]) => (best = value !== null && (best === null || value < best) ? value : best),
  );
}

/** Which of so many points are drawn: all, or the last of each of as many parts. */
export function drawnPoints(count: number, most = kMostPoints): number[] {
  const shown = Math.min(count, most);
  return Array.from({ length: shown }, (_, i) => Math.ceil(((i + 1) * count) / shown) - 1);
}

/** What the curve shows at most: outliers would leave the best a flat line. */
export function topOf(points: Answer[], baseline: number): number {
  const best = bestSoFar(points).at(-1) ?? baseline;
  return Math.max(baseline + 2 * Math.abs(baseline - best), baseline * 1.05);
}

export function Search({ about, actions, visit }: Props) {
  const [searcher, setSearcher] = useState("policy");
  const [compiles, setCompiles] = useState(500);
  const [seed, setSeed] = useState(1);
  const [over, setOver] = useState<"compiles" | "seconds">("compiles");
  const [points, setPoints] = useState<Answer[]>([]);
  const [best, setBest] = useState<Best | null>(null);
  const [end, setEnd] = useState<SearchEnd | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = async () => {
    const control = (running.current = new AbortController());
    setBusy(true);
    setPoints([]);
    setBest(null);
    setEnd(null);
    setError(null);
    try {
      await listen(
        "program/search",
        { actions, searcher, compiles, seed },
        (event, data) => {
          if (event === "answers")
            setPoints((before) => [...before, ...(data as { points: Answer[] }).points]);
          if (event === "best") setBest(data as Best);
          if (event === "done") setEnd(data as SearchEnd);
        },
        control.signal,
      );
    } catch (problem) {
      if (!control.signal.aborted) setError(problem);
    }
    setBusy(false);
  };

  const { x, lines, top, above, failed } = useMemo(() => {
    const soFar = bestSoFar(points);
    const drawn = drawnPoints(points.length);
    const top = topOf(points, about.baseline.value);
    return {
      top,
      x: drawn.map((i) => points[i]![over === "compiles" ? 0 : 1]),
      lines: [
        { name: "best so far", y: drawn.map((i) => soFar[i]!), stepped: true },
        ...[about.baseline, about.reference].flatMap((one) =>
          one ? [{ name: one.name, y: drawn.map(() => one.value) }] : [],
        ),
        { name: "answers", y: drawn.map((i) => points[i]![2]), points: true },
      ],
      above: points.filter(([, , value]) => value !== null && value > top).length,
      failed: points.filter(([, , value]) => value === null).length,
    };
  }, [points, over, about]);
  const shown = end ?? best;

  return (
    <div className="search">
      <form
        className="controls"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <Select
          label="Searcher"
          value={searcher}
          options={about.searchers.map(({ name, summary }) => ({ value: name, title: summary }))}
          choose={setSearcher}
        />
        <NumberField label="Compiles" value={compiles} least={10} most={100000} enter={setCompiles} />
        <NumberField label="Seed" value={seed} least={0} most={1000000} enter={setSeed} />
        {busy ? (
          <button type="button" onClick={() => running.current?.abort()}>
            Stop
          </button>
        ) : (
          <button type="submit" className="main">
            Search from here
          </button>
        )}
      </form>
      <p className="quiet">
        {about.searchers.find(({ name }) => name === searcher)?.summary}. It begins with the baseline, the
        program as given and the {plural(actions.length, "pass", "passes")} up to here.
      </p>
      <Failure error={error} />
      {points.length > 0 && (
        <>
          <p role="status">
            {plural(points.length, "compile")}
            {failed > 0 && `, of which ${failed} gave nothing`}
            {best && (
              <>
                ; the best is <strong>{number(best.value)}</strong> {about.unit} (
                {percent(best.value, about.baseline.value)} against {about.baseline.name}), found after{" "}
                {number(best.compiles)} compiles and {number(Math.round(best.seconds * 100) / 100)} s
              </>
            )}
          </p>
          <Select
            label="Over"
            value={over}
            options={[{ value: "compiles" }, { value: "seconds" }]}
            choose={(value) => setOver(value as "compiles" | "seconds")}
          />
          <Curve
            label={`The best ${about.objective} so far, over ${over}`}
            x={x}
            lines={lines}
            xLabel={over}
            top={top}
            yLabel={about.objective}
          />
          {(above > 0 || points.length > x.length) && (
            <p className="quiet">
              {above > 0 && `${plural(above, "answer")} above ${number(top)} not drawn. `}
              {points.length > x.length &&
                `Of the answers every ${number(Math.ceil(points.length / x.length))}th is drawn.`}
            </p>
          )}
        </>
      )}
      {shown && (
        <div className="found">
          <button className={busy ? "" : "main"} onClick={() => visit(shown.actions)}>
            Look at the best ({plural(shown.actions.length, "pass", "passes")})
          </button>
          {end?.stopped && <span className="quiet"> it was stopped</span>}
        </div>
      )}
      {end && end.actions.length > 0 && end.saves.length > 0 && (
        <>
          <h3>Which passes pay</h3>
          <table>
            <thead>
              <tr>
                <th scope="col">pass</th>
                <th scope="col">what leaving it out costs</th>
              </tr>
            </thead>
            <tbody>
              {end.saves.map(({ at, saves }) => (
                <tr key={at}>
                  <th scope="row">
                    <code>{end.actions[at]}</code>
                  </th>
                  <td>{number(saves)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {end && end.others.length > 0 && (
        <>
          <h3>Where good sequences part</h3>
          <Tree found={[end, ...end.others].slice(0, kBranches)} visit={visit} />
          <h3>Others that are good</h3>
          <ul className="others">
            {end.others.map((other) => (
              <li key={other.actions.join()}>
                <button onClick={() => visit(other.actions)} title={other.actions.join(" ")}>
                  {number(other.value)} <Delta value={other.value - about.baseline.value} /> with{" "}
                  {plural(other.actions.length, "pass", "passes")}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
