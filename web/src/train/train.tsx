// A training that another process is at, followed by its events: for each stage the curves that say most, and any other.
import { useMemo, useState } from "react";
import { Curve } from "../ui/curve";
import { standing, Stop, useFollowed, type Followed } from "../ui/follow";
import { number, plural } from "../ui/format";
import { Failure, Select } from "../ui/pieces";

export interface Stage {
  name: string;
  /** What its steps are: "epoch", "batch", "step". */
  step: string;
  count: number;
  steps: number[];
  curves: { name: string; values: (number | null)[] }[];
}

export interface Training extends Followed {
  about: Record<string, unknown>;
  stages: Stage[];
  best: { stage: string; step: number } | null;
}

const kTitles: Record<string, string> = { clone: "Cloning", practise: "Practice", training: "Training" };
// What belongs together in one picture, the first that is there being shown first.
const kTogether = [
  ["mean_gain", "judged"],
  ["reward"],
  ["loss", "held_out_loss"],
  ["eval_loss"],
  ["held_out_accuracy"],
];

/** Pictures of a stage: curves that belong together, then each of the others alone. */
export function picturesOf(stage: Stage): string[][] {
  const names = stage.curves.map(({ name }) => name);
  const together = kTogether
    .map((group) => group.filter((name) => names.includes(name)))
    .filter((group) => group.length > 0);
  const rest = names.filter((name) => !together.some((group) => group.includes(name)));
  return [...together, ...rest.map((name) => [name])];
}

export function TrainView() {
  const training = useFollowed<Training>("train");
  return (
    <>
      <Failure error={training.error} />
      {training.value ? (
        <Told training={training.value} />
      ) : (
        training.busy && <p className="quiet">Reading the events…</p>
      )}
    </>
  );
}

function Told({ training }: { training: Training }) {
  const { about, stages, best } = training;
  return (
    <div className="training">
      <div className="heading">
        <h1>{typeof about.output === "string" ? about.output : "Training"}</h1>
        <p className="quiet" role="status">
          {standing(training)}
          {stages.length === 0
            ? ": it gets ready"
            : `: ${stages.map(({ name, step, count }) => `${kTitles[name] ?? name}, ${plural(count, step, step === "batch" ? "batches" : `${step}s`)}`).join("; ")}`}
          {best && `; what is kept is of ${kTitles[best.stage] ?? best.stage}, number ${number(best.step)}`}
        </p>
        <Stop kind="train" command="ordo train" told={training} />
      </div>
      {stages
        .map((stage) => (
          <StageCard key={stage.name} stage={stage} best={best?.stage === stage.name ? best.step : null} />
        ))
        .reverse()}
      {Object.keys(about).length > 0 && (
        <section className="card">
          <h2>What is trained</h2>
          <dl className="facts">
            {Object.entries(about).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{typeof value === "number" ? number(value) : String(value)}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </div>
  );
}

function StageCard({ stage, best }: { stage: Stage; best: number | null }) {
  const pictures = useMemo(() => picturesOf(stage), [stage]);
  const [chosen, choose] = useState<string | null>(null);
  const names = pictures.map((group) => group.join(" and "));
  const shown = pictures[Math.max(names.indexOf(chosen ?? ""), 0)] ?? [];
  const lines = useMemo(
    () =>
      shown.map((name) => ({
        name,
        y: stage.curves.find((curve) => curve.name === name)!.values,
      })),
    [stage, shown.join()],
  );
  const last = lines.flatMap(({ name, y }) => {
    const value = y.findLast((one) => one !== null);
    return value == null ? [] : [`${name} ${number(Number(value.toPrecision(4)))}`];
  });
  return (
    <section className="card">
      <h2>{kTitles[stage.name] ?? stage.name}</h2>
      <div className="controls">
        <Select
          label="Show"
          value={shown.join(" and ")}
          options={names.map((value) => ({ value }))}
          choose={choose}
        />
      </div>
      <p className="quiet">
        After {stage.step} {number(stage.steps.at(-1) ?? 0)}: {last.join(", ") || "nothing was said"}
        {best !== null && `; the best is of ${stage.step} ${number(best)}`}
      </p>
      {lines.length > 0 && (
        <Curve
          label={`${shown.join(" and ")} over ${stage.step}`}
          x={stage.steps}
          lines={lines}
          xLabel={stage.step}
          yLabel={shown.join(", ")}
        />
      )}
    </section>
  );
}
