// The same result with stock tools, and the address of this state.
import { useState } from "react";
import { ask } from "../api";
import { Failure, useAnswer } from "../ui/pieces";
import type { About } from "./types";

export function Reproduce({ about, actions }: { about: About; actions: string[] }) {
  const stock = useAnswer<{ commands: string[] }>(JSON.stringify(actions), (signal) =>
    ask("program/stock", { actions }, signal),
  );
  return (
    <div className="reproduce">
      <h3>With stock LLVM</h3>
      <Failure error={stock.error} />
      {stock.value && <Copied label="commands" text={stock.value.commands.join("\n")} />}
      <h3>This state in another explorer</h3>
      <p className="quiet">
        Open <code>ordo web {about.program}</code> and put this behind its address; it holds the program, its
        hash, the version of Ordo and the passes, and no token.
      </p>
      <Copied label="address" text={location.hash} />
      {about.recipe && (
        <>
          <h3>The recipe</h3>
          <p>
            Found by {about.recipe.searcher} for {about.recipe.objective}. Verified: {about.recipe.verified}.
            Tested: {about.recipe.tested}.
            {!about.recipe.sealed && " It has no checksum: nobody vouches for its figures."}
          </p>
        </>
      )}
    </div>
  );
}

function Copied({ label, text }: { label: string; text: string }) {
  const [done, setDone] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setDone(true),
      () => setDone(false),
    );
  return (
    <div className="copied">
      <pre tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <button onClick={() => void copy()}>
        Copy the {label}
        <span role="status">{done ? ": copied" : ""}</span>
      </button>
    </div>
  );
}
