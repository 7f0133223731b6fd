"""Files of libraries that firmware is made of, as `ordo-cc` compiles them beside clang -Oz.

    ./ordo bench libraries [--budgets 0 200ms 5s] [--targets NAME…] [--files N] [--write]

For each target and each budget a file: how many bytes of code `make CC=ordo-cc` leaves out, one file after the
other, on one core. The libraries are Debian's sources, and nothing was learned from them (they are in no part
of the dataset but `test`). Of each, N files are taken, from the smallest to the largest in equal steps; what
does not compile for a target is left out there, and counted. Prints the table, and with --write puts it into
docs/targets.md.

What is measured is kept in data/measured/libraries.json, file by file: a run that was stopped goes on with the
same command, and what another Ordo measured is measured anew.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from typing import Any

import debian_source
import marks
from revision import revision
from suite import mean_change, percent
from targets import TARGETS, is_bare

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = ROOT / "build/release/bin"
WORK = ROOT / "build/libraries"
KEPT = ROOT / "data/measured/libraries.json"
PAGE = ROOT / "docs/targets.md"
UNWIND = (".eh_frame", ".gcc_except_table", ".ARM.exidx", ".ARM.extab")
BUDGETS = ("0", "200ms", "5s")

Sizes = dict[str, int]
Kept = dict[str, dict[str, dict[str, Any]]]  # by target and file


@dataclasses.dataclass(frozen=True)
class Library:
    """Debian's source package, and which of its files count."""

    name: str
    version: str
    files: str  # a pattern below the folder of the sources
    flags: tuple[str, ...] = ()  # {here} is that folder
    ports: bool = False  # headers of ours are in bench/libraries


LIBRARIES = (
    Library("lwip", "2.1.3+dfsg1", "src/core/**/*.c", ("-I{here}/src/include",), ports=True),
    Library("mbedtls", "2.28.3", "library/*.c", ("-I{here}/include",)),
    Library("bearssl", "0.6+dfsg.1", "src/**/*.c", ("-I{here}/inc", "-I{here}/src")),
    Library("nanopb", "0.4.7", "pb_*.c"),
    Library("lua5.4", "5.4.4", "src/*.c"),
    Library("zlib", "1.2.13.dfsg", "*.c", ("-DZ_HAVE_UNISTD_H",)),
)


def say(text: str) -> None:
    """Progress."""
    print(f"libraries: {text}", file=sys.stderr, flush=True)


def sizes(file: pathlib.Path) -> Sizes:
    """Of an object, by the definitions of docs/targets.md."""
    told = subprocess.check_output(["llvm-readobj-22", "--sections", "--elf-output-style=JSON", file])
    found = {"code": 0, "rodata": 0, "unwind": 0, "data": 0}
    for one in json.loads(told)[0]["Sections"]:
        section = one["Section"]
        flags = {flag["Name"] for flag in section["Flags"]["Flags"]}
        if "SHF_ALLOC" not in flags or section["Type"]["Name"] == "SHT_NOBITS":
            continue
        name = section["Name"]["Name"]
        kind = "data" if "SHF_WRITE" in flags else "code" if "SHF_EXECINSTR" in flags else "rodata"
        found["unwind" if name.startswith(UNWIND) else kind] += section["Size"]
    return found


def compile_with(compiler: str, file: pathlib.Path, flags: list[str], budget: str) -> Sizes | None:
    """What a compiler makes of it, from an empty cache; nothing if it refuses."""
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "made.o"
        environment = {**os.environ, "ORDO_CACHE": f"{folder}/cache", "ORDO_BUDGET": budget}
        command = [compiler, "-Oz", "-w", *flags, "-c", file.name, "-o", made]
        done = subprocess.run(command, cwd=file.parent, env=environment, capture_output=True, check=False)
        return sizes(made) if done.returncode == 0 else None


