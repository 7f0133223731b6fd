// What could be done from here: what the policy prefers, what each action would do, and why the policy thinks
// so.
import { useEffect, useMemo, useRef, useState } from "react";
import { ask, listen } from "../api";
import { chance, plural } from "../ui/format";
import { Delta, Failure } from "../ui/pieces";
import type { About, State, Tried, Why } from "./types";

interface Props {
  about: About;
  actions: string[];
  state: State | undefined;
  /** Whether something was done from here already, so that another choice is another branch. */
  branches: boolean;
  apply: (action: string) => void;
}

interface Choice {
  name: string;
  probability?: number;
  tried?: Tried;
}

/** The best by measurement first, then by the policy, then as they come; failures last. */
export function order(choices: Choice[]): Choice[] {
  const rank = ({ tried }: Choice) => (tried === undefined ? 1 : tried.value === undefined ? 2 : 0);
  return choices
    .map((choice, i) => ({ choice, i }))
    .sort(
      (a, b) =>
        rank(a.choice) - rank(b.choice) ||
        (a.choice.tried?.value ?? 0) - (b.choice.tried?.value ?? 0) ||
        (b.choice.probability ?? -1) - (a.choice.probability ?? -1) ||
        a.i - b.i,
    )
    .map(({ choice }) => choice);
}

export function Choices({ about, actions, state, branches, apply }: Props) {
  const key = JSON.stringify(actions);
  const [tried, setTried] = useState<Map<string, Tried>>(new Map());
  const [error, setError] = useState<unknown>(null);
  const [filter, setFilter] = useState("");
  const [asked, setAsked] = useState<string | null>(null);
  const trying = useRef<AbortController | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    setTried(new Map());
    setError(null);
    setAsked(null);
    return () => trying.current?.abort();
  }, [key]);

  const tryAll = async () => {
    const control = (trying.current = new AbortController());
    setBusy(true);
    setError(null);
    try {
      await listen(
        "program/try",
        { actions },
        (event, data) =>
          event === "tried" && setTried((before) => new Map(before).set((data as Tried).action, data)),
        control.signal,
      );
    } catch (problem) {
      if (!control.signal.aborted) setError(problem);
    }
    if (trying.current === control) setBusy(false);
  };

  const choices = useMemo(() => {
    const preferred = new Map(state?.preferred.map(({ action, probability }) => [action, probability]));
    return order(
      about.actions.map(({ name }) => ({ name, probability: preferred.get(name), tried: tried.get(name) })),
    );
  }, [about, state, tried]);
  const shown = choices.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
  const likeliest = Math.max(...(state?.preferred.map(({ probability }) => probability) ?? []), 1e-9);
  const stop = state?.preferred.find(({ action }) => action === "stop");

  return (
    <>
      <div className="bar">
        <h2 id="choices-title">From here</h2>
        {busy ? (
          <button onClick={() => (trying.current?.abort(), setBusy(false))}>Stop</button>
        ) : (
          <button onClick={() => void tryAll()} disabled={!state}>
            Try all
          </button>
        )}
      </div>
      <p className="quiet" role="status">
        {busy
          ? `trying: ${tried.size} of ${about.actions.length}`
          : tried.size > 0
            ? `${[...tried.values()].filter(({ value }) => state && value !== undefined && value < state.value).length} of ${tried.size} make it smaller`
            : branches
              ? "A choice here begins another branch."
              : about.no_policy ||
                (stop ? `The policy would stop here with ${chance(stop.probability)}.` : "")}
      </p>
      <Failure error={error} />
      <label className="field">
        <span className="unseen">Filter actions</span>
        <input
          type="search"
          placeholder={`Filter ${plural(about.actions.length, "action")}`}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      </label>
      <ul className="choices" aria-label="Actions">
        {shown.map((choice) => (
          <li key={choice.name}>
            <button
              className="choice"
              onClick={() => (setFilter(""), apply(choice.name))}
              title={about.actions.find(({ name }) => name === choice.name)?.text.slice(0, 400)}
            >
              <span className="name">{choice.name}</span>
              <Effect choice={choice} state={state} />
            </button>
            {choice.probability !== undefined && (
              <button
                className="odds"
                aria-expanded={asked === choice.name}
                aria-label={`Why the policy gives ${choice.name} ${chance(choice.probability)}`}
                onClick={() => setAsked(asked === choice.name ? null : choice.name)}
              >
                <span className="meter" aria-hidden="true">
                  <span style={{ width: `${(100 * choice.probability) / likeliest}%` }} />
                </span>
                {chance(choice.probability)}
              </button>
            )}
            {asked === choice.name && <Reasons actions={actions} action={choice.name} />}
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="quiet">No action has “{filter}” in its name.</p>}
    </>
  );
}

function Effect({ choice: { tried }, state }: { choice: Choice; state: State | undefined }) {
  if (!tried || !state) return null;
  if (tried.value === undefined) return <span className="failed">{tried.status}</span>;
  if (!tried.changed) return <span className="quiet">nothing</span>;
  return <Delta value={tried.value - state.value} />;
}

function Reasons({ actions, action }: { actions: string[]; action: string }) {
  const [why, setWhy] = useState<Why | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const control = new AbortController();
    ask<Why>("program/why", { actions, action }, control.signal).then(
      setWhy,
      (problem) => control.signal.aborted || setError(problem),
    );
    return () => control.abort();
  }, [action]);
  if (error) return <Failure error={error} />;
  if (!why) return <p className="quiet reasons">…</p>;
  return (
    <ul className="reasons">
      {why.clues.slice(0, 6).map(({ feature, words, log_odds }) => (
        <li key={feature}>
          <span className="factor">×{Math.exp(log_odds).toPrecision(2)}</span> {words}
        </li>
      ))}
      {why.clues.length === 0 && <li>Nothing in particular spoke for or against it.</li>}
    </ul>
  );
}
