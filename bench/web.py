"""How fast the explorer is, and how large what it shows may be.

    ./ordo bench web [--write]

A browser looks at the real server: at suite/sha256, a module of 50,000 instructions, a study of 100,000 runs and
a search of 10,000 sequences (web/e2e/reach.test.ts, large.test.ts, size.test.ts). Prints a table, and with
--write puts it into docs/web.md. Takes some minutes; frames are late on a machine that does other things, so
its load is said.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from datetime import date
from typing import Any

import marks
from revision import machine, revision

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/web.md"
PART = "bench web"

Figures = dict[str, Any]


def measure() -> dict[str, Figures]:
    """What the tests measure, by its name. Ends the program if one of them fails."""
    with tempfile.TemporaryDirectory() as folder:
        tests = ["npx", "--no-install", "vitest", "run", "--config", "e2e/vitest.config.ts", "--no-file-parallelism"]
        environment = os.environ | {
            "ORDO": str(ROOT / "build/release/bin/ordo"),
            "ORDO_FULL": "1",
            "ORDO_WEB_FIGURES": folder,
        }
        run = subprocess.run([*tests, "reach", "large", "size"], cwd=ROOT / "web", env=environment, check=False)
        if run.returncode != 0:
            sys.exit(run.returncode)
        return {file.stem: json.loads(file.read_text()) for file in pathlib.Path(folder).iterdir()}


def smooth(scrolled: Figures) -> str:
    """How an element scrolls."""
    return (
        f"longest frame {scrolled['longest_ms']:.0f} ms, {scrolled['late']} of {scrolled['frames']} over 50 ms "
        f"({scrolled['busy_ms']:.0f} ms of a processor each)"
    )


def memory(figures: Figures) -> str:
    """Of the page and its server."""
    return f"page {figures['page_mib']} MiB, server {figures['server_mib']} MiB"


def table(found: dict[str, Figures]) -> str:
    """What is wanted beside what was measured."""
    reach, module, study, search = (found[name] for name in ("reach", "module", "study", "search"))
    scrolls = "no frame over 50 ms while scrolling, memory under 500 MB"
    rows = [
        ("first state of `suite/sha256`", "1 s", f"{reach['first_ms'] / 1000:.2f} s"),
        (
            "a pass applied to seen",
            "100 ms and the pass",
            f"{reach['beyond_ms']} ms and the pass with its measurement ({reach['engine_ms']} ms); "
            f"{reach['page_ms']} ms of a processor in the page",
        ),
        (
            f"a module of {module['instructions']:,} instructions",
            scrolls,
            f"code, 300 pixels a frame: {smooth(module['code'])}; a screen a frame: {smooth(module['code_screens'])}; "
            f"a difference, side by side, 300 pixels a frame: {smooth(module['difference'])}; a screen a frame: "
            f"{smooth(module['difference_screens'])}; {memory(module)}; first state "
            f"{module['opened_ms'] / 1000:.1f} s, a pass {module['applied_ms'] / 1000:.1f} s, its difference "
            f"{(module['changes_ms'] + module['difference_ms']) / 1000:.1f} s",
        ),
        (
            f"a study of {study['runs']:,} runs",
            scrolls,
            f"a screen a frame: list: {smooth(study['programs'])}; page: {smooth(study['page'])}; {memory(study)}; "
            f"first figures {study['opened_ms'] / 1000:.1f} s",
        ),
        (
            "a search of 10,000 sequences",
            scrolls,
            f"a screen a frame, while it goes on: {smooth(search['live'])}; after it: {smooth(search['after'])}; {memory(search)}; "
            f"{search['sequences']:,} were new",
        ),
        ("the application, gzipped, without WASM", "600 kB", f"{found['size']['gzipped'] / 1000:.0f} kB"),
    ]
    lines = ["| what | wanted | measured |", "|---|---|---|"]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows]) + "\n"


def main() -> None:
    """Measures, and prints or writes the table."""
    parser = argparse.ArgumentParser(prog="./ordo bench web", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--write", action="store_true", help="into docs/web.md")
    options = parser.parse_args()
    before = os.getloadavg()[0]
    text = table(measure())
    text += (
        f"\nBy `./ordo bench web --write` at {revision()} on {date.today()}: {machine()}, {os.cpu_count()} "
        f"processors, whose load was {before:.0f} at its beginning and {os.getloadavg()[0]:.0f} at its end, "
        "Chromium without a graphics processor.\n"
    )
    if options.write:
        marks.insert(PAGE, PART, "\n" + text + "\n")
    print(text)


if __name__ == "__main__":
    main()
