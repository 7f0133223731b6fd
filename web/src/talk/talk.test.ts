import { expect, test } from "vitest";
import { measured } from "./talk";

test("values are counted by what tools cost, and what is no answer is passed over", () => {
  const points = measured([
    { role: "user", content: "begin" },
    { role: "tool", content: '{"choices":[],"cost":{"compiles":0}}' },
    { role: "assistant", content: null, tool_calls: [] },
    { role: "tool", content: '{"value":442,"cost":{"compiles":1}}' },
    { role: "tool", content: "not JSON" },
    { role: "tool", content: '{"error":{"code":"failed"},"cost":{"compiles":2}}' },
    { role: "tool", content: '{"value":440,"cost":{"compiles":1}}' },
  ]);
  expect(points).toEqual([
    { compiles: 1, value: 442 },
    { compiles: 4, value: 440 },
  ]);
});
