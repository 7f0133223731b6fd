// What the endpoints of a loop say; docs/formats/web.openapi.json has it in full. Times are seconds since 1970, values of
// candidates and rewards are log-ratios of latency: above 0 is faster.

export interface Status {
  production: string;
  controller: boolean;
  paused: boolean;
  budget: {
    mode: string;
    why: string;
    left: number;
    most_share: number;
    burn_hour: number;
    burn_quarter_day: number;
    objective: number;
    curve: [number, number][];
  };
  candidates: {
    name: string;
    value: number;
    deviation: number;
    best: number;
    rewards: number;
    barred: boolean;
    production: boolean;
  }[];
  experiments: Experiment[];
}

export interface Experiment {
  id: string;
  candidate: string;
  baseline: string;
  probability: number;
  state: string;
  outcome: string | null;
  cause: string;
  staged: number | null;
  created_s: number;
  reward: {
    value: number | null;
    error: number | null;
    censored: boolean;
    verdict: string;
    why: string;
  } | null;
}

export interface Arm {
  requests: number;
  errors: number;
  up: boolean;
  value: number | null;
  low: number | null;
  high: number | null;
}

export interface Detail {
  quantile: number;
  slo_s: number;
  steps: { to: string; cause: string; at_s: number }[];
  windows: { begin_s: number; end_s: number; share: number; gap: string; control: Arm; canary: Arm }[];
}
