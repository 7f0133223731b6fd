// What the endpoints of a program say; docs/formats/web.openapi.json has it in full.

export interface About {
  program: string;
  name: string;
  hash: string;
  objective: string;
  unit: string;
  baseline: { name: string; value: number };
  /** The same level in the research convention. */
  reference: { name: string; value: number } | null;
  start: number;
  space: string;
  backend: string;
  longest: number;
  begin: string[];
  no_policy: string;
  actions: { name: string; kind: string; text: string }[];
  features: { name: string; words: string }[];
  searchers: { name: string; summary: string }[];
  notes: string[];
  recipe?: Recipe;
}

export interface Recipe {
  objective: string;
  searcher: string;
  verified: string;
  tested: string;
  sealed: boolean;
  reasons: { action: number; saves: number }[];
  /** What those saved that have a sequence of their own, most first. */
  functions: { function: string; saves: number }[];
  figures: { metric: string; baseline: number; bare: number | null; tuned: number }[];
}

export interface State {
  hash: string;
  value: number;
  instructions: number;
  features: number[];
  changed: boolean;
  preferred: { action: string; probability: number }[];
  taken?: { rank: number; of: number; probability: number };
}

export interface Path {
  states: State[];
  failed: { at: number; status: string; detail: string } | null;
}

export interface Tried {
  action: string;
  status: string;
  done: number;
  of: number;
  value?: number;
  instructions?: number;
  changed?: boolean;
  detail?: string;
}

export interface FunctionRow {
  name: string;
  /** As people of C++ write it; the name itself where that is not of C++. */
  shown: string;
  lines: number;
  added: number;
  removed: number;
  presence: "both" | "new" | "gone";
}

/** What calls says: the names of C++, here and in calls, as people write them. */
export interface Callers {
  functions: Caller[];
  shown: Record<string, string>;
}

export interface Caller {
  name: string;
  lines: number;
  calls: string[];
}

export interface Why {
  action: string;
  probability: number;
  rank: number;
  of: number;
  clues: { feature: string; words: string; log_odds: number }[];
}

/** [compiles, seconds, value or null, length of the sequence]. */
export type Answer = [number, number, number | null, number];

export interface Best {
  value: number;
  compiles: number;
  seconds: number;
  actions: string[];
}

export interface SearchEnd {
  actions: string[];
  value: number;
  stopped: boolean;
  others: { actions: string[]; value: number }[];
  saves: { at: number; saves: number }[];
}
