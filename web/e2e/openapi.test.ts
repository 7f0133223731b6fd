// What docs/formats/web.openapi.json promises of each endpoint, against the real server: answers are as it
// says, and so are errors, for questions that it allows and for some that it does not.
import { Ajv2020 } from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { EventReader } from "../src/api";
import { Server } from "./harness";

interface Response {
  $ref?: string;
  content: Record<string, { schema: object }>;
}
interface Operation {
  responses: Record<string, Response>;
}

const document = JSON.parse(readFileSync("../docs/formats/web.openapi.json", "utf8")) as {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Response> };
};
const ajv = new Ajv2020({ strict: false });
ajv.addSchema({ ...document, $id: "doc" });

function schemaAt(...keys: string[]): object {
  return { $ref: `doc#/${keys.map((key) => key.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}` };
}

function complaints(schema: object, data: unknown): string {
  const check = ajv.compile(schema);
  return check(data) ? "" : ajv.errorsText(check.errors);
}

let server: Server;
beforeAll(async () => {
  server = await Server.start(
    inject("recipe"),
    inject("study"),
    inject("trial"),
    inject("talk"),
    inject("loop"),
    inject("journal"),
    inject("events"),
  );
});
afterAll(() => server?.end());

const pick = { objective: "ir_instructions", baseline: "clang-Oz", suites: [], sizes: [] };
const kBodies: Record<string, unknown[]> = {
  "program/states": [{ actions: [] }, { actions: ["sroa", "no-such"] }, { actions: ["sroa", "gvn"] }],
  "program/why": [
    { actions: ["sroa"], action: "stop" },
    { actions: [], action: "no-such" },
  ],
  "program/functions": [{ actions: ["clang-Oz"], from: [] }],
  "program/function": [
    { actions: [], name: "main", form: "ir" },
    { actions: ["sroa"], name: "main", form: "asm" },
    { actions: [], name: "no such", form: "ir" },
  ],
  "program/calls": [{ actions: [] }, { actions: ["clang-Oz"] }],
  "program/stock": [{ actions: ["sroa"] }],
  "program/try": [{ actions: [] }],
  "program/search": [
    { actions: [], searcher: "random", compiles: 12 },
    { actions: [], searcher: "no-such", compiles: 12 },
  ],
  "study/ranking": [pick, { ...pick, suites: ["suite"] }, { ...pick, suites: ["no-such"] }],
  "kernel/state": [{ steps: 0 }], // of no kernel: its worker is not part of what everybody has (kernel.test.ts)
  "tune/follow": [{}],
  "tune/stop": [{}],
  "train/follow": [{}],
  "train/stop": [{}],
  "loop/experiment": [{ id: "b2" }, { id: "no-such" }],
  "study/pairs": [
    { ...pick, a: "policy", b: "random" },
    { ...pick, a: "policy", b: "no-such" },
  ],
};

for (const [path, operations] of Object.entries(document.paths)) {
  const [method, operation] = Object.entries(operations)[0]!;
  const name = path.replace("/api/", "");
  test(`${method.toUpperCase()} ${path} answers as it says`, async () => {
    if (method === "post") expect(kBodies[name], "an example of each is tried").toBeDefined();
    for (const body of kBodies[name] ?? [undefined]) {
      if (body !== undefined)
        expect(
          complaints(
            schemaAt("paths", path, method, "requestBody", "content", "application/json", "schema"),
            body,
          ),
        ).toBe("");
      const answer = await server.ask(name, body);
      const type = answer.headers.get("content-type")!;
      const code = String(answer.status);
      const promised = operation.responses[code];
      expect(promised, code).toBeDefined();
      const shared = promised!.$ref !== undefined;
      const place = shared ? ["components", "responses", code] : ["paths", path, method, "responses", code];
      expect(Object.keys((shared ? document.components.responses[code]! : promised!).content)).toContain(
        type,
      );
      if (type === "application/json") {
        expect(complaints(schemaAt(...place, "content", type, "schema"), await answer.json())).toBe("");
      } else {
        const events = new EventReader().push(await answer.text());
        expect(["done", "error"]).toContain(events.at(-1)!.event);
      }
    }
  });

  test(`${method.toUpperCase()} ${path} refuses the other method`, async () => {
    const other = method === "get" ? await server.ask(name, {}) : await server.ask(name);
    expect([404, 405]).toContain(other.status);
  });
}

test("bodies that the description forbids are refused, each in words", async () => {
  const wrong = [
    null,
    1,
    "text",
    [],
    {},
    { actions: null },
    { actions: {} },
    { actions: [[]] },
    { actions: [], more: true },
    { ...pick, suites: "all" },
    { ...pick, objective: 1 },
    { actions: [], from: 3, name: 3, form: 3, action: 3 },
  ];
  for (const [path, operations] of Object.entries(document.paths)) {
    if (!operations.post || path.startsWith("/api/kernel/")) continue;
    for (const body of wrong) {
      if (
        complaints(
          schemaAt("paths", path, "post", "requestBody", "content", "application/json", "schema"),
          body,
        ) === ""
      )
        continue;
      const answer = await server.ask(path.replace("/api/", ""), body);
      const text = await answer.text();
      expect(answer.status, `${path} ${JSON.stringify(body)}`).toBe(400);
      expect(text).toMatch(/"message":".{10,}/);
    }
  }
});
