// Who calls whom after the passes: the functions that are defined, drawn, and the one that is chosen in words.
import { useState } from "react";
import { ask } from "../api";
import { plural } from "../ui/format";
import { Failure, useAnswer } from "../ui/pieces";
import { kMost, layoutOf, type Layout } from "./cfg";
import { Drawing } from "./drawing";
import type { Caller } from "./types";

interface Props {
  actions: string[];
  /** Shows the control flow of a function. */
  look: (name: string) => void;
}

export function Calls({ actions, look }: Props) {
  const [at, setAt] = useState(0);
  const calls = useAnswer<{ functions: Caller[]; layout: Layout | null }>(
    JSON.stringify(actions),
    async (signal) => {
      const { functions } = await ask<{ functions: Caller[] }>("program/calls", { actions }, signal);
      const nodes = functions.map((one) => ({ name: one.name, targets: one.calls }));
      return { functions, layout: await layoutOf(nodes) };
    },
  );
  if (calls.error) return <Failure error={calls.error} />;
  if (!calls.value) return <p className="quiet">…</p>;
  const { functions, layout } = calls.value;
  const place = Math.min(at, functions.length - 1);
  const chosen = functions[place];
  if (!chosen) return <p className="quiet">No function is defined here.</p>;
  const callers = functions.filter((one) => one.calls.includes(chosen.name)).map(({ name }) => name);
  return (
    <>
      <p className="quiet" role="status">
        {plural(functions.length, "function")}
        {layout === null && `: more than the ${kMost} that can be drawn`}
      </p>
      {layout && (
        <Drawing
          label="Calls of the program"
          nodes={functions.map(({ name, lines }) => ({ name, note: plural(lines, "line") }))}
          layout={layout}
          at={place}
          look={setAt}
        />
      )}
      <h3>{chosen.name}</h3>
      <p>
        {chosen.calls.length > 0 ? `Calls ${chosen.calls.join(", ")}` : "Calls nothing by name"}
        {callers.length > 0 ? `; is called by ${callers.join(", ")}.` : "; none of these calls it."}
      </p>
      <button onClick={() => look(chosen.name)}>Its control flow</button>
    </>
  );
}
