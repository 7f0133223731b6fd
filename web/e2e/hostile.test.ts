// What comes from outside is hostile: other origins, other names, paths, bodies, slow clients; and how it
// ends.
import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Server } from "./harness";
import { kOrdo } from "./ordo";

let server: Server;
beforeAll(async () => {
  server = await Server.start("suite/crc32");
});
afterAll(() => server?.end());

/** The status of a request with exactly these headers. */
const status = (path: string, headers: Record<string, string>, method = "GET", body = ""): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request(
      { host: "127.0.0.1", port: server.port, path, method, headers, setHost: false },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode!);
      },
    );
    asked.on("error", reject);
    asked.end(body);
  });

/** What is said to bytes on a socket, until it is closed by the server, or for so long at most. */
const raw = (bytes: string, ms?: number): Promise<string> =>
  new Promise((resolve) => {
    let said = "";
    const socket = connect(server.port, "127.0.0.1", () => socket.write(bytes));
    socket.on("data", (data) => (said += data.toString()));
    socket.on("close", () => resolve(said));
    socket.on("error", () => resolve(said));
    if (ms) setTimeout(() => socket.destroy(), ms);
  });

const here = () => ({ Host: `127.0.0.1:${server.port}` });
const known = () => ({ ...here(), Authorization: `Bearer ${server.token}` });

test("nothing is answered without the token, and no token of another length or letter will do", async () => {
  for (const token of [
    "",
    "x",
    server.token.slice(1),
    `${server.token}0`,
    server.token.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
  ])
    expect(await status("/api/about", { ...here(), Authorization: `Bearer ${token}` })).toBe(401);
  expect(await status("/api/about", here())).toBe(401);
  expect(await status("/api/about", known())).toBe(200);
});

test("names that only point here are refused, for files as well (DNS rebinding)", async () => {
  for (const host of [
    "evil.example",
    `evil.example:${server.port}`,
    "127.0.0.1",
    `127.0.0.1:${server.port + 1}`,
    `[::1]:${server.port}`,
    "",
  ]) {
    expect(await status("/", { Host: host })).toBe(403);
    expect(await status("/api/about", { ...known(), Host: host })).toBe(403);
  }
});

test("pages of other origins are refused, also with the token", async () => {
  for (const origin of [
    "http://evil.example",
    "null",
    "https://127.0.0.1",
    `http://127.0.0.1:${server.port}.evil.example`,
    `http://evil.example:${server.port}`,
  ])
    expect(
      await status(
        "/api/program/states",
        { ...known(), Origin: origin, "Content-Type": "application/json" },
        "POST",
        '{"actions":[]}',
      ),
    ).toBe(403);
  expect(await status("/api/about", { ...known(), Origin: server.origin })).toBe(200);
});

test("a form cannot post: the content type has to be JSON", async () => {
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
    expect([400, 415]).toContain(
      await status("/api/program/states", { ...known(), "Content-Type": type }, "POST", '{"actions":[]}'),
    );
});

test("no path leads out of the application", async () => {
  for (const path of [
    "/../etc/passwd",
    "/assets/../../policy/size.safetensors",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/assets/%2e%2e%2findex.html/..",
    "/..%5c..%5cetc",
    "//etc/passwd",
    "/index.html%00.js",
    "/.",
  ]) {
    const code = await status(path, here());
    expect([400, 404], path).toContain(code);
  }
});

test("bad bodies are errors with a reason", async () => {
  for (const body of [
    "",
    "nonsense",
    "[]",
    "{}",
    '{"actions":"sroa"}',
    '{"actions":[1]}',
    '{"actions":["no-such"]}',
    '{"actions":[],"extra":1}',
    `{"actions":${JSON.stringify(Array(61).fill("sroa"))}}`,
    "[".repeat(100000),
  ]) {
    const answer = await server.ask("program/states", body);
    expect(answer.status, body.slice(0, 60)).toBe(400);
    expect(((await answer.json()) as { error: { message: string } }).error.message.length).toBeGreaterThan(
      10,
    );
  }
});

test("bodies are limited, and a length that lies helps nobody", async () => {
  expect(
    (
      await server
        .ask("program/states", `{"actions":["${"x".repeat(2 << 20)}"]}`)
        .catch(() => ({ status: 413 }))
    ).status,
  ).toBe(413);
  const said = await raw(
    `POST /api/program/states HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Length: 99999999999\r\nContent-Type: application/json\r\n\r\n{}`,
    1500,
  );
  expect(said).toMatch(/^(HTTP\/1.1 4\d\d|$)/);
  expect(await status("/api/about", known())).toBe(200);
});

test("a body without a length ends at the same limit", async () => {
  const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
  const head = [
    "POST /api/program/states HTTP/1.1",
    `Host: 127.0.0.1:${server.port}`,
    `Authorization: Bearer ${server.token}`,
    "Content-Type: application/json",
    "Transfer-Encoding: chunked",
  ].join("\r\n");
  const said = await raw(`${head}\r\n\r\n${chunk.repeat(40)}0\r\n\r\n`, 8000);
  expect(said).toMatch(/^(HTTP\/1.1 4\d\d|$)/);
  expect(await status("/api/about", known())).toBe(200);
});

