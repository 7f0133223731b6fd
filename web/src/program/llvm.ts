// LLVM IR and x86 assembly for CodeMirror: enough to tell keywords, values, types and comments apart.
import { StreamLanguage, type StreamParser } from "@codemirror/language";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const kTypes = /^(?:i\d+|ptr|void|float|double|half|bfloat|label|metadata|token|x86_fp80|fp128)\b/;

const ir: StreamParser<null> = {
  startState: () => null,
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^;.*/)) return "comment";
    if (stream.match(/^c?"(?:[^"\\]|\\.)*"/)) return "string";
    if (stream.match(/^[%@][-\w.$]+|^[%@]"[^"]*"/)) return "variableName";
    if (stream.match(/^[!#][-\w.$]*/)) return "meta";
    if (stream.match(kTypes)) return "typeName";
    if (stream.match(/^-?\d[\w.+-]*/)) return "number";
    if (stream.match(/^[-\w.$]+:/)) return "labelName";
    if (stream.match(/^[a-z_][\w.]*/i)) return "keyword";
    stream.next();
    return null;
  },
};

const asm: StreamParser<null> = {
  startState: () => null,
  token(stream) {
    if (stream.sol() && stream.match(/^[.\w$@]+:/)) return "labelName";
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^"(?:[^"\\]|\\.)*"/)) return "string";
    if (stream.match(/^%[a-z0-9]+/)) return "variableName";
    if (stream.match(/^\$?-?(?:0x[\da-f]+|\d+)\b/i)) return "number";
    if (stream.match(/^[.a-z_][\w.@]*/i)) return "keyword";
    stream.next();
    return null;
  },
};

const style = HighlightStyle.define([
  { tag: tags.comment, class: "tok-comment" },
  { tag: tags.string, class: "tok-string" },
  { tag: tags.variableName, class: "tok-name" },
  { tag: tags.meta, class: "tok-meta" },
  { tag: tags.typeName, class: "tok-type" },
  { tag: tags.number, class: "tok-number" },
  { tag: tags.labelName, class: "tok-label" },
  { tag: tags.keyword, class: "tok-word" },
]);

export const language = (form: "ir" | "asm") => [
  StreamLanguage.define(form === "ir" ? ir : asm),
  syntaxHighlighting(style),
];
