#!/usr/bin/env python3
"""Damages what Ordo has written, at random, and looks what comes of it.

    ./ordo campaign damage [N] [--seed N] [--json FILE]

In turn: the drop-in compiler's cache, a lock file, a recipe, the weights of a policy, knowledge for searchers. Whatever is
damaged, Ordo gives a program that does what the undamaged one does, or says in words that it does not take the file, with a
documented exit status. It never ends by a signal, and never says that it failed itself (70).
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = """#include <stdio.h>
static unsigned mix(unsigned x) { x ^= x >> 13; x *= 0x5bd1e995u; return x ^ (x >> 15); }
static int sorted(int* a, int n) { for (int i = 1; i < n; i++) { int x = a[i], j = i; while (j > 0 && a[j-1] > x) { a[j] = a[j-1]; j--; } a[j] = x; } return a[0]; }
int main(void) { int a[50]; unsigned s = 1; for (int i = 0; i < 50; i++) a[i] = (int)((s = mix(s + i)) % 1000u); sorted(a, 50);
  for (int i = 0; i < 50; i++) printf("%d%c", a[i], i % 10 == 9 ? '\\n' : ' '); return 0; }
"""


def damage(content: bytes, rng: random.Random) -> tuple[bytes, str]:
    """`content` with something wrong, and what that is."""
    data = bytearray(content)
    at = rng.randrange(max(len(data), 1))
    kind = rng.choice(["bit", "bit", "bit", "bits", "cut", "zeros", "noise", "grown", "empty" if rng.random() < 0.2 else "bit"])
    if kind == "bit":
        data[at] ^= 1 << rng.randrange(8)
    elif kind == "bits":
        for _ in range(8):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif kind == "cut":
        del data[at:]
    elif kind == "zeros":
        data[at : at + 64] = bytes(len(data[at : at + 64]))
    elif kind == "noise":
        data[at : at + 16] = rng.randbytes(len(data[at : at + 16]))
    elif kind == "grown":
        data[at:at] = rng.randbytes(16)
    else:
        data.clear()
    return bytes(data), f"{kind} at {at}"


class Bench:
    """A program in all the forms that are damaged."""

    def __init__(self, folder: Path) -> None:
        """Makes them in `folder`."""
        self.folder = folder
        self.bin = Path(os.environ.get("ORDO", ROOT / "build/release/bin/ordo")).absolute().parent
        self.cache = folder / "cache"
        self.environment = os.environ | {"ORDO_CACHE": str(self.cache), "ORDO_BUDGET": "0"}
        (folder / "a.c").write_text(SOURCE)
        self.must("clang-22", "-Oz", "a.c", "-o", "plain")
        self.says = subprocess.run([folder / "plain"], capture_output=True, check=True).stdout
        for _ in range(2):
            self.must(self.bin / "ordo-cc", "-Oz", "-c", "a.c", "-o", "a.o")
        self.must(self.bin / "ordo", "lock", "ordo.lock")
        self.must(self.bin / "ordo", "tune", "a.c", "-o", "t.o", "--recipe", "a.ordo.json", "--budget", "40evals", "--jobs", "1", "-q")
        data = self.bin.parent / "share" / "ordo"
        self.good = {
            "cache": self.cache / "builds.sqlite", "lock": folder / "ordo.lock", "recipe": folder / "a.ordo.json",
            "weights": data / "policy" / "size.safetensors", "knowledge": data / "knowledge" / "debian.json",
        }  # fmt: skip
        # All of the cache in one file.
        import sqlite3

        with sqlite3.connect(self.good["cache"]) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.content = {name: path.read_bytes() for name, path in self.good.items()}

    def call(self, *argv: object) -> subprocess.CompletedProcess[bytes]:
        """Runs it here, with a limit."""
        return subprocess.run([str(word) for word in argv], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=180)  # fmt: skip

    def must(self, *argv: object) -> None:
        """As call(), of what cannot fail."""
        done = self.call(*argv)
        if done.returncode != 0:
            sys.exit(f"damage: {argv} failed: {done.stderr.decode(errors='replace')}")

    def judge(self, done: subprocess.CompletedProcess[bytes], made: str | None, refusals: set[int]) -> tuple[str, str]:
        """("taken" or "refused", "") if all is well, ("wrong", why) if not."""
        words = done.stderr.decode(errors="replace")
        if done.returncode in refusals:
            return ("refused", "") if "ordo: " in words else ("wrong", f"status {done.returncode} without a word")
        if done.returncode != 0:
            return "wrong", f"status {done.returncode}: {words[:300]}"
        if made is not None:
            if self.call("clang-22", made, "-o", "program").returncode != 0:
                return "wrong", "the object does not link"
            ran = self.call(self.folder / "program")
            if ran.returncode != 0 or ran.stdout != self.says:
                return "wrong", "the program does something else"
        return "taken", ""

    def attempt(self, what: str, rng: random.Random) -> tuple[str, str, str]:
        """One damage and its use: outcome, why, and what was damaged."""
        content, kind = damage(self.content[what], rng)
        for name in ("out.o", "program"):
            (self.folder / name).unlink(missing_ok=True)
        if what == "cache":
            for path in self.cache.glob("builds.sqlite*"):
                path.unlink()
            self.good["cache"].write_bytes(content)
            self.good["cache"].chmod(0o600)
            locked = rng.random() < 0.2
            environment = dict(self.environment)
            if locked:
                self.environment["ORDO_LOCK"] = str(self.good["lock"])
            done = self.call(self.bin / "ordo-cc", "-Oz", "-c", "a.c", "-o", "out.o")
            self.environment = environment
            return (*self.judge(done, "out.o", set()), kind + (", locked" if locked else ""))
        path = self.folder / ("damaged" + self.good[what].suffix)
        path.write_bytes(content)
        if what == "lock":
            # A lock file is for the folder it lies in.
            self.environment["ORDO_LOCK"] = str(path)
            done = self.call(self.bin / "ordo-cc", "-Oz", "-c", "a.c", "-o", "out.o")
            del self.environment["ORDO_LOCK"]
            return (*self.judge(done, "out.o", {1}), kind)
        if what == "recipe":
            command = rng.choice(["replay", "explain", "verify", "check"])
            made = "out.o" if command == "replay" else None
            more = ["-o", "out.o"] if made else []
            files = [path] if command == "check" else [path, "a.c"]
            done = self.call(self.bin / "ordo", command, *files, *more)
            return (*self.judge(done, made, {1, 64, 65, 66, 78}), f"{kind}, {command}")
        option = "--policy" if what == "weights" else "--knowledge"
        done = self.call(self.bin / "ordo", "tune", "a.c", "-o", "out.o", "--recipe", "out.json", option, path, "--budget", "5evals", "--jobs", "1", "-q")  # fmt: skip
        return (*self.judge(done, "out.o", {64, 65, 78}), kind)


def main() -> int:
    """The exit status: 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="ordo campaign damage", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("count", nargs="?", type=int, default=500, help="how many damages [500]")
    parser.add_argument("--seed", type=int, default=1, help="other damages for another number [1]")
    parser.add_argument("--json", help="a file for what was found")
    arguments = parser.parse_args()
    outcomes: dict[str, Counter[str]] = {}
    faults = []
    with tempfile.TemporaryDirectory(prefix="ordo-campaign-") as name:
        bench = Bench(Path(name))
        kinds = list(bench.content)
        for k in range(arguments.count):
            rng = random.Random(f"{arguments.seed} {k}")
            what = kinds[k % len(kinds)]
            try:
                outcome, why, kind = bench.attempt(what, rng)
            except subprocess.TimeoutExpired:
                outcome, why, kind = "wrong", "runs for ever", ""
            outcomes.setdefault(what, Counter())[outcome] += 1
            if outcome == "wrong":
                faults.append({"damage": k, "what": what, "kind": kind, "why": why})
                print(f"{k}: {what}, {kind}: {why}", flush=True)
            if sys.stderr.isatty():
                print(f"\r{k}/{arguments.count}, {len(faults)} wrong ", end="", file=sys.stderr, flush=True)
        shutil.rmtree(bench.cache, ignore_errors=True)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps({"damages": arguments.count, "seed": arguments.seed, "outcomes": outcomes, "faults": faults}, indent=1) + "\n")  # fmt: skip
    for what, counts in outcomes.items():
        print(f"{what}: " + ", ".join(f"{n} {outcome}" for outcome, n in sorted(counts.items())))
    print(f"{arguments.count} damages, seed {arguments.seed}: {len(faults)} wrong")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