test("who stops in the middle of a body is given up, and keeps nobody else out", async () => {
  const head = `POST /api/program/states HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Length: 100\r\n\r\n{`;
  const slow = Array.from({ length: 12 }, () => raw(head));
  expect(await status("/api/about", known())).toBe(200);
  for (const said of await Promise.all(slow)) expect(said).toMatch(/^(HTTP\/1.1 4\d\d|$)/);
});

test("slow clients keep nobody else out, and are given up", async () => {
  const slow = Array.from({ length: 12 }, () => raw("GET / HTTP/1.1\r\nHost: 127"));
  expect(await status("/", here())).toBe(200);
  expect(await status("/api/about", known())).toBe(200);
  await Promise.all(slow);
});

/** Says `head`, then a byte every second, until it is hung up on. */
const drip = (head: string): Promise<void> =>
  new Promise((ended) => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write(head));
    const more = setInterval(() => socket.write("x"), 1000);
    socket.resume();
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(more);
      ended();
    });
  });

test("who sends a byte now and then (slowloris) is hung up on, and keeps nobody out meanwhile", async () => {
  const question = `POST /api/program/states HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`;
  const heads = ["GET /", `${question}X-Slow: `, `${question}Content-Length: 9999\r\n\r\n{`];
  // Nearly as many as a browser opens in all; tests/unit/loopback proves that nobody waits for them.
  const slow = Array.from({ length: 240 }, (_, i) => drip(heads[i % heads.length]!));
  expect(await status("/api/about", known())).toBe(200);
  expect(await status("/", here())).toBe(200);
  await Promise.all(slow);
});

test("what is answered may not be framed, sniffed or fed with foreign scripts", async () => {
  const { headers } = await fetch(server.origin);
  const policy = headers.get("content-security-policy")!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain(" 'unsafe-eval'");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("access-control-allow-origin")).toBeNull();
  expect(
    await status(
      "/api/about",
      { ...known(), Origin: "http://evil.example", "Access-Control-Request-Method": "POST" },
      "OPTIONS",
    ),
  ).toBeGreaterThanOrEqual(400);
});

test("listens on 127.0.0.1 alone", () => {
  const port = server.port.toString(16).toUpperCase().padStart(4, "0");
  const listening = ["tcp", "tcp6"]
    .flatMap((kind) => readFileSync(`/proc/net/${kind}`, "utf8").split("\n"))
    .filter((line) => line.includes(`:${port} `) && line.includes(" 0A "));
  expect(listening.length).toBe(1);
  expect(listening[0]).toContain(`0100007F:${port}`);
});

/** The processes that descend from one. */
function family(pid: number): number[] {
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return new RegExp(`^PPid:\\t${pid}$`, "m").test(readFileSync(`/proc/${name}/status`, "utf8"));
      } catch {
        return false; // it has ended meanwhile
      }
    });
  return children.flatMap((name) => [Number(name), ...family(Number(name))]);
}

const alive = (pid: number): boolean => {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

for (const signal of ["SIGINT", "SIGHUP", "SIGKILL"] as const) {
  test(`${signal} ends it and its workers, also during a search`, async () => {
    const own = await Server.start("suite/crc32");
    const search = own.ask("program/search", { actions: [], searcher: "random", compiles: 100000 });
    const reader = (await search).body!.getReader();
    await reader.read();
    const workers = family(own.process.pid!);
    expect(workers.length).toBeGreaterThan(0);
    await own.end(signal);
    await expect.poll(() => workers.filter(alive)).toEqual([]);
    await reader.cancel().catch(() => undefined);
  });
}

test("closing the terminal that it runs in ends it and its workers", async () => {
  // A terminal of its own, which closes when this script ends.
  const terminal = `import os, pty, sys
pid, screen = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
seen = b""
while b"Ctrl-C" not in seen:
    seen += os.read(screen, 4096)
print(pid, flush=True)
sys.stdin.read()`;
  const child = spawn("python3", ["-c", terminal, kOrdo, "web", "suite/crc32"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const pid = Number(await new Promise((said) => child.stdout.once("data", said)));
  const all = [pid, ...family(pid)];
  expect(all.length).toBeGreaterThan(1);
  expect(all.filter(alive)).toEqual(all);
  child.stdin.end();
  await expect.poll(() => all.filter(alive)).toEqual([]);
});

test("sessions of a page that nobody looks at end, and come back when they are needed", async () => {
  const own = await Server.start("suite/crc32", "--idle", "5");
  const ask = async () => (await own.ask("program/functions", { actions: ["sroa"], from: [] })).status;
  expect(await ask()).toBe(200);
  expect(family(own.process.pid!).length).toBeGreaterThan(0);
  await expect.poll(() => family(own.process.pid!).length).toBe(0);
  expect(await ask()).toBe(200);
  const workers = family(own.process.pid!);
  expect(workers.length).toBeGreaterThan(0);
  expect(await own.end()).toBe(0);
  await expect.poll(() => workers.filter(alive)).toEqual([]);
});

test("what is no subject is an error that names the file", () => {
  for (const file of ["/no/such.c", "package.json", "src"]) {
    let failed: { status: number; stderr: Buffer } | null = null;
    try {
      execFileSync(kOrdo, ["web", file], {
        stdio: "pipe",
        timeout: 20000,
      });
    } catch (error) {
      failed = error as { status: number; stderr: Buffer };
    }
    expect(failed!.status).toBeGreaterThan(60);
    expect(failed!.stderr.toString()).toContain(file);
  }
});
