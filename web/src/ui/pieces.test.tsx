import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Delta, Guard, LongList, Tabs } from "./pieces";

afterEach(cleanup);

test("a difference says in words what its colour says", () => {
  render(<Delta value={-3} />);
  expect(screen.getByText(/−3/).textContent).toContain("better");
});

test("tabs are moved along by arrows, around the ends", () => {
  const tabs = ["one", "two", "three"].map((name) => ({
    name,
    label: name,
    content: () => <p>{`this is ${name}`}</p>,
  }));
  render(<Tabs label="Which" tabs={tabs} />);
  const list = screen.getByRole("tablist", { name: "Which" });
  expect(screen.getByText("this is one")).toBeTruthy();
  fireEvent.keyDown(list, { key: "ArrowLeft" });
  expect(screen.getByText("this is three")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole("tab", { name: "three" }));
  fireEvent.keyDown(list, { key: "ArrowRight" });
  expect(screen.getByRole("tab", { name: "one" }).getAttribute("aria-selected")).toBe("true");
  expect(screen.getByRole("tabpanel", { name: "one" })).toBeTruthy();
});

test("of a long list only what is in sight is there", () => {
  const items = Array.from({ length: 100000 }, (_, i) => i);
  render(
    <LongList items={items} height={20} label="Numbers" row={(item) => <p key={item}>{`row ${item}`}</p>} />,
  );
  expect(screen.getAllByText(/^row/).length).toBeLessThan(100);
  const box = screen.getByRole("region", { name: "Numbers" });
  fireEvent.scroll(box, { target: { scrollTop: 20 * 50000 } });
  expect(screen.getByText("row 50000")).toBeTruthy();
  expect(screen.queryByText("row 0")).toBeNull();
});

test("a view that cannot be drawn says so", () => {
  const quiet = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const Broken = () => {
    throw new Error("no such field");
  };
  render(
    <Guard>
      <Broken />
    </Guard>,
  );
  expect(screen.getByRole("alert").textContent).toContain("no such field");
  quiet.mockRestore();
});
