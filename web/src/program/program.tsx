// A program being optimised. The sequence and the state that is looked at are the address; all else follows.
import { useEffect, useMemo, useState } from "react";
import type { Address } from "../address";
import { ask } from "../api";
import { number, percent, plural } from "../ui/format";
import { Failure, Tabs, useAnswer, useSettled } from "../ui/pieces";
import { Branches } from "./branches";
import { Choices } from "./choices";
import { Code } from "./code";
import { Features } from "./features";
import { Graph } from "./graph";
import { PassList } from "./pass_list";
import { Reproduce } from "./reproduce";
import { Search } from "./search";
import type { About, Path } from "./types";

interface Props {
  address: Address;
  go: (to: Address, replace?: boolean) => void;
  version: string;
}

export function ProgramView({ address, go, version }: Props) {
  const about = useAnswer<About>("program", (signal) => ask("program/about", undefined, signal));
  if (!about.value)
    return about.error ? <Failure error={about.error} /> : <p className="quiet">Opening the program…</p>;
  return <Opened about={about.value} address={address} go={go} version={version} />;
}

function Opened({ about, address, go, version }: Props & { about: About }) {
  const fresh = address.view !== "program" || !address.program;
  const actions = fresh ? about.begin : address.actions;
  const at = Math.min((fresh ? null : address.at) ?? actions.length, actions.length);
  const key = JSON.stringify(actions);
  const path = useAnswer<Path>(key, (signal) => ask("program/states", { actions }, signal));
  const [seen, setSeen] = useState<string[][]>([]);
  // The function that is looked at, as code and as a graph, whatever passes come and go.
  const [name, choose] = useState<string | null>(null);

  const to = (next: string[], place: number | null = null, replace = false) =>
    go(
      { view: "program", program: about.program, hash: about.hash, version, actions: next, at: place },
      replace,
    );
  useEffect(() => {
    if (fresh) to(actions, null, true);
  }, [fresh]);

  // What is left for another branch can be come back to.
  const visit = (next: string[], place: number | null = null) => {
    const goesOn = actions.every((action, i) => next[i] === action);
    if (!goesOn && actions.length > 0)
      setSeen((before) => [actions, ...before.filter((one) => JSON.stringify(one) !== key)].slice(0, 12));
    to(next, place);
  };
  const apply = (action: string) => visit([...actions.slice(0, at), action]);

  const states = path.value?.states ?? [];
  const state = states[Math.min(at, states.length - 1)];
  const now = useMemo(() => actions.slice(0, at), [key, at]);
  // Code is asked for once the states are told: what the pass did is seen first, and the server goes that way
  // once. Until then it stays what it was.
  const code = useSettled(
    { before: now.slice(0, -1), now, action: actions[at - 1] ?? null },
    path.of === key,
  );
  const foreign =
    !fresh && (address.program !== about.program || (address.hash && address.hash !== about.hash));

  return (
    <div className="program">
      <Heading about={about} value={state?.value} length={at} />
      {foreign && (
        <p className="notice" role="status">
          This address is of {address.program === about.program ? "another version of " : ""}
          <code>{address.program}</code>: what the passes do here may differ. Open it with{" "}
          <code>ordo web {address.program}</code>.
        </p>
      )}
      <Failure error={path.error} />
      {path.value?.failed && (
        <p className="failure" role="alert">
          {actions[path.value.failed.at]} {path.value.failed.status} here
          {path.value.failed.detail && `: ${path.value.failed.detail}`}
        </p>
      )}
      <div className="columns">
        <section className="card" aria-labelledby="passes-title">
          <PassList
            about={about}
            actions={actions}
            states={states}
            at={at}
            busy={path.busy}
            look={(place) => to(actions, place)}
            visit={visit}
          />
          <Branches seen={seen} current={key} visit={(one) => visit(one)} />
        </section>
        <section className="card wide" aria-label="What it does">
          <Tabs
            label="What it does"
            tabs={[
              {
                name: "code",
                label: "Code",
                content: () =>
                  code ? <Code {...code} name={name} choose={choose} /> : <p className="quiet">…</p>,
              },
              {
                name: "graph",
                label: "Graph",
                content: () => code && <Graph actions={code.now} name={name} choose={choose} />,
              },
              {
                name: "features",
                label: "Features",
                content: () => (
                  <Features
                    about={about}
                    actions={actions}
                    states={states}
                    at={at}
                    look={(place) => to(actions, place)}
                  />
                ),
              },
              {
                name: "search",
                label: "Search",
                content: () => <Search about={about} actions={now} visit={visit} />,
              },
              {
                name: "reproduce",
                label: "Reproduce",
                content: () => code && <Reproduce about={about} actions={code.now} />,
              },
            ]}
          />
        </section>
        <section className="card" aria-labelledby="choices-title">
          <Choices about={about} actions={now} state={state} branches={at < actions.length} apply={apply} />
        </section>
      </div>
    </div>
  );
}

function Heading({ about, value, length }: { about: About; value: number | undefined; length: number }) {
  return (
    <div className="heading">
      <h1 title={about.program}>{about.program}</h1>
      <p>
        <span className="figure">
          {value === undefined ? "…" : number(value)} <small>{about.unit}</small>
        </span>{" "}
        {length === 0 ? "before any pass" : `after ${plural(length, "pass", "passes")}`}
        {value !== undefined && (
          <>
            {" "}
            · <strong>{percent(value, about.baseline.value)}</strong> against {about.baseline.name} (
            {number(about.baseline.value)})
            {about.reference &&
              ` · ${percent(value, about.reference.value)} against ${about.reference.name} (${number(about.reference.value)})`}
            {length > 0 &&
              ` · ${percent(value, about.start)} against the program as given (${number(about.start)})`}
          </>
        )}
      </p>
      {about.notes.map((note) => (
        <p className="quiet" key={note}>
          {note}
        </p>
      ))}
    </div>
  );
}
