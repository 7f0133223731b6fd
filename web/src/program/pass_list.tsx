// The passes in order, and what each did to the objective. Arrows move along them, Delete takes the last
// back.
import { useRef, type KeyboardEvent } from "react";
import { chance, number } from "../ui/format";
import { Delta } from "../ui/pieces";
import { shownAction, whatFunctionsSave } from "./by_function";
import type { About, State } from "./types";

interface Props {
  about: About;
  actions: string[];
  states: State[];
  at: number;
  busy: boolean;
  look: (at: number) => void;
  visit: (actions: string[], at?: number | null) => void;
}

export function PassList({ about, actions, states, at, busy, look, visit }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const most = Math.max(about.baseline.value, ...states.map(({ value }) => value), 1);
  const undo = () => visit(actions.slice(0, -1));
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Delete" || event.key === "Backspace") {
      if (actions.length > 0) undo();
      return;
    }
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: actions.length }[event.key];
    if (to === undefined || to < 0 || to > actions.length) return;
    event.preventDefault();
    look(to);
    list.current?.querySelectorAll<HTMLElement>("button.pass")[to]?.focus();
  };
  return (
    <>
      <div className="bar">
        <h2 id="passes-title">Passes</h2>
        <span className="quiet" role="status">
          {busy ? "working…" : ""}
        </span>
        <button onClick={undo} disabled={actions.length === 0} title="Take the last pass back (Delete)">
          Undo
        </button>
        <button onClick={() => visit([])} disabled={actions.length === 0}>
          Clear
        </button>
      </div>
      <ol className="passes" ref={list} onKeyDown={onKey} aria-labelledby="passes-title">
        {[null, ...actions].map((action, i) => {
          const state = states[i];
          const taken = i > 0 ? states[i - 1]?.taken : undefined;
          const saves =
            about.recipe && actions.join() === about.begin.join()
              ? about.recipe.reasons.find((one) => one.action === i - 1)?.saves
              : undefined;
          const byFunction = action ? whatFunctionsSave(about, action) : "";
          return (
            <li key={i}>
              <button
                className={`pass${state && !state.changed ? " idle" : ""}`}
                aria-current={i === at ? "step" : undefined}
                tabIndex={i === at ? 0 : -1}
                onClick={() => look(i)}
              >
                <span className="name">
                  <span className="place" aria-hidden="true">
                    {i}
                  </span>
                  {action ? shownAction(about, action) : "the program as given"}
                </span>
                {state ? (
                  <span className="effect">
                    <span className="track" aria-hidden="true">
                      <span className="fill" style={{ width: `${(100 * state.value) / most}%` }} />
                      <span
                        className="at-baseline"
                        style={{ left: `${(100 * about.baseline.value) / most}%` }}
                      />
                    </span>
                    <span className="value">{number(state.value)}</span>
                    {i > 0 && states[i - 1] ? (
                      <Delta value={state.value - states[i - 1]!.value} />
                    ) : (
                      <span className="delta" />
                    )}
                  </span>
                ) : (
                  <span className="effect quiet">{busy ? "…" : "not reached"}</span>
                )}
                {(taken || saves !== undefined || byFunction) && (
                  <span className="notes">
                    {taken && `policy: ${chance(taken.probability)}, choice ${taken.rank} of ${taken.of}`}
                    {saves !== undefined && ` leaving it out costs ${number(saves)}`}
                    {byFunction && ` saves by function: ${byFunction}`}
                  </span>
                )}
              </button>
            </li>
          );
        })}
      </ol>
      <p className="quiet legend">
        <span className="swatch" aria-hidden="true" /> {about.objective}; the line is {about.baseline.name}
      </p>
    </>
  );
}
