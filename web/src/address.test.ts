import { expect, test } from "vitest";
import { parseAddress, writeAddress, type Address } from "./address";

const kAddress: Address = {
  view: "program",
  program: "suite/sha256",
  hash: "ab",
  version: "1",
  actions: [],
  at: null,
};

test("an address says what it was made of, whatever the names", () => {
  const names = [
    "sroa",
    "gvn<no-pre;no-load-pre>",
    "a,b=c&d",
    "+minsize",
    "codegen<misched=ilpmax>",
    "ü %20",
    "#",
    "?",
  ];
  for (let i = 0; i <= names.length; i++) {
    for (const at of [null, 0, 1, i]) {
      const address = { ...kAddress, actions: names.slice(0, i), at };
      const read = parseAddress(writeAddress(address));
      expect(read).toEqual({ ...address, at: at === i ? null : at });
    }
  }
});

test("what is no address is an empty one", () => {
  for (const hash of ["", "#", "#/", "nonsense?at=-1", "#/program?at=x"]) {
    const read = parseAddress(hash);
    expect(read.actions).toEqual([]);
    expect(read.at).toBeNull();
  }
});
