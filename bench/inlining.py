"""What an advisor of inlining is worth for speed: `./ordo bench inlining [--advisor NAME|FILE] [PROGRAM…] [--write]`.

Programs of the suite, which no advisor learned from, by `clang-22 -O3` and by the same with `ORDO_ADVISORS=NAME` and
Ordo's plugin. Both run in turns on one processor on the inputs that the programs are timed on; the ratio of a program
is the median over rounds of the ratio of their processor times, with the bootstrap's interval. Two programs that are
the same to the byte are not timed: their ratio is 1. Beside it the size of code, and what compiling takes.
"""

import argparse
import hashlib
import json
import math
import os
import pathlib
import random
import resource
import statistics
import subprocess
import tempfile
import tomllib

import marks
from revision import revision

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLUGIN = ROOT / "build/release/lib/libordo-plugin.so"
KEPT = ROOT / "build/inlining"
PAGE = ROOT / "docs/results.md"
ROUNDS = 21
LEAST_S = 0.2  # that all inputs of a program take together, repeated if need be


def seconds_of(words: list[str], **more) -> float:
    """Processor time of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def build(home: pathlib.Path, about: dict, advisor: str | None, to: pathlib.Path) -> float:
    """How long the compiler takes."""
    sources = about["source"] if isinstance(about["source"], list) else [about["source"]]
    compiler = "clang++-22" if about["language"] == "c++" else "clang-22"
    words = [compiler, "-O3", "-w", *about.get("cflags", []), *(str(home / source) for source in sources)]
    words += ["-o", str(to), *about.get("ldflags", [])]
    if advisor is None:
        return seconds_of(words)
    return seconds_of([*words, f"-fpass-plugin={PLUGIN}"], env=os.environ | {"ORDO_ADVISORS": advisor})


def code_of(program: pathlib.Path) -> int:
    """Bytes of its text section."""
    for line in subprocess.run(["llvm-size-22", "-A", program], capture_output=True, text=True, check=True).stdout.splitlines():
        if line.startswith(".text "):
            return int(line.split()[1])
    return 0


def inputs_of(home: pathlib.Path, about: dict, folder: pathlib.Path) -> list[tuple[dict, pathlib.Path]]:
    """Each input that the program is timed on, and the file for its standard input (docs/formats/program.md)."""
    inputs = []
    for number, run in enumerate(about["run"]):
        parts = [home / run["before"]] if "before" in run else []
        parts += [home / run["stdin"]] * run.get("repeat", 1) if "stdin" in run else []
        parts += [home / run["after"]] if "after" in run else []
        known = {part: part.read_bytes() for part in set(parts)}
        file = folder / f"input-{number}"
        file.write_bytes(b"".join(known[part] for part in parts))
        inputs.append((run, file))
    return inputs


def round_of(home: pathlib.Path, inputs: list, program: pathlib.Path, repeats: int, processor: int) -> tuple[float, str]:
    """Processor time of all inputs, each repeated, and a hash of what was printed."""
    total, printed = 0.0, hashlib.sha256()
    for run, file in inputs:
        for _ in range(repeats):
            with file.open("rb") as given:
                words = ["taskset", "-c", str(processor), str(program), *run.get("args", [])]
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                done = subprocess.run(words, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=home)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if done.returncode != run.get("exit", 0):
                raise SystemExit(f"inlining: {program.name} of {home.name} ended with status {done.returncode}")
            printed.update(done.stdout)
            total += after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return total, printed.hexdigest()


def measure(name: str, advisor: str, rounds: int, processor: int) -> dict:
    """One program."""
    home = ROOT / "suite" / name
    about = tomllib.loads((home / "program.toml").read_text())
    with tempfile.TemporaryDirectory(prefix="ordo-inlining-") as folder:
        plain, advised = pathlib.Path(folder) / "plain", pathlib.Path(folder) / "advised"
        row = {"program": name, "compile_s": [build(home, about, None, plain), build(home, about, advisor, advised)]}
        row["code"] = [code_of(plain), code_of(advised)]
        if plain.read_bytes() == advised.read_bytes():
            return row | {"ratios": []}
        inputs = inputs_of(home, about, pathlib.Path(folder))
        once, expected = round_of(home, inputs, plain, 1, processor)
        if round_of(home, inputs, advised, 1, processor)[1] != expected:
            raise SystemExit(f"inlining: {name} prints something else when it is advised")
        repeats = max(1, math.ceil(LEAST_S / max(once, 1e-3)))
        chance = random.Random(1)
        ratios = []
        for _ in range(rounds):
            order = [plain, advised]
            chance.shuffle(order)
            seconds = {program: round_of(home, inputs, program, repeats, processor)[0] for program in order}
            ratios.append(seconds[plain] / seconds[advised])
        return row | {"ratios": ratios}


def interval(ratios: list[float]) -> tuple[float, float]:
    """Of the median, over resampled rounds."""
    chance = random.Random(1)
    medians = sorted(statistics.median(chance.choices(ratios, k=len(ratios))) for _ in range(2000))
    return medians[50], medians[1949]


def report(rows: list[dict], advisor: str) -> str:
    """The table and what it comes to."""
    text = ["| program | times as fast | 95 % | code | compile time |", "|---|---|---|---|---|"]
    logs, slower = [], []
    for row in rows:
        ratios = row["ratios"]
        middle = statistics.median(ratios) if ratios else 1.0
        low, high = interval(ratios) if ratios else (1.0, 1.0)
        logs.append(math.log(middle))
        if high < 0.99:
            slower.append(row["program"])
        code, spent = row["code"], row["compile_s"]
        shown = "the same program" if not ratios else f"{low:.3f} to {high:.3f}"
        text.append(f"| {row['program']} | {middle:.3f} | {shown} | {100 * (code[1] / code[0] - 1):+.1f} % | {spent[1] / spent[0]:.2f} |")
    chance = random.Random(1)
    means = sorted(math.exp(statistics.fmean(chance.choices(logs, k=len(logs)))) for _ in range(2000))
    load = os.getloadavg()[0]
    text.append("")
    text.append(
        f"`{advisor}`, {len(rows)} programs, {sum(bool(row['ratios']) for row in rows)} of them changed: {math.exp(statistics.fmean(logs)):.4f} times as "
        f"fast as `clang-22 -O3` on the geometric mean (95 % over programs: {means[50]:.4f} to {means[1949]:.4f}); surely slower "
        f"than 0.99: {', '.join(slower) or 'none'}. {revision()}, load {load:.1f}."
    )
    return "\n".join(text)


def main() -> None:
    """Measures what is not kept, prints the table, and writes it if asked to."""
    parser = argparse.ArgumentParser(prog="ordo bench inlining", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="of the suite [all that are timed]")
    parser.add_argument("--advisor", default="inline-speed", help="[inline-speed]")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--write", action="store_true", help="into docs/results.md")
    options = parser.parse_args()
    timed = [path.parent.name for path in sorted((ROOT / "suite").glob("*/program.toml")) if "[[run]]" in path.read_text()]
    if unknown := set(options.programs) - set(timed):
        parser.error(f"no program of the suite that is timed: {', '.join(sorted(unknown))}")
    KEPT.mkdir(parents=True, exist_ok=True)
    processor = max(os.sched_getaffinity(0))
    rows = []
    for name in options.programs or timed:
        file = KEPT / f"{name}.{pathlib.Path(options.advisor).stem}.{options.rounds}.{revision()}.json"
        if not file.exists():
            file.write_text(json.dumps(measure(name, options.advisor, options.rounds, processor)) + "\n")
        rows.append(json.loads(file.read_text()))
        print(f"{len(rows)}: {name}", flush=True)
    text = report(rows, options.advisor)
    print(text)
    if options.write:
        marks.insert(PAGE, "inlining", text)


if __name__ == "__main__":
    main()
