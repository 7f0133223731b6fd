import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Address } from "../address";
import { order } from "./choices";
import { Code, compared, labelOf, sortFunctions, withoutNumbers } from "./code";
import { Features } from "./features";
import { PassList } from "./pass_list";
import { ProgramView } from "./program";
import { bestSoFar, drawnPoints, topOf } from "./search";
import type { About, FunctionRow, State } from "./types";

afterEach(cleanup);

const about = {
  objective: "ir_instructions",
  baseline: { name: "clang-Oz", value: 50 },
  reference: { name: "bare-Oz", value: 55 },
  begin: [],
  actions: [],
  features: [
    { name: "A", words: "loads" },
    { name: "B", words: "stores" },
  ],
} as unknown as About;

const state = (value: number, features = [0, 0]): State => ({
  hash: String(value),
  value,
  instructions: value,
  features,
  changed: true,
  preferred: [],
});

function show(actions: string[], states: State[], at = actions.length) {
  const look = vi.fn();
  const visit = vi.fn();
  render(
    <PassList
      about={about}
      actions={actions}
      states={states}
      at={at}
      busy={false}
      look={look}
      visit={visit}
    />,
  );
  return { look, visit };
}

test("each pass has what it did, with a sign", () => {
  show(["sroa", "inline"], [state(100), state(60), state(66)]);
  expect(screen.getByText("−40").textContent).toContain("better");
  expect(screen.getByText("+6").textContent).toContain("worse");
});

test("a pass after one that failed was not reached", () => {
  show(["sroa", "bad", "gvn"], [state(100), state(60)]);
  expect(screen.getAllByText("not reached").length).toBe(2);
});

test("keys move along the passes and take the last back", () => {
  const { look, visit } = show(["sroa", "inline"], [state(100), state(60), state(66)]);
  const list = screen.getByRole("list");
  fireEvent.keyDown(list, { key: "ArrowUp" });
  expect(look).toHaveBeenLastCalledWith(1);
  fireEvent.keyDown(list, { key: "ArrowDown" });
  expect(look).toHaveBeenCalledTimes(1);
  fireEvent.keyDown(list, { key: "Delete" });
  expect(visit).toHaveBeenLastCalledWith(["sroa"]);
});

test("only features that changed are shown, and what moved is marked", () => {
  render(
    <Features
      about={about}
      actions={["sroa"]}
      states={[state(9, [5, 1]), state(8, [2, 1])]}
      at={1}
      look={() => undefined}
    />,
  );
  expect(screen.getByText("loads")).toBeTruthy();
  expect(screen.queryByText("stores")).toBeNull();
  expect(screen.getByText("2").className).toBe("moved");
  fireEvent.click(screen.getByRole("checkbox"));
  expect(screen.getByText("stores")).toBeTruthy();
});

test("what was measured comes first, then what is preferred, and failures last", () => {
  const tried = (value?: number) => ({ action: "", status: "ok", done: 1, of: 1, value });
  const choices = [
    { name: "a" },
    { name: "fails", tried: tried() },
    { name: "likely", probability: 0.5 },
    { name: "good", tried: tried(3) },
    { name: "best", tried: tried(2) },
  ];
  expect(order(choices).map(({ name }) => name)).toEqual(["best", "good", "likely", "a", "fails"]);
});

test("functions that changed come first, and say how much", () => {
  const row = (
    name: string,
    added: number,
    removed: number,
    presence: FunctionRow["presence"] = "both",
  ): FunctionRow => ({ name, shown: name, lines: 10, added, removed, presence });
  const sorted = sortFunctions([
    row("same", 0, 0),
    row("", 1, 0),
    row("much", 4, 9),
    row("gone", 0, 0, "gone"),
  ]);
  expect(sorted.map(labelOf)).toEqual([
    "much (+4 −9)",
    "gone (gone)",
    "outside of functions (+1 −0)",
    "same",
  ]);
});

test("numbers of values are left out, those of programs are not", () => {
  expect(withoutNumbers("%12 = add i32 %3, 45, !tbaa !7 #2\n12: ; preds = %4\n  %x1 = load i8")).toBe(
    "%_ = add i32 %_, 45, !tbaa !_ #_\n_: ; preds = %_\n  %x1 = load i8",
  );
});

test("a function that was only renumbered is shown as it is", () => {
  expect(compared(["%1 = add", "%2 = add"], true)).toEqual(["%2 = add", "%2 = add"]);
  expect(compared(["%1 = add", "%2 = sub"], true)).toEqual(["%_ = add", "%_ = sub"]);
  expect(compared(["%1 = add", "%2 = sub"], false)).toEqual(["%1 = add", "%2 = sub"]);
});

