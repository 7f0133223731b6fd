"""Code of other machines, and what it takes there.

    ./ordo bench targets [--budget 5s] [--targets NAME…] [--programs NAME…] [--write]

`ordo tune` on each program of the suite, for each target, its tests run in qemu where this machine cannot;
and the image of examples/firmware. Prints the tables of docs/targets.md, and with --write puts them there.
What is measured is kept in data/measured/targets.json, one program of one target after the other: a run that
was stopped goes on with the same command, and what was measured with another budget is measured anew.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
from typing import Any

import marks
from revision import revision
from suite import mean_change, number, percent

ROOT = pathlib.Path(__file__).resolve().parent.parent
ORDO = ROOT / "build/release/bin/ordo"
KEPT = ROOT / "data/measured/targets.json"
PAGE = ROOT / "docs/targets.md"
FIRMWARE = "Cortex-M4, the image of examples/firmware"
BARE = "-fno-asynchronous-unwind-tables"
TARGETS = {
    "x86-64, with unwind tables": [],
    "x86-64": [BARE],
    "AArch64": ["--target=aarch64-linux-gnu", BARE],
    "ARMv7, Thumb": ["--target=arm-linux-gnueabihf", "-mthumb"],
    "RISC-V 64": ["--target=riscv64-linux-gnu", BARE],
}
METRICS = ("text_bytes", "code_bytes", "rodata_bytes", "unwind_bytes")

Measured = dict[str, Any]


def tune(program: pathlib.Path, flags: list[str], budget: str) -> Measured:
    """What `ordo tune` makes of it; without figures if it makes nothing, with its words."""
    with tempfile.TemporaryDirectory() as folder:
        command = [ORDO, "tune", program, "--budget", budget, "--json", "-q", "-o", f"{folder}/"]
        done = subprocess.run([*command, "--", *flags], cwd=ROOT, capture_output=True, text=True, check=False)
    kept: Measured = {"budget": budget, "revision": revision()}
    result = json.loads(done.stdout)["results"][0] if done.stdout else {"ok": False, "error": done.stderr}
    if "recipe" not in result:
        return kept | {"error": result["error"]}
    figures = {one["metric"]: [one["baseline"], one["tuned"]] for one in result["recipe"]["figures"]}
    kept |= {name: figures[name] for name in METRICS}
    kept |= {"tested": result["recipe"]["tested"], "ok": result["ok"]}
    return kept | {"image": result["image"]} if "image" in result else kept


def row(name: str, programs: dict[str, Measured]) -> str:
    """The line of a target. A program without a result is no change, and is counted."""
    done = [one for one in programs.values() if "text_bytes" in one]
    lost = [0.0] * (len(programs) - len(done))

    def changes(metric: str) -> list[float]:
        return [percent(after, before) for before, after in (one[metric] for one in done)] + lost

    larger = sum(change > 0 for change in changes("code_bytes"))
    passed = sum("passed" in one["tested"] and one["ok"] for one in done)
    code, text = mean_change(changes("code_bytes")), mean_change(changes("text_bytes"))
    return f"| {name} | {len(programs)} | {code} | {larger} | {text} | {passed} of {len(programs)} |"


def tables(kept: dict[str, dict[str, Measured]]) -> str:
    """Both tables, of what there is."""
    lines = ["| target | programs | code alone | larger | text | tests passed |"]
    lines += ["|---|---:|---:|---:|---:|---:|"]
    lines += [row(name, kept[name]) for name in TARGETS if kept.get(name)]
    image = kept.get(FIRMWARE, {}).get("firmware", {})
    if "image" in image:
        lines += ["", f"| {FIRMWARE} | clang -Oz | tuned | change |", "|---|---:|---:|---:|"]
        for part in image["image"]:
            before, after = part["baseline"], part["tuned"]
            change = f"{percent(after, before):+.2f} %"
            lines.append(f"| {part['part']} | {number(before)} | {number(after)} | {change} |")
        lines += ["", f"Booted in qemu: {image['tested']}."]
    of = {(one["budget"], one["revision"]) for programs in kept.values() for one in programs.values()}
    budgets, revisions = sorted({budget for budget, _ in of}), sorted({commit for _, commit in of})
    lines += ["", f"Against clang -Oz, {', '.join(budgets)} a program, mean with 95 % interval; "]
    lines[-1] += f"Ordo {', '.join(revisions)}.\n"
    return "\n".join(lines)


def main() -> None:
    """Measures what is missing, and prints what there is."""
    parser = argparse.ArgumentParser(
        prog="./ordo bench targets", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--budget", default="5s", help="for each program [%(default)s]")
    names = [*TARGETS, FIRMWARE]
    parser.add_argument("--targets", nargs="+", default=names, help="of: " + ", ".join(names))
    parser.add_argument("--programs", nargs="+", help="of the suite; all")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/targets.md")
    options = parser.parse_args()
    kept: dict[str, dict[str, Measured]] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    suite = ROOT / "suite"
    programs = options.programs or sorted(path.parent.name for path in suite.glob("*/program.toml"))
    wanted = [(target, suite / name, flags) for target, flags in TARGETS.items() for name in programs]
    wanted.append((FIRMWARE, ROOT / "examples/firmware", []))
    for target, program, flags in wanted:
        known = kept.setdefault(target, {}).get(program.name)
        if target not in options.targets or (known and known["budget"] == options.budget):
            continue
        print(f"targets: {target}: {program.name}", file=sys.stderr, flush=True)
        kept[target][program.name] = tune(program, flags, options.budget)
        KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
    text = tables(kept)
    if options.write:
        marks.insert(PAGE, "targets", text)
    print(text)


if __name__ == "__main__":
    main()
