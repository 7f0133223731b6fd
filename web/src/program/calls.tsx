// Who calls whom after the passes: the functions that are defined, drawn, and the one that is chosen in words.
import { useState } from "react";
import { ask } from "../api";
import { plural } from "../ui/format";
import { Failure, useAnswer } from "../ui/pieces";
import { kMost, layoutOf, type Layout } from "./cfg";
import { Drawing } from "./drawing";
import type { Callers } from "./types";

interface Props {
  actions: string[];
  /** Shows the control flow of a function. */
  look: (name: string) => void;
}

export function Calls({ actions, look }: Props) {
  const [at, setAt] = useState(0);
  const calls = useAnswer<Callers & { layout: Layout | null }>(JSON.stringify(actions), async (signal) => {
    const { functions, shown } = await ask<Callers>("program/calls", { actions }, signal);
    const nodes = functions.map((one) => ({ name: one.name, targets: one.calls }));
    return { functions, shown, layout: await layoutOf(nodes) };
  });
  if (calls.error) return <Failure error={calls.error} />;
  if (!calls.value) return <p className="quiet">…</p>;
  const { functions, shown, layout } = calls.value;
  // Functions may be called as members of every object are.
  const titleOf = (name: string) => (Object.hasOwn(shown, name) ? shown[name]! : name);
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
          nodes={functions.map(({ name, lines }) => ({ name: titleOf(name), note: plural(lines, "line") }))}
          layout={layout}
          at={place}
          look={setAt}
        />
      )}
      <h3>{titleOf(chosen.name)}</h3>
      {titleOf(chosen.name) !== chosen.name && (
        <p className="quiet">
          Its symbol: <code>{chosen.name}</code>
        </p>
      )}
      <p>
        {chosen.calls.length > 0 ? `Calls ${chosen.calls.map(titleOf).join(", ")}` : "Calls nothing by name"}
        {callers.length > 0
          ? `; is called by ${callers.map(titleOf).join(", ")}.`
          : "; none of these calls it."}
      </p>
      <button onClick={() => look(chosen.name)}>Its control flow</button>
    </>
  );
}
