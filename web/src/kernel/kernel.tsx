// A kernel of MLIR: the steps of its schedule, its code before and after each, and the time that comes of it.
import { useState } from "react";
import { ask } from "../api";
import { number, percent, plural } from "../ui/format";
import { Failure, Select, useAnswer } from "../ui/pieces";
import { Diff } from "../program/diff";
import { Candidates, type Candidate } from "./candidates";
import { duration } from "./duration";
import { Tiles, type Cache, type Operation } from "./tiles";

export interface About {
  kernel: string;
  source: string;
  baseline: string;
  searcher: string;
  verified: string;
  stock: string[];
  figures: { metric: string; baseline: number; tuned: number }[];
  steps: { name: string; saves: number | null }[];
  /** Nothing where no search wrote them down. */
  candidates: Candidate[] | null;
}

interface State {
  ir: string;
  schedule: string;
  cost: number | null;
  time_ns: number | null;
  operations: Operation[];
  caches: Cache[];
}

const stateAfter = (steps: number) => (signal: AbortSignal) => ask<State>("kernel/state", { steps }, signal);

export function KernelView() {
  const about = useAnswer<About>("kernel", (signal) => ask("kernel/about", undefined, signal));
  if (!about.value)
    return about.error ? <Failure error={about.error} /> : <p className="quiet">Opening the kernel…</p>;
  return <Opened about={about.value} />;
}

function Opened({ about }: { about: About }) {
  const [at, setAt] = useState(about.steps.length);
  const [form, setForm] = useState<"ir" | "schedule">("ir");
  const [against, setAgainst] = useState("before");
  const from = against === "before" ? Math.max(at - 1, 0) : 0;
  const now = useAnswer<State>(`after ${at}`, stateAfter(at));
  const before = useAnswer<State>(`after ${from}`, stateAfter(from));
  return (
    <div className="kernel">
      <div className="heading">
        <h1>{about.kernel}</h1>
        {about.figures.map(({ metric, baseline, tuned }) => (
          <p key={metric}>
            <span className="figure">{metric === "time_ns" ? duration(tuned) : number(tuned)}</span>{" "}
            {metric !== "time_ns" && `${metric} `}· <strong>{percent(tuned, baseline)}</strong> against{" "}
            {about.baseline}
          </p>
        ))}
        <p className="quiet">
          {about.source}, found by {about.searcher}; {about.verified}
        </p>
      </div>
      <section className="card" aria-labelledby="steps">
        <h2 id="steps">Steps</h2>
        <ol className="experiments">
          {[null, ...about.steps].map((step, i) => (
            <li key={i}>
              <button aria-pressed={i === at} onClick={() => setAt(i)}>
                <span className="name">{step?.name ?? "the kernel as given"}</span>
                <span className="quiet">
                  {step?.saves != null && `leaving it out costs ${duration(step.saves)}`}
                </span>
              </button>
            </li>
          ))}
        </ol>
      </section>
      <section className="card" aria-labelledby="code">
        <h2 id="code">After {plural(at, "step")}</h2>
        <div className="controls">
          <Select
            label="As"
            value={form}
            options={[
              { value: "ir", label: "loops (IR)" },
              { value: "schedule", label: "schedule (transform dialect)" },
            ]}
            choose={(value) => setForm(value as "ir" | "schedule")}
          />
          <Select
            label="Against"
            value={against}
            options={[
              { value: "before", label: "the step before" },
              { value: "given", label: "the kernel as given" },
            ]}
            choose={setAgainst}
          />
        </div>
        <Failure error={now.error ?? before.error} />
        {now.value && (
          <p role="status">
            {now.value.time_ns !== null && `It takes ${duration(now.value.time_ns)} on this machine`}
            {now.value.cost !== null &&
              `; ${number(Math.round(now.value.cost))} cycles by the model of one core`}
          </p>
        )}
        {now.value && before.value && (
          <Diff
            before={before.value[form]}
            after={now.value[form]}
            form="ir"
            together
            labels={["before", `after ${plural(at, "step")}`]}
          />
        )}
      </section>
      {now.value && (
        <section className="card" aria-labelledby="tiles">
          <h2 id="tiles">Tiles and caches after {plural(at, "step")}</h2>
          <Tiles operations={now.value.operations} caches={now.value.caches} />
        </section>
      )}
      {about.candidates && (
        <section className="card" aria-labelledby="candidates">
          <h2 id="candidates">What was tried</h2>
          <Candidates candidates={about.candidates} />
        </section>
      )}
      <section className="card">
        <h2>With stock MLIR</h2>
        <pre className="block" tabIndex={0} role="region" aria-label="Commands of stock MLIR">
          {about.stock.join("\n")}
        </pre>
      </section>
    </div>
  );
}
