// Actions that give each function a sequence (docs/formats/recipe.md, Choices), in words: their names say nothing.
import { number, plural } from "../ui/format";
import type { About } from "./types";

const kNamed = 3;

interface Choices {
  sequences: string[];
  functions: Record<string, number>;
}

function choicesOf(about: About, name: string): Choices | null {
  const action = about.actions.find((one) => one.name === name);
  return action?.kind === "choices" ? (JSON.parse(action.text) as Choices) : null;
}

/** "a sequence for each of 6 functions", or the name of any other action. */
export function shownAction(about: About, name: string): string {
  const choices = choicesOf(about, name);
  if (!choices) return name;
  const count = Object.keys(choices.functions).length;
  return count === 1 ? "a sequence for 1 function" : `a sequence for each of ${plural(count, "function")}`;
}

/** Those that it saved most of: "play 43, main 12, look 3 and 3 more"; "" for any other action. */
export function whatFunctionsSave(about: About, name: string): string {
  const choices = choicesOf(about, name);
  const saved = (choices && about.recipe?.functions.filter((one) => one.function in choices.functions)) || [];
  const named = saved.slice(0, kNamed).map((one) => `${one.function} ${number(one.saves)}`);
  return named.join(", ") + (saved.length > kNamed ? ` and ${saved.length - kNamed} more` : "");
}
