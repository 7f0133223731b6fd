"""What building and testing costs: `./ordo bench build [STAGE…] [--write]`.

Every stage begins with a clone of this tree's last commit, without ccache, in a folder that is removed afterwards:
- program: what `./ordo tune` builds before it begins
- test: `./ordo test`, and from the same clone `plain`, the unit tests of folders that see no LLVM
- ci: `.ci/run`
Without STAGE all of them are run, which takes most of an hour on two cores. Debian packages must be installed; Python's
are fetched, as they are for a user.

The processor time is that of all processes. On a machine that is busy it is what tells most, and it still is some
tenths more than on a quiet one: the load is printed. With --write the table replaces that in docs/development.md.
"""

import argparse
import os
import re
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import marks
from revision import revision

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "development.md"

# Clones, and in each of them commands in turn: a name, what is run, what is wanted in minutes.
STAGES = {
    "program": [("`./ordo tune`: the program", ["./ordo", "--yes", "list", "searchers"], 5.0)],
    "test": [
        ("`./ordo test`", ["./ordo", "--yes", "test"], 12.0),
        ("`ctest -L plain`", ["ctest", "--test-dir", "build/release", "-L", "plain", "-j", str(os.cpu_count())], 1 / 3),
    ],
    "ci": [("`.ci/run`", [".ci/run"], 25.0)],
}


def processor_s() -> float:
    """What the processes that have ended so far have used, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def closing(text: str) -> str:
    """The line that counts tests, of ours or of ctest."""
    counted = re.findall(r"^\d+ passed, \d+ failed, \d+ skipped$|^\d+% tests passed.*$", text, re.MULTILINE)
    return counted[-1] if counted else ""


def run(stage: str, folder: Path) -> list[str]:
    """The rows of a stage."""
    clone = folder / stage
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", ROOT, clone], check=True)
    rows = []
    for name, command, wanted in STAGES[stage]:
        log, before, start = folder / f"{stage}.log", processor_s(), time.monotonic()
        with log.open("w") as out:
            status = subprocess.run(
                command,
                cwd=clone,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=os.environ | {"CCACHE_DISABLE": "1"},
            ).returncode
        minutes, used = (time.monotonic() - start) / 60, (processor_s() - before) / 60
        text = log.read_text(errors="replace")
        if status:
            print(text[-4000:], f"\n{name} ended with exit code {status}", sep="", flush=True)
        rows.append(f"| {name} | {wanted:.1f} | {minutes:.1f} | {used:.1f} | {closing(text)} |")
        print(rows[-1], f"  (load {os.getloadavg()[0]:.1f})", sep="", flush=True)
    shutil.rmtree(clone)
    return rows


def main() -> None:
    """Measures and prints, or writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stages", nargs="*", metavar="STAGE", help=", ".join(STAGES))
    parser.add_argument("--write", action="store_true", help="into docs/development.md")
    options = parser.parse_args()
    unknown = [stage for stage in options.stages if stage not in STAGES]
    if unknown:
        parser.error(f"unknown stage {unknown[0]} (there are {', '.join(STAGES)})")
    if options.write and options.stages:
        parser.error("--write is for all stages")
    load = os.getloadavg()[0]
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "build", prefix="bench-build-") as folder:
        rows = [row for stage in options.stages or STAGES for row in run(stage, Path(folder))]
    table = "\n".join(
        [
            f"Revision {revision()}, {os.cpu_count()} cores, load {load:.1f} before, {time.strftime('%Y-%m-%d')}.",
            "",
            "| from a fresh clone, without ccache | wanted, min | wall, min | processor, min | |",
            "|---|---:|---:|---:|---|",
            *rows,
        ]
    )
    if options.write:
        marks.insert(PAGE, "build times", table + "\n")
    else:
        print(table)


if __name__ == "__main__":
    main()
