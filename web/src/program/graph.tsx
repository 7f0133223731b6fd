// Control flow of a function after the passes, or who calls whom, drawn; what is chosen is shown as text.
import { useState } from "react";
import { ask } from "../api";
import { plural } from "../ui/format";
import { Failure, Select, useAnswer } from "../ui/pieces";
import { Calls } from "./calls";
import { blocksOf, layoutOf, kMost, type Block, type Layout } from "./cfg";
import { Drawing } from "./drawing";
import type { FunctionRow } from "./types";

const kKinds = [
  { value: "flow", label: "blocks of a function" },
  { value: "calls", label: "calls of the program" },
];

interface Props {
  actions: string[];
  name: string | null;
  choose: (name: string | null) => void;
}

export function Graph({ actions, name, choose }: Props) {
  const [kind, setKind] = useState("flow");
  const list = useAnswer<{ functions: FunctionRow[] }>(JSON.stringify(actions), (signal) =>
    ask("program/functions", { actions, from: actions }, signal),
  );
  const rows = (list.value?.functions ?? []).filter((row) => row.name !== "");
  const chosen = rows.find((row) => row.name === name) ?? rows[0];
  return (
    <div className="graph">
      <div className="controls">
        <Select label="Of" value={kind} options={kKinds} choose={setKind} />
        {kind === "flow" && (
          <Select
            label="Function"
            value={chosen?.name ?? ""}
            options={rows.map((row) => ({ value: row.name, label: row.shown }))}
            choose={choose}
          />
        )}
      </div>
      <Failure error={list.error} />
      {kind === "calls" && <Calls actions={actions} look={(one) => (choose(one), setKind("flow"))} />}
      {kind === "flow" && chosen && (
        <Flow key={chosen.name} actions={actions} name={chosen.name} shown={chosen.shown} />
      )}
    </div>
  );
}

function Flow({ actions, name, shown }: { actions: string[]; name: string; shown: string }) {
  const [at, setAt] = useState(0);
  const flow = useAnswer<{ blocks: Block[]; layout: Layout | null }>(
    JSON.stringify([actions, name]),
    async (signal) => {
      const { text } = await ask<{ text: string }>("program/function", { actions, name, form: "ir" }, signal);
      const blocks = blocksOf(text);
      return { blocks, layout: await layoutOf(blocks) };
    },
  );
  if (flow.error) return <Failure error={flow.error} />;
  if (!flow.value) return <p className="quiet">…</p>;
  const { blocks, layout } = flow.value;
  const block = blocks[Math.min(at, blocks.length - 1)];
  if (!block) return <p className="quiet">It is only declared here: there are no blocks.</p>;
  return (
    <>
      <p className="quiet" role="status">
        {plural(blocks.length, "block")}
        {layout === null && `: more than the ${kMost} that can be drawn`}
      </p>
      {layout && (
        <Drawing
          label={`Control flow of ${shown}`}
          nodes={blocks.map((one) => ({ name: one.name, note: plural(one.lines.length, "line") }))}
          layout={layout}
          at={at}
          ordered
          look={setAt}
        />
      )}
      <h3>
        {block.name}
        {block.targets.length > 0 && <span className="quiet"> goes on to {block.targets.join(", ")}</span>}
      </h3>
      <pre className="block" tabIndex={0} role="region" aria-label={`Block ${block.name}`}>
        {block.lines.join("\n")}
      </pre>
    </>
  );
}
