"""Code of other machines, and what it takes there.

    ./ordo bench targets [--budget 30evals] [--targets NAME…] [--programs NAME…] [--write]

`ordo tune` on some programs of the suite, for each target, their tests run in qemu where this machine cannot;
and the images of examples/firmware and examples/riscv32. Programs for bare metal, where C++ is left out, have
headers of picolibc and are not linked. Prints tables, and with --write puts them into docs/targets.md.

What is measured is kept in data/measured/targets.json, one program of one target after the other: a run that
was stopped goes on with the same command, and what was measured with another budget, or by another Ordo, is
measured anew.
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
IMAGES = {"Cortex-M4": ROOT / "examples/firmware", "RV32IMC": ROOT / "examples/riscv32"}
PICOLIBC = "/usr/lib/picolibc"
MACHINES = {
    "x86-64": [],
    "AArch64": ["--target=aarch64-linux-gnu"],
    "ARMv7, Thumb": ["--target=arm-linux-gnueabihf", "-mthumb"],
    "RISC-V 64": ["--target=riscv64-linux-gnu"],
    "Cortex-M4": ["--target=thumbv7em-none-eabi", "-mcpu=cortex-m4", f"-I{PICOLIBC}/arm-none-eabi/include"],
    "RV32IMC": [
        *("--target=riscv32-unknown-elf", "-march=rv32imc", "-mabi=ilp32"),
        f"-I{PICOLIBC}/riscv64-unknown-elf/include",
    ],
}
TARGETS = {
    name: [*flags, "-fno-unwind-tables", "-fno-asynchronous-unwind-tables"]
    for name, flags in MACHINES.items()
}
TARGETS |= {
    f"{name}, unwind tables": [*flags, "-fasynchronous-unwind-tables"] for name, flags in MACHINES.items()
}
PROGRAMS = ["base64", "bwt", "crc32", "editdist", "fft", "json", "sha256", "sorts", "textsearch", "wc"]
METRICS = ("text_bytes", "code_bytes", "rodata_bytes", "unwind_bytes")

Measured = dict[str, Any]


def tune(program: pathlib.Path, flags: list[str], budget: str) -> Measured:
    """What `ordo tune` makes of it; without figures if it makes nothing, with its words."""
    # Nothing that has no system is linked, but for images: so it has no tests.
    what = program / f"{program.name}.c" if is_bare(flags) else program
    with tempfile.TemporaryDirectory() as folder:
        command = [ORDO, "tune", what, "--budget", budget, "--json", "-q", "-o", f"{folder}/"]
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


def image_of(name: str) -> str:
    """What the image of a machine is kept as."""
    return f"{name}, image"


def is_bare(flags: list[str]) -> bool:
    """Whether there is no system, and so no library of C++."""
    return any(PICOLIBC in flag for flag in flags)


def tables(kept: dict[str, dict[str, Measured]]) -> str:
    """Both tables, of what there is."""
    lines = ["| target | programs | code alone | with more code | text | tests passed |"]
    lines += ["|---|---:|---:|---:|---:|---:|"]
    lines += [row(name, kept[name]) for name in TARGETS if kept.get(name)]
    for name, folder in IMAGES.items():
        image = kept.get(image_of(name), {}).get(folder.name, {})
        if "image" not in image:
            continue
        lines += [
            "",
            f"| {name}, examples/{folder.name} | clang -Oz | tuned | change |",
            "|---|---:|---:|---:|",
        ]
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
    parser.add_argument("--budget", default="30evals", help="for each program [%(default)s]")
    names = [*TARGETS, *map(image_of, IMAGES)]
    parser.add_argument("--targets", nargs="+", default=names, help="of: " + ", ".join(names))
    parser.add_argument("--programs", nargs="+", default=PROGRAMS, help="of the suite")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/targets.md")
    options = parser.parse_args()
    kept: dict[str, dict[str, Measured]] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    programs = [ROOT / "suite" / name for name in options.programs]
    wanted = [
        (target, program, flags)
        for target, flags in TARGETS.items()
        for program in programs
        if not is_bare(flags) or 'language = "c"' in (program / "program.toml").read_text()
    ]
    wanted += [(image_of(name), folder, []) for name, folder in IMAGES.items()]
    for target, program, flags in wanted:
        known = kept.setdefault(target, {}).get(program.name)
        same = known and (known["budget"], known["revision"]) == (options.budget, revision())
        if target not in options.targets or same:
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
