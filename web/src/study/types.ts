export interface About {
  methods: string[];
  outside: string[];
  objectives: string[];
  baselines: string[];
  budgets: number[];
  suites: string[];
  sizes: string[];
  programs: { uri: string; suite: string; size: string; instructions: number | null; failure: string }[];
  runs: number;
  failed_runs: number;
  in_progress: boolean;
  provenance: [string, string][];
}

export interface Estimate {
  mean: number;
  interval?: [number, number];
}

export interface Row {
  method: string;
  clamped: Estimate[];
  own: Estimate[];
  wins: number;
  ties: number;
  losses: number;
  cost?: { cpu_s: number; evaluations: number };
}

export interface RankingAnswer {
  rows: Row[];
  programs: number;
  seeds: number;
  left_out: number;
  budgets: number[];
  over_compiles: { method: string; x: number[]; y: number[] }[];
  over_seconds: { method: string; x: number[]; y: number[] }[];
}

export interface Pair {
  program: string;
  a: number;
  b: number;
}
