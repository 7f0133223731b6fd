// One function before and after a pass, as IR or as assembly.
import { useState, useSyncExternalStore } from "react";
import { ask } from "../api";
import { plural } from "../ui/format";
import { Failure, Select, useAnswer, useSettled } from "../ui/pieces";
import { Diff } from "./diff";
import type { FunctionRow } from "./types";

interface Props {
  before: string[];
  now: string[];
  /** What led from one to the other; null at the program as given. */
  action: string | null;
  /** The function that somebody chose, and how another is; null: what changed most. */
  name: string | null;
  choose: (name: string | null) => void;
}

type Form = "ir" | "asm" | "both";
type Against = "before" | "given";

const kForms = [
  { value: "ir", label: "IR" },
  { value: "asm", label: "assembly" },
  { value: "both", label: "IR beside assembly" },
];
const kAgainst = [
  { value: "before", label: "the pass before" },
  { value: "given", label: "the program as given" },
];

function useRoom(): boolean {
  const query = "(min-width: 1100px)";
  return useSyncExternalStore(
    (changed) => {
      const media = matchMedia(query);
      media.addEventListener("change", changed);
      return () => media.removeEventListener("change", changed);
    },
    () => matchMedia(query).matches,
  );
}

const kOutside = "outside of functions";

/** What changed first, most of it at the top; then the rest in the order of the program. */
export function sortFunctions(rows: FunctionRow[]): FunctionRow[] {
  const weight = (row: FunctionRow) => (row.presence === "both" ? row.added + row.removed : row.lines + 1);
  const changed = (row: FunctionRow) => row.presence !== "both" || row.added + row.removed > 0;
  return [
    ...rows.filter(changed).sort((a, b) => weight(b) - weight(a)),
    ...rows.filter((row) => !changed(row)),
  ];
}

/** Passes number unnamed values, attributes and metadata anew; here they have no number. */
export const withoutNumbers = (text: string): string =>
  text.replace(/([%#!])\d+\b/g, "$1_").replace(/^\d+:/gm, "_:");

/** What is compared: without numbers if that is wanted, but with them where there is nothing else to see. */
export function compared(texts: [string, string], plain: boolean): [string, string] {
  const [before, after] = texts.map(withoutNumbers) as [string, string];
  if (before === after) return [texts[1], texts[1]];
  return plain ? [before, after] : texts;
}

export const labelOf = (row: FunctionRow): string => {
  const name = row.shown || kOutside;
  if (row.presence !== "both") return `${name} (${row.presence})`;
  return row.added + row.removed > 0 ? `${name} (+${row.added} −${row.removed})` : name;
};

/** Options of a list of functions, of which none has a name that begins so. */
const kMostChanged = "\\most";

export function Code({ before, now, action, name, choose }: Props) {
  const [form, setForm] = useState<Form>("ir");
  const [against, setAgainst] = useState<Against>("before");
  const [side, setSide] = useState(true);
  const [plain, setPlain] = useState(true);
  const room = useRoom();
  const from = against === "before" ? before : [];
  const key = JSON.stringify([from, now]);
  const list = useAnswer<{ functions: FunctionRow[] }>(key, (signal) =>
    ask("program/functions", { actions: now, from }, signal),
  );
  const rows = sortFunctions(list.value?.functions ?? []);
  // Whoever chose a function goes on with it from state to state, and comes back to it where a state has it not.
  const most = rows.find((row) => row.name !== "") ?? rows[0];
  const chosen = rows.find((row) => row.name === name) ?? most;
  // Of another state it is shown once it is known which changed most.
  const shown = useSettled(
    chosen && { from, now, name: chosen.name, title: chosen.shown || kOutside },
    list.of === key,
  );
  const changed = rows.filter((row) => row.presence !== "both" || row.added + row.removed > 0).length;

  return (
    <div className="code">
      <div className="controls">
        <Select
          label="Function"
          value={name === null ? kMostChanged : (chosen?.name ?? "")}
          options={[
            { value: kMostChanged, label: `what changed most${most ? `: ${labelOf(most)}` : ""}` },
            ...rows.map((row) => ({ value: row.name, label: labelOf(row) })),
          ]}
          choose={(value) => choose(value === kMostChanged ? null : value)}
        />
        <Select label="As" value={form} options={kForms} choose={(value) => setForm(value as Form)} />
        {form !== "both" && (
          <Select
            label="Against"
            value={against}
            options={kAgainst}
            choose={(value) => setAgainst(value as Against)}
          />
        )}
        {form === "ir" && (
          <label>
            <input type="checkbox" checked={plain} onChange={(event) => setPlain(event.target.checked)} />{" "}
            ignore the numbers of values
          </label>
        )}
        {room && form !== "both" && (
          <label>
            <input type="checkbox" checked={side} onChange={(event) => setSide(event.target.checked)} /> side
            by side
          </label>
        )}
      </div>
      <Failure error={list.error} />
      {chosen && chosen.shown !== chosen.name && (
        <p className="quiet symbol">
          Its symbol: <code>{chosen.name}</code>
        </p>
      )}
      {list.value && name !== null && chosen?.name !== name && (
        <p className="quiet">
          <code>{name}</code> is not there in this state.
        </p>
      )}
      <p className="quiet" role="status">
        {list.value &&
          (action
            ? `${action} changed ${changed === 0 ? "nothing" : `${changed} of ${plural(rows.length, "part")}`}.`
            : "The program as given.")}
      </p>
      {shown && form === "both" && <Beside now={shown.now} name={shown.name} title={shown.title} />}
      {shown && form !== "both" && (
        <Texts {...shown} form={form} plain={plain && form === "ir"} together={!side || !room} />
      )}
    </div>
  );
}

interface TextsProps {
  from: string[];
  now: string[];
  name: string;
  title: string;
  form: "ir" | "asm";
  plain: boolean;
  together: boolean;
}

function Texts({ from, now, name, title, form, plain, together }: TextsProps) {
  const texts = useAnswer<[string, string]>(JSON.stringify([from, now, name, form]), async (signal) => {
    const get = async (actions: string[]) =>
      (await ask<{ text: string }>("program/function", { actions, name, form }, signal)).text;
    return [await get(from), await get(now)];
  });
  if (texts.error) return <Failure error={texts.error} />;
  if (!texts.value) return <p className="quiet">…</p>;
  const [before, after] = compared(texts.value, plain);
  if (form === "asm" && !before && !after) return <p className="quiet">No code is made of this part.</p>;
  return (
    <Diff
      before={before}
      after={after}
      form={form}
      together={together}
      labels={[`${title} before`, `${title} after`]}
    />
  );
}

/** What a function is now: its IR, and the assembly that is made of it. */
function Beside({ now, name, title }: { now: string[]; name: string; title: string }) {
  const texts = useAnswer<string[]>(JSON.stringify([now, name]), (signal) =>
    Promise.all(
      ["ir", "asm"].map(
        async (form) =>
          (await ask<{ text: string }>("program/function", { actions: now, name, form }, signal)).text,
      ),
    ),
  );
  if (texts.error) return <Failure error={texts.error} />;
  if (!texts.value) return <p className="quiet">…</p>;
  const [ir = "", asm = ""] = texts.value;
  return (
    <div className="beside">
      <Diff before={ir} after={ir} form="ir" together labels={[`IR of ${title}`, `IR of ${title}`]} />
      <Diff
        before={asm}
        after={asm}
        form="asm"
        together
        labels={[`Assembly of ${title}`, `Assembly of ${title}`]}
      />
    </div>
  );
}
