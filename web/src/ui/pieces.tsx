// Small pieces that all views share.
import {
  Component,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { ApiError } from "../api";
import { difference, direction, mark } from "./format";

export function Delta({ value }: { value: number }) {
  const which = direction(value);
  return (
    <span className={`delta ${which}`}>
      <span aria-hidden="true">{mark(which)}</span> {difference(value)}
      <span className="unseen">{which === "same" ? "" : ` (${which})`}</span>
    </span>
  );
}

export function Failure({ error }: { error: unknown }) {
  if (!error) return null;
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof ApiError ? error.code : "";
  return (
    <div className="failure" role="alert" data-code={code}>
      <strong aria-hidden="true">!</strong> {message}
    </div>
  );
}

/** Says what went wrong where a view cannot be drawn, instead of nothing at all. */
export class Guard extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown };
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override render() {
    return this.state.error ? <Failure error={this.state.error} /> : this.props.children;
  }
}

export interface Option {
  value: string;
  label?: string;
  title?: string;
}

/** A choice with its name in front. */
export function Select({
  label,
  value,
  options,
  choose,
}: {
  label: string;
  value: string;
  options: Option[];
  choose: (value: string) => void;
}) {
  const id = useId();
  return (
    <span className="labelled">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => choose(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} title={option.title}>
            {option.label ?? option.value}
          </option>
        ))}
      </select>
    </span>
  );
}

/** A whole number with its name in front. */
export function NumberField({
  label,
  value,
  least,
  most,
  enter,
}: {
  label: string;
  value: number;
  least: number;
  most: number;
  enter: (value: number) => void;
}) {
  const id = useId();
  return (
    <span className="labelled">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="number"
        min={least}
        max={most}
        required
        value={Number.isNaN(value) ? "" : value}
        onChange={(event) => enter(event.target.valueAsNumber)}
      />
    </span>
  );
}

export interface Tab {
  name: string;
  label: string;
  content: () => ReactNode;
}

/** One of several panels, as WAI-ARIA says tabs work: arrows move, Home and End go to the ends. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const [chosen, choose] = useState(tabs[0]!.name);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const at = Math.max(
    tabs.findIndex((tab) => tab.name === chosen),
    0,
  );
  const onKey = (event: KeyboardEvent) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    choose(tabs[next]!.name);
    (list.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div className="tabs">
      <div role="tablist" aria-label={label} ref={list} onKeyDown={onKey}>
        {tabs.map((tab, i) => (
          <button
            key={tab.name}
            role="tab"
            id={`${id}-${tab.name}`}
            aria-selected={i === at}
            aria-controls={i === at ? `${id}-panel` : undefined}
            tabIndex={i === at ? 0 : -1}
            onClick={() => choose(tab.name)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tabs[at]!.name}`} tabIndex={0}>
        {tabs[at]!.content()}
      </div>
    </div>
  );
}

export interface Question<T> {
  value: T | null;
  error: unknown;
  busy: boolean;
  /** What the value, or the error, is the answer to: another key than now while the next is waited for. */
  of?: string;
}

/** Asks whenever `key` changes; the answer before stays until the next is there, and late answers are dropped. */
export function useAnswer<T>(key: string, question: (signal: AbortSignal) => Promise<T>): Question<T> {
  const [state, set] = useState<Question<T>>({ value: null, error: null, busy: true });
  const latest = useRef(question);
  latest.current = question;
  useEffect(() => {
    const control = new AbortController();
    set((before) => ({ ...before, busy: true }));
    latest.current(control.signal).then(
      (value) => control.signal.aborted || set({ value, error: null, busy: false, of: key }),
      (error: unknown) => control.signal.aborted || set({ value: null, error, busy: false, of: key }),
    );
    return () => control.abort();
  }, [key]);
  return state;
}

/** A value as it was when it was last settled; null until then. */
export function useSettled<T>(value: T, settled: boolean): T | null {
  const last = useRef<T | null>(null);
  if (settled) last.current = value;
  return last.current;
}

/** Counts up so often while the page is seen; 0 milliseconds: never. */
export function useTicks(every_ms: number): number {
  const [ticks, set] = useState(0);
  useEffect(() => {
    if (every_ms === 0) return;
    const timer = setInterval(() => document.hidden || set((before) => before + 1), every_ms);
    return () => clearInterval(timer);
  }, [every_ms]);
  return ticks;
}

/** Rows of equal height, of which only those in sight are there. */
export function LongList<T>({
  items,
  height,
  label,
  row,
}: {
  items: T[];
  height: number;
  label: string;
  row: (item: T, index: number) => ReactNode;
}) {
  const [top, setTop] = useState(0);
  const [room, setRoom] = useState(600);
  const box = useCallback((element: HTMLDivElement | null) => {
    if (!element || typeof ResizeObserver === "undefined") return;
    const watch = new ResizeObserver(() => setRoom(element.clientHeight));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const first = Math.max(Math.floor(top / height) - 10, 0);
  const shown = items.slice(first, first + Math.ceil(room / height) + 20);
  return (
    <div
      className="long"
      ref={box}
      role="region"
      aria-label={label}
      tabIndex={0}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div style={{ height: items.length * height, position: "relative" }}>
        <div style={{ position: "absolute", top: first * height, left: 0, right: 0 }}>
          {shown.map((item, i) => row(item, first + i))}
        </div>
      </div>
    </div>
  );
}