def files_of(library: Library, most: int) -> list[pathlib.Path]:
    """So many of them, from the shortest to the longest in equal steps."""
    folder = WORK / library.name
    if not folder.exists():
        debian_source.unpack(debian_source.tarball(library.name, library.version, WORK), folder)
    files = sorted(folder.glob(library.files), key=lambda file: (file.stat().st_size, file))
    if len(files) <= most:
        return files
    return [files[round(i * (len(files) - 1) / (most - 1))] for i in range(most)]


def flags_of(library: Library) -> list[str]:
    """What its files are compiled with on all targets."""
    flags = [flag.format(here=WORK / library.name) for flag in library.flags]
    return [*flags, f"-I{ROOT / 'bench/libraries' / library.name}"] if library.ports else flags


def measure(target: str, budgets: list[str], most: int, kept: Kept) -> None:
    """Adds what `kept` lacks of a target, and keeps it as soon as it is there."""
    known = kept.setdefault(target, {})
    for library in LIBRARIES:
        for file in files_of(library, most):
            name = str(file.relative_to(WORK))
            flags = [*TARGETS[target], *flags_of(library)]
            if name not in known:
                known[name] = {"clang": compile_with("clang-22", file, flags, "0")}
            if known[name]["clang"] is None or not known[name]["clang"]["code"]:
                continue
            for budget in budgets:
                if known[name].get(budget, {}).get("revision") == revision():
                    continue
                say(f"{target}: {name}, {budget}")
                made = compile_with(str(BIN / "ordo-cc"), file, flags, budget)
                if made is None:
                    raise SystemExit(f"libraries: ordo-cc does not compile {name} for {target}, and clang does")
                known[name][budget] = {**made, "revision": revision()}
                KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")


def cell(known: dict[str, dict[str, Any]], budget: str, part: str) -> str:
    """The mean change of a part of the files with it, and how many have more of it."""
    both = [(one[budget][part], one["clang"][part]) for one in known.values() if budget in one]
    changes = [percent(after, before) for after, before in both if before]
    if not changes:
        return ""
    larger = sum(after > before for after, before in both)
    return mean_change(changes) + (f", {larger} larger" if larger else "")


def table(kept: Kept, part: str = "code") -> str:
    """A row for each target, of what there is."""
    words = {"0": "no search", "200ms": "200 ms", "5s": "5 s"}
    shown = [budget for budget in BUDGETS if any(budget in one for files in kept.values() for one in files.values())]
    lines = ["| target | files | " + " | ".join(words.get(budget, budget) for budget in shown) + " |"]
    lines += ["|---|---:|" + "---:|" * len(shown)]
    refused = 0
    for target in TARGETS:
        known = {name: one for name, one in kept.get(target, {}).items() if one["clang"]}
        refused += len(kept.get(target, {})) - len(known)
        known = {name: one for name, one in known.items() if one["clang"]["code"]}
        if known:
            cells = " | ".join(cell(known, budget, part) for budget in shown)
            lines.append(f"| {target} | {len(known)} | {cells} |")
    revisions = {one[b]["revision"] for files in kept.values() for one in files.values() for b in shown if b in one}
    lines += ["", f"Code alone of `ordo-cc` against clang -Oz, mean over files with 95 % interval; {refused} files"]
    lines += [f"did not compile for their target. Ordo {', '.join(sorted(revisions))}."]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures what is missing, and prints what there is."""
    parser = argparse.ArgumentParser(
        prog="./ordo bench libraries", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--budgets", nargs="+", default=list(BUDGETS), choices=BUDGETS, help="a file [all of them]")
    parser.add_argument("--targets", nargs="+", default=list(TARGETS), choices=list(TARGETS), metavar="NAME")
    parser.add_argument("--files", type=int, default=8, help="of each library, at most [%(default)s]")
    parser.add_argument("--write", action="store_true", help="put the table into docs/targets.md")
    options = parser.parse_args()
    kept: Kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    for target in options.targets:
        if is_bare(TARGETS[target]) and "unwind tables" in target:
            continue  # nobody ships them there
        measure(target, options.budgets, options.files, kept)
    text = table(kept)
    if options.write:
        marks.insert(PAGE, "libraries", text)
    print(text)


if __name__ == "__main__":
    main()
