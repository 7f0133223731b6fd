// Counts of what the program consists of, through time: a table whose cells are tinted by how far a count is
// from its row's smallest to its largest, and say the count itself.
import { useState } from "react";
import { number } from "../ui/format";
import type { About, State } from "./types";

interface Props {
  about: About;
  actions: string[];
  states: State[];
  at: number;
  look: (at: number) => void;
}

export function Features({ about, actions, states, at, look }: Props) {
  const [all, setAll] = useState(false);
  const rows = about.features
    .map((feature, i) => ({ ...feature, values: states.map(({ features }) => features[i] ?? 0) }))
    .map((row) => ({ ...row, least: Math.min(...row.values), most: Math.max(...row.values) }))
    .filter(({ least, most }) => (all ? most > 0 : most > least));
  return (
    <div className="features">
      <label>
        <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} /> also what
        no pass changed
      </label>
      {rows.length === 0 ? (
        <p className="quiet">
          {actions.length === 0 ? "Apply a pass: what it changes shows here." : "No count has changed."}
        </p>
      ) : (
        <div className="scroll" role="region" aria-label="Features through time" tabIndex={0}>
          <table className="heat">
            <thead>
              <tr>
                <th scope="col">count</th>
                {states.map((_, i) => (
                  <th scope="col" key={i} aria-current={i === at ? "step" : undefined}>
                    <button onClick={() => look(i)} title={i === 0 ? "the program as given" : actions[i - 1]}>
                      {i}
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, words, values, least, most }) => (
                <tr key={name}>
                  <th scope="row" title={name}>
                    {words}
                  </th>
                  {values.map((value, i) => (
                    <td
                      key={i}
                      style={
                        {
                          "--heat": most > least ? (value - least) / (most - least) : 0,
                        } as React.CSSProperties
                      }
                      className={i > 0 && value !== values[i - 1] ? "moved" : ""}
                    >
                      {number(value)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p className="quiet">Darker is nearer the largest of its row. A frame marks what that pass changed.</p>
    </div>
  );
}
