import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError, ask, EventReader, listen, takeToken } from "./api";

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

test("the token goes out of the address, and nothing else does", () => {
  history.replaceState(null, "", "/#token=0123abcd");
  takeToken();
  expect(location.hash).toBe("");
  expect(localStorage.getItem("ordo-token")).toBe("0123abcd");
  history.replaceState(null, "", "/#/program?do=sroa&token=ff");
  takeToken();
  expect(location.hash).toBe("#/program?do=sroa");
  history.replaceState(null, "", "/#/program?do=token");
  takeToken();
  expect(location.hash).toBe("#/program?do=token");
});

test("another tab has the token too, until the server no longer takes it", async () => {
  localStorage.setItem("ordo-token", "0123abcd"); // which the first tab took from its address
  const sent: string[] = [];
  const answers = [new Response("{}"), new Response("{}", { status: 401 })];
  vi.stubGlobal("fetch", async (path: string, { headers }: RequestInit) => {
    sent.push(`${path} ${(headers as Record<string, string>).Authorization}`);
    return answers.shift()!;
  });
  await ask("about");
  await expect(ask("about")).rejects.toThrow();
  expect(sent).toEqual(Array(2).fill("api/about Bearer 0123abcd"));
  expect(localStorage.getItem("ordo-token")).toBeNull();
});

test("events are whole however the stream is cut", () => {
  const text = 'event: a\ndata: {"x":1}\n\n: ping\n\nevent: b\ndata: "two words"\n\n';
  for (let cut = 0; cut <= text.length; cut++) {
    const reader = new EventReader();
    const events = [...reader.push(text.slice(0, cut)), ...reader.push(text.slice(cut))];
    expect(events).toEqual([
      { event: "a", data: { x: 1 } },
      { event: "b", data: "two words" },
    ]);
  }
});

test("an error has the server's words", async () => {
  vi.stubGlobal(
    "fetch",
    async () => new Response('{"error":{"code":"not found","message":"no such"}}', { status: 404 }),
  );
  await expect(ask("x")).rejects.toEqual(new ApiError("not found", "no such"));
});

test("a server that is gone is said in words", async () => {
  vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("Failed to fetch")));
  await expect(ask("x")).rejects.toThrow(/ordo web/);
});

test("a stream that ends in an error fails, after what came before", async () => {
  vi.stubGlobal(
    "fetch",
    async () =>
      new Response(
        'event: n\ndata: 1\n\nevent: error\ndata: {"error":{"code":"internal","message":"broken"}}\n\n',
      ),
  );
  const heard: string[] = [];
  await expect(listen("x", {}, (event) => heard.push(event), new AbortController().signal)).rejects.toThrow(
    "broken",
  );
  expect(heard).toEqual(["n"]);
});
