import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { standing, Stop, type Followed } from "./follow";

const told: Followed = { ended: false, failure: "", writer: "here", asked: false };

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("what ended, was ended or goes on is told apart", () => {
  expect(standing(told)).toBe("It goes on");
  expect(standing({ ...told, writer: "unknown" })).toBe("Whether it goes on is not said");
  expect(standing({ ...told, writer: "gone" })).toBe("It was ended from outside");
  expect(standing({ ...told, asked: true })).toBe("It comes to its end");
  expect(standing({ ...told, ended: true, writer: "gone" })).toBe("It is done");
  expect(standing({ ...told, ended: true, failure: "no memory" })).toBe("It ended: no memory");
});

test("only a process that is here can be stopped, and only by who says so twice", async () => {
  const fetched = vi.fn<(path: string) => Promise<Response>>(() => Promise.resolve(new Response("{}")));
  vi.stubGlobal("fetch", fetched);
  const { rerender } = render(<Stop kind="tune" command="ordo tune" told={{ ...told, writer: "gone" }} />);
  expect(screen.queryByRole("button")).toBeNull();
  rerender(<Stop kind="tune" command="ordo tune" told={told} />);
  fireEvent.click(screen.getByRole("button", { name: "Stop" }));
  fireEvent.click(screen.getByRole("button", { name: "No" }));
  expect(fetched).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Stop" }));
  fireEvent.click(screen.getByRole("button", { name: "Yes, stop it" }));
  await screen.findByText("asked to stop…");
  expect(fetched.mock.calls.map(([path]) => path)).toEqual(["api/tune/stop"]);
});

test("why it cannot be stopped is said", async () => {
  const answer = { error: { code: "unsupported", message: "it runs elsewhere" } };
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(answer), { status: 422 })));
  render(<Stop kind="tune" command="ordo tune" told={told} />);
  fireEvent.click(screen.getByRole("button", { name: "Stop" }));
  fireEvent.click(screen.getByRole("button", { name: "Yes, stop it" }));
  expect((await screen.findByRole("alert")).textContent).toContain("it runs elsewhere");
  expect(screen.getByRole("button", { name: "Stop" })).toBeTruthy();
});
