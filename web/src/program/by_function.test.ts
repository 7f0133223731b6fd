import { expect, test } from "vitest";
import { shownAction, whatFunctionsSave } from "./by_function";
import type { About } from "./types";

const about = {
  actions: [
    { name: "sroa", kind: "pipeline", text: "function(sroa)" },
    {
      name: "choose<12>",
      kind: "choices",
      text: '{"sequences":["","dce"],"functions":{"f":1,"g":1,"h":1,"i":1}}',
    },
    { name: "choose<34>", kind: "choices", text: '{"sequences":["","dce"],"functions":{"f":1}}' },
  ],
  recipe: {
    functions: ["f", "g", "else", "h", "i"].map((name, i) => ({ function: name, saves: 50 - i })),
  },
} as unknown as About;

test("choices are told by how many functions have one", () => {
  expect(shownAction(about, "sroa")).toBe("sroa");
  expect(shownAction(about, "choose<12>")).toBe("a sequence for each of 4 functions");
  expect(shownAction(about, "choose<34>")).toBe("a sequence for 1 function");
});

test("what they saved is that of their functions, most first", () => {
  expect(whatFunctionsSave(about, "sroa")).toBe("");
  expect(whatFunctionsSave(about, "choose<12>")).toBe("f 50, g 49, h 47 and 1 more");
  expect(whatFunctionsSave({ ...about, recipe: undefined }, "choose<12>")).toBe("");
});
