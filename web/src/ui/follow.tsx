// What another process is at, followed while it goes on; and that process asked to come to an end.
import { useEffect, useState } from "react";
import { ask, listen } from "../api";
import { Failure, type Question } from "./pieces";

export interface Followed {
  ended: boolean;
  failure: string;
  /** Whether a process on this machine writes the file, did so, or the file does not say who. */
  writer: "here" | "gone" | "unknown";
  /** It was asked to end. */
  asked: boolean;
}

const kAgain_ms = 1500;

/** Hears what is told of `kind` until the page goes elsewhere, and asks again where that ends. */
export function useFollowed<T extends Followed>(kind: string): Question<T> {
  const [state, set] = useState<Question<T>>({ value: null, error: null, busy: true });
  useEffect(() => {
    const control = new AbortController();
    let again: ReturnType<typeof setTimeout> | undefined;
    const follow = async () => {
      try {
        await listen(
          `${kind}/follow`,
          {},
          (event, data) => event === "told" && set({ value: data as T, error: null, busy: false }),
          control.signal,
        );
      } catch (error) {
        if (!control.signal.aborted) set((before) => ({ ...before, error, busy: false }));
      }
      if (!control.signal.aborted) again = setTimeout(() => void follow(), kAgain_ms);
    };
    void follow();
    return () => {
      control.abort();
      clearTimeout(again);
    };
  }, [kind]);
  return state;
}

/** How it stands, in a few words. */
export function standing({ ended, failure, writer, asked }: Followed): string {
  if (ended) return failure ? `It ended: ${failure}` : "It is done";
  if (writer === "gone") return "It was ended from outside";
  if (writer === "unknown") return "Whether it goes on is not said";
  return asked ? "It comes to its end" : "It goes on";
}

/** Asks twice, for what is stopped does not go on; what was found until then is kept. */
export function Stop({ kind, command, told }: { kind: string; command: string; told: Followed }) {
  const [sure, setSure] = useState(false);
  const [asked, setAsked] = useState(false);
  const [error, setError] = useState<unknown>(null);
  if (told.ended || told.writer !== "here") return null;
  const stop = async () => {
    setSure(false);
    setAsked(true);
    setError(null);
    try {
      await ask(`${kind}/stop`, {});
    } catch (problem) {
      setError(problem);
      setAsked(false);
    }
  };
  return (
    <div className="bar stop">
      {asked || told.asked ? (
        <span className="quiet">asked to stop…</span>
      ) : sure ? (
        <>
          <span>End the {command} for good, and keep what it has found?</span>
          <button className="main" onClick={() => void stop()}>
            Yes, stop it
          </button>
          <button onClick={() => setSure(false)}>No</button>
        </>
      ) : (
        <button onClick={() => setSure(true)}>Stop</button>
      )}
      <Failure error={error} />
    </div>
  );
}
