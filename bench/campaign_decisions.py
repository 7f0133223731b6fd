#!/usr/bin/env python3
"""Compiles modules by random decisions about calls, and programs by random decisions of all kinds, and looks what comes of it.

    ./ordo campaign decisions [N] [--modules M] [--seed N] [--json FILE]

A crash that LLVM does not have where it decides by itself is wrong, and so is a program that does not do what its tests say.
N is how many decisions are to be asked for; those of programs are beside that. Modules are of the dataset debian, of its part
for training; what cannot be compiled at all is counted and left out.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LEVELS = ("-Oz", "-O1", "-O2", "-O3")
AT_ONCE = 16  # modules of one call of ordo-advise
LARGEST = 150_000  # bytes of bitcode
PATIENCE_S = 600


def modules(ordo: Path, limit: int, seed: int) -> list[str]:
    """Bitcode of the dataset, in a random order."""
    words = [ordo, "list", "programs", "debian", "--split", "train", "--limit", str(limit), "--seed", str(seed), "--json"]
    listed = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    store = Path(os.environ.get("ORDO_DATASETS", Path.home() / ".cache/ordo/datasets")) / "debian"
    hashes: dict[str, dict[str, str]] = {}
    files = []
    for one in listed:
        _, package, name = one["program"].split("/", 2)
        if package not in hashes:
            record = json.loads((store / "packages" / f"{package}.json").read_text())
            hashes[package] = {module["name"]: module["hash"] for module in record["modules"]}
        files.append(store / "modules" / hashes[package][name][:2] / f"{hashes[package][name]}.bc")
    return [str(file) for file in files if file.stat().st_size <= LARGEST]


def advise(binary: Path, words: list[str], names: list[str]) -> list[dict]:
    """Lines of ordo-advise, one for each module."""
    done = subprocess.run([binary / "ordo-advise", *words, "--", *names], capture_output=True, text=True, timeout=PATIENCE_S * len(names))
    if done.returncode:
        sys.exit(f"ordo-advise: {done.stderr.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines()]


class Campaign:
    """What was done, and what was wrong."""

    def __init__(self, ordo: Path, seed: int, kept: str | None) -> None:
        """`seed` is that of all decisions; what was found is kept in a file on the way."""
        self.kept = kept
        self.ordo = ordo
        self.binary = ordo.absolute().parent
        self.plugin = self.binary.parent / "lib" / "libordo-plugin.so"
        self.seed = seed
        self.counts: Counter[str] = Counter()
        self.faults: list[dict] = []

    def keep(self) -> None:
        """Writes what was found until now."""
        if self.kept:
            Path(self.kept).write_text(json.dumps({"seed": self.seed, "counts": self.counts, "faults": self.faults}, indent=1) + "\n")

    def fault(self, **what: object) -> None:
        """Says and keeps that something is wrong."""
        self.faults.append(what)
        print(" ".join(f"{name}={value}" for name, value in what.items()), flush=True)

    def compile_modules(self, names: list[str], wanted: int) -> None:
        """Random decisions about the calls of all modules, again and again until `wanted` were asked for."""
        usable = names
        for turn in range(10**6):
            seed = 1000 * self.seed + turn
            kept = []
            for at in range(0, len(usable), AT_ONCE):
                for line in advise(self.binary, ["random", "--seed", str(seed)], usable[at : at + AT_ONCE]):
                    self.counts["compiles"] += 1
                    if "failure" not in line:
                        self.counts["decisions"] += sum(line["asked"])
                        self.counts["not usual"] += sum(line["changed"])
                        kept += [line["module"]] if sum(line["asked"]) else []
                        continue
                    plain = advise(self.binary, ["measure"], [line["module"]])[0]
                    if "failure" in plain:
                        self.counts["modules that LLVM alone does not compile"] += 1
                    else:
                        self.fault(module=line["module"], seed=seed, why=line["failure"])
                self.keep()
                if sys.stderr.isatty():
                    print(f"\r{self.counts['decisions']}/{wanted} decisions, {len(self.faults)} wrong ", end="", file=sys.stderr, flush=True)
                if self.counts["decisions"] >= wanted:
                    return
            usable = kept
            if not usable:
                sys.exit("no module asks anything")

    def run_programs(self, folder: Path, names: list[str]) -> None:
        """The programs of the suite, at each level with decisions of another seed, and their tests."""
        for k, name in enumerate(names):
            for level in LEVELS:
                self.run_program(folder, ROOT / "suite" / name, level, f"random:{1000 * self.seed + k}")

    def run_program(self, folder: Path, home: Path, level: str, advisor: str) -> None:
        """One program, and its tests."""
        about = tomllib.loads((home / "program.toml").read_text())
        sources = about["source"] if isinstance(about["source"], list) else [about["source"]]
        compiler = "clang++-22" if about.get("language") == "c++" else "clang-22"
        out = folder / "program"
        log = folder / "log"
        log.mkdir(exist_ok=True)
        words = [compiler, level, "-w", *about.get("cflags", []), f"-fpass-plugin={self.plugin}"]
        words += [*(str(home / source) for source in sources), "-o", str(out), *about.get("ldflags", [])]
        environment = os.environ | {"ORDO_ADVISORS": f"{advisor},log={log}"}
        built = subprocess.run(words, env=environment, capture_output=True, text=True)
        for lines in log.iterdir():
            self.counts["decisions of programs"] += max(len(lines.read_text().splitlines()) - 1, 0)
            lines.unlink()
        if built.returncode:
            self.fault(program=home.name, level=level, advisor=advisor, why=built.stderr.strip()[-300:])
            return
        self.counts["programs"] += 1
        for test in about["test"]:
            self.counts["tests"] += 1
            given = (home / test["stdin"]).read_bytes() if "stdin" in test else b""
            try:
                done = subprocess.run([out, *test.get("args", [])], input=given, capture_output=True, cwd=home, timeout=10 * test.get("timeout_s", 10))
            except subprocess.TimeoutExpired:
                self.fault(program=home.name, level=level, advisor=advisor, test=test["name"], why="runs for ever")
                continue
            expected = (home / test["stdout"]).read_bytes() if "stdout" in test else done.stdout
            if done.returncode != test.get("exit", 0) or done.stdout != expected:
                self.fault(program=home.name, level=level, advisor=advisor, test=test["name"], why=f"exit {done.returncode}, or other output")


def main() -> int:
    """The exit status: 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="ordo campaign decisions", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("count", nargs="?", type=int, default=100000, help="how many decisions about calls of modules [100000]")
    parser.add_argument("--modules", type=int, default=2000, help="of how many modules at most [2000]")
    parser.add_argument("--on", action="append", default=[], metavar="FILE", help="bitcode in place of the dataset's; may be given again")
    parser.add_argument("--programs", type=int, help="how many programs of the suite [all]")
    parser.add_argument("--seed", type=int, default=1, help="other decisions for another number [1]")
    parser.add_argument("--json", help="a file for what was found")
    arguments = parser.parse_args()
    campaign = Campaign(Path(os.environ.get("ORDO", ROOT / "build/release/bin/ordo")), arguments.seed, arguments.json)
    programs = sorted(path.parent.name for path in (ROOT / "suite").glob("*/program.toml"))
    random.Random(arguments.seed).shuffle(programs)
    try:
        with tempfile.TemporaryDirectory(prefix="ordo-campaign-") as name:
            campaign.run_programs(Path(name), programs[: arguments.programs])
        if arguments.count:
            campaign.compile_modules(arguments.on or modules(campaign.ordo, arguments.modules, arguments.seed), arguments.count)
    except KeyboardInterrupt:
        print("stopped; what was done until now:")
    campaign.keep()
    print(", ".join(f"{number} {what}" for what, number in campaign.counts.items()))
    print(f"seed {arguments.seed}: {len(campaign.faults)} wrong")
    return 1 if campaign.faults else 0


if __name__ == "__main__":
    sys.exit(main())
