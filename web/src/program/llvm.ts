// LLVM IR and x86 assembly for CodeMirror: enough to tell keywords, values, types and comments apart. No line depends on
// another, so that only what is in sight is looked at, however long a function is.
import {
  Decoration,
  MatchDecorator,
  ViewPlugin,
  type DecorationSet,
  type EditorView,
} from "@codemirror/view";

/** What each token is, the first that fits from where it begins. */
const kTokens = {
  ir: {
    comment: /;.*/,
    string: /c?"(?:[^"\\]|\\.)*"/,
    name: /[%@](?:"[^"]*"|[-\w.$]+)/,
    meta: /[!#][-\w.$]*/,
    type: /\b(?:i\d+|ptr|void|float|double|half|bfloat|label|metadata|token|x86_fp80|fp128)\b/,
    label: /^[-\w.$]+:/,
    number: /-?\d[\w.+-]*/,
    word: /[a-z_][\w.]*/i,
  },
  asm: {
    label: /^[.\w$@]+:/,
    comment: /#.*/,
    string: /"(?:[^"\\]|\\.)*"/,
    name: /%[a-z0-9]+/,
    number: /\$?-?\b(?:0x[\da-f]+|\d+)\b/i,
    word: /[.a-z_][\w.@]*/i,
  },
} as const;

export type Form = keyof typeof kTokens;

const pattern = (form: Form) =>
  new RegExp(
    Object.entries(kTokens[form])
      .map(([name, { source }]) => `(?<${name}>${source})`)
      .join("|"),
    "gi",
  );

const kindOf = (match: RegExpMatchArray): string =>
  Object.keys(match.groups!).find((name) => match.groups![name] !== undefined)!;

/** The tokens of a line, with what each is. */
export const tokensOf = (line: string, form: Form): [string, string][] =>
  [...line.matchAll(pattern(form))].map((match) => [match[0], kindOf(match)]);

// Names look like the rest: without an element for each of them, which are most, scrolling is faster.
const kMarks: Record<string, Decoration> = Object.fromEntries(
  ["comment", "string", "meta", "type", "label", "number", "word"].map((name) => [
    name,
    Decoration.mark({ class: `tok-${name}` }),
  ]),
);

export function language(form: Form) {
  const tokens = new MatchDecorator({
    regexp: pattern(form),
    decoration: (match) => kMarks[kindOf(match)] ?? null,
    // A line has its start and its end, whatever of it is in sight.
    maxLength: 2000,
  });
  return ViewPlugin.define<{ shown: DecorationSet; update: (change: never) => void }>(
    (view: EditorView) => {
      const plugin = {
        shown: tokens.createDeco(view),
        update: (change: Parameters<MatchDecorator["updateDeco"]>[0]) => {
          plugin.shown = tokens.updateDeco(change, plugin.shown);
        },
      };
      return plugin;
    },
    { decorations: ({ shown }) => shown },
  );
}
