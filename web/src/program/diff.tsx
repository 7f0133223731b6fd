// Two texts side by side, or one below the other where there is little room, with what is equal folded away.
import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { language } from "./llvm";

interface Props {
  before: string;
  after: string;
  form: "ir" | "asm";
  together: boolean;
  labels: [string, string];
}

// The sign of a changed line stands before its text (code.css): a gutter for it would cost as much as all of the text
// when that is scrolled.
const kFold = { margin: 3, minSize: 6 };
// Texts may be long: what cannot be told apart quickly is shown as changed as a whole.
const kDiff = { scanLimit: 2000, timeout: 200 };

export function Diff({ before, after, form, together, labels }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = place.current!;
    const extensions = (label: string) => [
      lineNumbers(),
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" }),
      EditorView.theme({ "&": { fontSize: "12px" } }),
      language(form),
    ];
    if (before === after) {
      const view = new EditorView({ parent, doc: after, extensions: extensions(labels[1]) });
      return () => view.destroy();
    }
    if (together) {
      const view = new EditorView({
        parent,
        doc: after,
        extensions: [
          extensions(labels[1]),
          unifiedMergeView({
            original: before,
            mergeControls: false,
            gutter: false,
            collapseUnchanged: kFold,
            diffConfig: kDiff,
          }),
        ],
      });
      return () => view.destroy();
    }
    const view = new MergeView({
      parent,
      a: { doc: before, extensions: extensions(labels[0]) },
      b: { doc: after, extensions: extensions(labels[1]) },
      collapseUnchanged: kFold,
      diffConfig: kDiff,
      gutter: false,
    });
    return () => view.destroy();
  }, [before, after, form, together, labels[0], labels[1]]);
  return <div className="diff" ref={place} />;
}
