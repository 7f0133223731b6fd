// Control flow of a function after the passes, drawn; a block that is chosen is shown as text.
import { useState } from "react";
import { ask } from "../api";
import { plural } from "../ui/format";
import { Failure, Select, useAnswer } from "../ui/pieces";
import { blocksOf, dotOf, parsePlain, type Block, type Layout } from "./cfg";
import type { FunctionRow } from "./types";

// Of more the layout takes seconds, and nobody sees anything.
const kMost = 400;

async function layoutOf(blocks: Block[]): Promise<Layout> {
  const { Graphviz } = await import("@hpcc-js/wasm-graphviz");
  return parsePlain((await Graphviz.load()).layout(dotOf(blocks), "plain", "dot"));
}

export function Graph({ actions }: { actions: string[] }) {
  const [name, setName] = useState<string | null>(null);
  const list = useAnswer<{ functions: FunctionRow[] }>(JSON.stringify(actions), (signal) =>
    ask("program/functions", { actions, from: actions }, signal),
  );
  const rows = (list.value?.functions ?? []).filter((row) => row.name !== "");
  const chosen = rows.find((row) => row.name === name) ?? rows[0];
  return (
    <div className="graph">
      <div className="controls">
        <Select
          label="Function"
          value={chosen?.name ?? ""}
          options={rows.map((row) => ({ value: row.name }))}
          choose={setName}
        />
      </div>
      <Failure error={list.error} />
      {chosen && <Flow key={chosen.name} actions={actions} name={chosen.name} />}
    </div>
  );
}

function Flow({ actions, name }: { actions: string[]; name: string }) {
  const [at, setAt] = useState(0);
  const flow = useAnswer<{ blocks: Block[]; layout: Layout | null }>(
    JSON.stringify([actions, name]),
    async (signal) => {
      const { text } = await ask<{ text: string }>("program/function", { actions, name, form: "ir" }, signal);
      const blocks = blocksOf(text);
      return { blocks, layout: blocks.length > 0 && blocks.length <= kMost ? await layoutOf(blocks) : null };
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
      {layout && <Drawing name={name} blocks={blocks} layout={layout} at={at} look={setAt} />}
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

interface DrawingProps {
  name: string;
  blocks: Block[];
  layout: Layout;
  at: number;
  look: (block: number) => void;
}

function arrow([x, y]: [number, number], [fromX, fromY]: [number, number]): string {
  const length = Math.hypot(x - fromX, y - fromY) || 1;
  const [dx, dy] = [((x - fromX) / length) * 7, ((y - fromY) / length) * 7];
  const point = (px: number, py: number) => `${px.toFixed(1)} ${py.toFixed(1)}`;
  return `M${point(x, y)} L${point(x - dx - dy / 2, y - dy + dx / 2)} L${point(x - dx + dy / 2, y - dy - dx / 2)}Z`;
}

function Drawing({ name, blocks, layout, at, look }: DrawingProps) {
  return (
    <div className="scroll drawing" role="group" aria-label={`Control flow of ${name}`}>
      <div style={{ position: "relative", width: layout.width + 8, height: layout.height + 8 }}>
        <svg
          width={layout.width + 8}
          height={layout.height + 8}
          viewBox={`-4 -4 ${layout.width + 8} ${layout.height + 8}`}
          aria-hidden="true"
        >
          {layout.edges.map((edge, i) => (
            <g key={i} className={edge.to <= edge.from ? "edge back" : "edge"}>
              <path d={edge.path} />
              <path className="tip" d={arrow(edge.tip, edge.before)} />
            </g>
          ))}
        </svg>
        {layout.nodes.map(({ block, x, y, width, height }) => (
          <button
            key={block}
            className="node"
            aria-pressed={block === at}
            style={{ left: x - width / 2 + 4, top: y - height / 2 + 4, width, height }}
            onClick={() => look(block)}
          >
            <span className="name">{blocks[block]!.name}</span>
            <span className="quiet">{plural(blocks[block]!.lines.length, "line")}</span>
          </button>
        ))}
      </div>
    </div>
  );
}
