// Schemathesis asks what nobody thought of: questions made up from docs/formats/web.openapi.json, as it allows and as it
// does not, of which each has to be answered as the file says. The same seed asks the same.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { Server } from "./harness";

const kSchemathesis = process.env.SCHEMATHESIS ?? "../build/python/bin/schemathesis";
// Names of actions and methods are the program's and the study's: most that the file allows are unknown, and refused.
// Methods that HTTP does not have (TRACE and the like) end in the library before there is a path: 400, and not 405.
const kLeftOut = ["positive_data_acceptance", "unsupported_method"];

let server: Server;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ordo-web-"));
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
afterAll(async () => {
  await server?.end();
  rmSync(folder, { recursive: true });
});

test("every answer is one that the OpenAPI file promises, whatever is asked", async () => {
  const asked = spawn(
    resolve(kSchemathesis),
    [
      "run",
      resolve("../docs/formats/web.openapi.json"),
      ...["--url", server.origin, "-H", `Authorization: Bearer ${server.token}`],
      ...["--phases", "coverage,fuzzing", "--exclude-checks", kLeftOut.join()],
      ...["--seed", "1", "--max-examples", "10", "--max-time", "20", "--request-timeout", "10"],
      ...["--warnings", "off", "--no-color"],
    ],
    // Elsewhere, for it leaves a folder of what it has seen.
    { stdio: ["ignore", "pipe", "pipe"], cwd: folder },
  );
  let said = "";
  for (const stream of [asked.stdout, asked.stderr])
    stream.on("data", (data: Buffer) => (said += data.toString()));
  const code = await new Promise((ended, failed) => asked.on("exit", ended).on("error", failed));
  expect(code, said.slice(-8000)).toBe(0);
  expect(said).toMatch(/Tested: [1-9]/);
  expect(server.process.exitCode, "it serves on").toBeNull();
  expect((await server.ask("about")).status).toBe(200);
});