test("outliers are left out of the curve, never the baseline", () => {
  expect(
    topOf(
      [
        [1, 0, 1000, 1],
        [2, 0, 90, 1],
      ],
      100,
    ),
  ).toBe(120);
  expect(topOf([], 100)).toBe(105);
});

test("the best so far never rises", () => {
  expect(
    bestSoFar([
      [1, 0, null, 1],
      [2, 0, 9, 1],
      [3, 0, 12, 1],
      [4, 0, null, 1],
      [5, 0, 4, 1],
    ]),
  ).toEqual([null, 9, 9, 9, 4]);
});

test("of a long search few points are drawn, with the last, which has the best", () => {
  expect(drawnPoints(0)).toEqual([]);
  expect(drawnPoints(3)).toEqual([0, 1, 2]);
  const drawn = drawnPoints(10000);
  expect(drawn.length).toBe(2000);
  expect(drawn.at(-1)).toBe(9999);
  expect(new Set(drawn).size).toBe(2000);
  expect(drawnPoints(2001).every((point, i, all) => i === 0 || point > all[i - 1]!)).toBe(true);
});

test("code is asked for when the states are told, and not before", async () => {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    const { actions = [] } = JSON.parse((init.body as string | undefined) ?? "{}") as { actions?: string[] };
    asked.push(`${path.replace("api/program/", "")} ${actions.join()}`.trim());
    if (path.endsWith("/states")) await new Promise<void>((tell) => waiting.push(tell));
    const answers: Record<string, unknown> = {
      about: { ...about, actions: [], notes: [], searchers: [] },
      states: { states: [null, ...actions].map((_, i) => state(9 - i)), failed: null },
      functions: { functions: [] },
    };
    return new Response(JSON.stringify(answers[path.split("/").at(-1)!]));
  });
  const at = (actions: string[]) =>
    ({ view: "program", program: "p", hash: "", version: "", actions, at: null }) as Address;
  const view = (actions: string[]) => <ProgramView address={at(actions)} go={() => undefined} version="" />;
  const { rerender } = render(view([]));
  await vi.waitFor(() => expect(asked).toEqual(["about", "states"]));
  waiting.shift()!();
  await vi.waitFor(() => expect(asked.at(-1)).toBe("functions"));
  rerender(view(["sroa"]));
  await vi.waitFor(() => expect(asked.at(-1)).toBe("states sroa"));
  expect(asked.length).toBe(4);
  waiting.shift()!();
  await vi.waitFor(() => expect(asked.at(-1)).toBe("functions sroa"));
  vi.unstubAllGlobals();
});

test("a function that was chosen stays from pass to pass, and is come back to where one has it not", async () => {
  const rows: Record<string, FunctionRow[]> = {};
  const row = (name: string, added: number): FunctionRow => ({
    ...{ name, shown: name === "_Z4helpi" ? "help(int)" : name, lines: 9, added, removed: 0 },
    presence: "both",
  });
  rows["sroa"] = [row("main", 5), row("_Z4helpi", 1)];
  rows["sroa,inline"] = [row("main", 7)];
  rows["sroa,inline,gvn"] = [row("main", 9), row("_Z4helpi", 0)];
  vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    if (!path.endsWith("/functions")) return new Promise(() => undefined); // texts, which nothing here is about
    const { actions } = JSON.parse(init.body as string) as { actions: string[] };
    return new Response(JSON.stringify({ functions: rows[actions.join()] }));
  });
  let name: string | null = null;
  const shown = (...now: string[]) => (
    <Code
      before={now.slice(0, -1)}
      now={now}
      action={now.at(-1)!}
      name={name}
      choose={(one) => (name = one)}
    />
  );
  const { rerender } = render(shown("sroa"));
  const list = () => screen.getByLabelText<HTMLSelectElement>("Function");
  await screen.findByText("what changed most: main (+5 −0)");
  fireEvent.change(list(), { target: { value: "_Z4helpi" } });
  expect(name).toBe("_Z4helpi");
  rerender(shown("sroa"));
  expect(list().selectedOptions[0]!.text).toBe("help(int) (+1 −0)");
  await screen.findByText("_Z4helpi"); // its symbol is at hand
  rerender(shown("sroa", "inline"));
  await screen.findByText("is not there in this state.", { exact: false });
  expect(list().value).toBe("main");
  rerender(shown("sroa", "inline", "gvn"));
  await vi.waitFor(() => expect(list().value).toBe("_Z4helpi"));
  fireEvent.change(list(), { target: { value: list().options[0]!.value } });
  expect(name).toBeNull();
  vi.unstubAllGlobals();
});
