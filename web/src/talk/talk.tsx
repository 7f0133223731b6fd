// The dialogue of `ordo agent --transcript`: what was said, which tools were called, what that cost, and the
// curve.
import { useMemo } from "react";
import { ask } from "../api";
import { Curve } from "../ui/curve";
import { number, plural } from "../ui/format";
import { Failure, useAnswer } from "../ui/pieces";

export interface Message {
  role: string;
  content?: string | null;
  tool_calls?: { id?: string; function: { name: string; arguments: unknown } }[];
  tool_call_id?: string;
}

interface Talk {
  model: string;
  program: string;
  objective: string;
  seed: number;
  temperature: number;
  end: string;
  why: string;
  replies: number;
  calls: number;
  failed_calls: number;
  thinking_s: number;
  prompt_tokens: number;
  completion_tokens: number;
  messages: Message[];
}

export function TalkView() {
  const talk = useAnswer<Talk>("talk", (signal) => ask("talk/document", undefined, signal));
  if (!talk.value) return talk.error ? <Failure error={talk.error} /> : <p className="quiet">…</p>;
  return <Opened talk={talk.value} />;
}

function parsed(text: unknown): Record<string, unknown> | null {
  if (typeof text !== "string") return text as Record<string, unknown> | null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** What tools said a sequence is worth, after how many compiles; the best so far is the curve. */
export function measured(messages: Message[]): { compiles: number; value: number }[] {
  const points: { compiles: number; value: number }[] = [];
  let compiles = 0;
  for (const { role, content } of messages) {
    if (role !== "tool") continue;
    const answer = parsed(content ?? "");
    const cost = answer?.cost as { compiles?: number } | undefined;
    compiles += cost?.compiles ?? 0;
    if (typeof answer?.value === "number") points.push({ compiles, value: answer.value });
  }
  return points;
}

function Opened({ talk }: { talk: Talk }) {
  const points = useMemo(() => measured(talk.messages), [talk]);
  const lines = useMemo(() => {
    let best = Infinity;
    return [
      { name: "best so far", stepped: true, y: points.map(({ value }) => (best = Math.min(best, value))) },
      { name: "what a call said", points: true, y: points.map(({ value }) => value) },
    ];
  }, [points]);
  const x = useMemo(() => points.map(({ compiles }) => compiles), [points]);
  return (
    <div className="talk">
      <div className="heading">
        <h1>{talk.program || "A dialogue"}</h1>
        <p>
          {[talk.model, talk.objective && `for ${talk.objective}`].filter(Boolean).join(" ")}
          {(talk.end || talk.why) && `: ${[talk.end, talk.why].filter(Boolean).join(", ")}`}
        </p>
        <p className="quiet">
          {plural(talk.replies, "reply", "replies")}, {plural(talk.calls, "call")} (
          {number(talk.failed_calls)} failed), {number(talk.prompt_tokens)} tokens read,{" "}
          {number(talk.completion_tokens)} written, {number(Math.round(talk.thinking_s * 10) / 10)} s of
          thinking, temperature {talk.temperature}, seed {talk.seed}
        </p>
      </div>
      {points.length > 0 && (
        <section className="card">
          <h2>What it came to</h2>
          <Curve
            label={`The best ${talk.objective} so far, over compiles`}
            x={x}
            lines={lines}
            xLabel="compiles"
            yLabel={talk.objective}
            height={200}
          />
        </section>
      )}
      <section className="card" aria-labelledby="said">
        <h2 id="said">What was said</h2>
        {talk.messages.length === 0 && <p className="quiet">Nothing was said.</p>}
        <ol className="messages">
          {talk.messages.map((message, i) => (
            <Said key={i} message={message} />
          ))}
        </ol>
      </section>
    </div>
  );
}

const kSpeakers: Record<string, string> = {
  system: "Ordo, to begin with",
  user: "The task",
  assistant: "The model",
  tool: "The tool",
};

function Said({ message }: { message: Message }) {
  const answer = message.role === "tool" ? parsed(message.content ?? "") : null;
  return (
    <li className={`said ${message.role}`}>
      <h3>{kSpeakers[message.role] ?? message.role}</h3>
      {answer ? (
        <Fields of={answer} />
      ) : (
        message.content &&
        (message.content.length > 600 ? (
          <Long text={message.content} />
        ) : (
          <p className="words">{message.content}</p>
        ))
      )}
      {message.tool_calls?.map((call, i) => (
        <div key={i} className="call">
          calls <code>{call.function.name}</code>
          <Fields of={parsed(call.function.arguments) ?? { arguments: call.function.arguments }} />
        </div>
      ))}
    </li>
  );
}

const Long = ({ text }: { text: string }) => (
  <details>
    <summary>{text.slice(0, 160)}…</summary>
    <p className="words">{text}</p>
  </details>
);

function Fields({ of }: { of: Record<string, unknown> }) {
  return (
    <dl className="facts">
      {Object.entries(of).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {typeof value === "string"
              ? value
              : Array.isArray(value) && value.every((one) => typeof one === "string")
                ? value.join(" ") || "(nothing)"
                : JSON.stringify(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
