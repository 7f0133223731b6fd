// Sequences as the tree of their common beginnings: where good ones part, and what each comes to.
import { useState } from "react";
import { number, plural } from "../ui/format";
import { Failure, useAnswer } from "../ui/pieces";
import { layoutOf, type Node } from "./cfg";
import { Drawing } from "./drawing";

export interface Found {
  actions: string[];
  value: number;
}

/** A pass after those that lead to it, with the best that lies beyond. */
export interface Branch extends Node {
  pass: string;
  actions: string[];
  best: number;
  /** What the sequence that ends here comes to. */
  value: number | null;
}

/** The root, "", is the start of the search; a branch is named by its place. */
export function treeOf(found: Found[]): Branch[] {
  const branches = new Map<string, Branch>();
  const reach = (actions: string[]): Branch => {
    const key = JSON.stringify(actions);
    const known = branches.get(key);
    if (known) return known;
    const branch = {
      name: String(branches.size),
      targets: [],
      pass: actions.at(-1) ?? "",
      actions,
      best: Infinity,
      value: null,
    };
    branches.set(key, branch);
    return branch;
  };
  for (const { actions, value } of found) {
    for (let length = 0; length <= actions.length; length++) {
      const branch = reach(actions.slice(0, length));
      branch.best = Math.min(branch.best, value);
      if (length === actions.length) {
        branch.value = Math.min(branch.value ?? Infinity, value);
        continue;
      }
      const next = reach(actions.slice(0, length + 1));
      if (!branch.targets.includes(next.name)) branch.targets.push(next.name);
    }
  }
  return [...branches.values()];
}

interface Props {
  found: Found[];
  visit?: (actions: string[]) => void;
}

export function Tree({ found, visit }: Props) {
  const [at, setAt] = useState(0);
  const branches = treeOf(found);
  const layout = useAnswer(JSON.stringify(branches.map(({ targets }) => targets)), () => layoutOf(branches));
  const place = Math.min(at, branches.length - 1);
  const chosen = branches[place];
  if (layout.error) return <Failure error={layout.error} />;
  if (!chosen || !layout.value || layout.value.nodes.length !== branches.length)
    return <p className="quiet">…</p>;
  return (
    <>
      <Drawing
        label="Good sequences by their common beginnings"
        nodes={branches.map(({ pass, best }) => ({ name: pass || "start", note: number(best) }))}
        layout={layout.value}
        at={place}
        look={setAt}
      />
      <p>
        {visit ? (
          <button onClick={() => visit(chosen.actions)}>
            Look after {plural(chosen.actions.length, "pass", "passes")}
          </button>
        ) : (
          `After ${plural(chosen.actions.length, "pass", "passes")}: `
        )}{" "}
        {chosen.value !== null && `A sequence ends here with ${number(chosen.value)}. `}
        The best from here is {number(chosen.best)}.
      </p>
    </>
  );
}
