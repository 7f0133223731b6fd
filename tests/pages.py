"""Runs the commands that the pages name, each for some seconds, with the data that is shipped.

    python3 tests/pages.py ORDO [PATTERN]     PATTERN: a regular expression; only commands that it finds

What a page tells people to type has to begin: its subcommand, options, names of spaces, searchers and files that are
shipped, and the data that they read, as they are today. A command passes if it ends well, if it was still at work after
SECONDS and ends on Ctrl-C, or if it lacks what only its user has: a file of theirs (66), a server or a package (69).

Commands are the lines of code blocks that begin with `ordo` or `./ordo`. Each is run by a shell in a copy of what is
shipped, with the files beside it that pages use as names of the reader's own. Of commands with the same options one is
run. Exits with 1 and one line for each command that failed.
"""

from __future__ import annotations

import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 3
#: For ending after Ctrl-C: tunings still check what they have found.
GRACE = 60
#: What ends well, and what says that something of the reader's own is not here.
GOOD = {0, 66, 69, 130}
#: Their 1 is an answer: a comparison that shows nothing, a check that failed.
ANSWERS_WITH_1 = {"check", "time", "verify"}
#: Verbs of the launcher, not of the program; what fetches from the network before anything else; and what is there only
#: after its page was followed.
LEFT_OUT = re.compile(r"^(test|bench|python|peers|campaign|chaos|fuzz|format|dataset harvest|loop demo)\b|^features .* loads")
#: Readers' own files.
FIXTURES = {
    "main.c": "#include <stdio.h>\nint main(void) { int s = 0; for (int i = 0; i < 9; ++i) s += i * i; return !printf(\"%d\\n\", s); }\n",
    "lib.c": "int twice(int x) { return x * 2; }\n",
    "util.c": "int half(int x) { return x / 2; }\n",
    "some.txt": "suite/crc32\n",
    "programs.txt": "suite/crc32\n",
    "input.txt": "a line\n",
    "Makefile": "main: main.o\nmain.o: main.c\nclean:\n\trm -f main main.o\ntest: main\n\t./main\n",
}


def commands_of(page: pathlib.Path) -> Iterator[tuple[int, str]]:
    """(line, what stands behind `ordo`) of each command of a page, without remarks behind it."""
    inside, begun, begun_at = False, "", 0
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            inside = not inside
            continue
        if not inside:
            continue
        if begun:
            line, number = begun + line.strip(), begun_at
        elif not re.match(r"\s*(\./)?ordo ", line):
            continue
        if line.endswith("\\"):
            begun, begun_at = line[:-1].rstrip() + " ", number
            continue
        begun = ""
        line = re.split(r"\s#\s|\s{2,}| \| ", line.strip())[0]
        # Neither pictures nor what leaves a name to the reader.
        if not re.search("──|…|<[a-z]+>", line):
            yield number, line.split(None, 1)[1]


def kind(command: str) -> str:
    """Commands of one kind differ in values only."""
    words = shlex.split(command)
    named = [word.split("=")[0] for word in words if word.startswith("-")]
    return " ".join([*words[:2], *sorted(set(named))])


def chosen(pattern: str) -> list[tuple[str, str]]:
    """(place, command) of what is to be run."""
    pages = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    found: dict[str, tuple[str, str]] = {}
    for page in pages:
        if page == "CHANGELOG.md":
            continue
        for line, command in commands_of(ROOT / page):
            if not LEFT_OUT.match(command) and re.search(pattern, command):
                found.setdefault(kind(command), (f"{page}:{line}", command))
    return list(found.values())


def prepare(ordo: str, folder: pathlib.Path) -> None:
    """What is shipped, and the reader's own files."""
    for name in ("data", "suite", "examples", "programs"):
        shutil.copytree(ROOT / name, folder / name, symlinks=True)
    for name, text in FIXTURES.items():
        (folder / name).write_text(text, encoding="utf-8")
    shutil.copy(folder / "examples/mlir/matmul.mlir", folder / "kernel.mlir")
    run = lambda *words: subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    run(ordo, "loop", "init")
    run(ordo, "tune", "suite/sha256", "--budget", "20evals", "-q")
    run(ordo, "eval", "suite/crc32", "--methods", "random", "--compiles", "10", "--seeds", "1", "--study", "s.sqlite")
    shutil.copy(folder / "s.sqlite", folder / "study.sqlite")
    for name in ("before", "after"):
        run("clang-22", "-O1", "main.c", "-o", name)
    for name in ("original.bc", "optimized.bc"):
        run("clang-22", "-O1", "-emit-llvm", "-c", "main.c", "-o", name)


def failure(ordo: str, command: str, prepared: pathlib.Path) -> str:
    """Why the command did not pass, or nothing. It has a folder of its own, like `prepared`."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=prepared.parent)) / "clone"
    shutil.copytree(prepared, folder, symlinks=True, copy_function=os.link)
    # These make what others read.
    if command.startswith("loop init"):
        (folder / "loop.toml").unlink()
    if command.startswith("eval"):
        for study in folder.glob("*.sqlite"):
            study.unlink()
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        process = subprocess.Popen(["bash", "-c", f"exec {shlex.quote(ordo)} {command}"], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said,
                                   start_new_session=True)
        stopped = False
        try:
            code = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            stopped = True
            process.send_signal(signal.SIGINT)
            try:
                code = process.wait(GRACE)
            except subprocess.TimeoutExpired:
                return f"was at work {GRACE} s after Ctrl-C"
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
            shutil.rmtree(folder.parent, ignore_errors=True)
        if code in GOOD or (stopped and code == -signal.SIGINT) or (code == 1 and command.split()[0] in ANSWERS_WITH_1):
            return ""
        said.seek(0)
        lines = [line for line in said.read().splitlines() if line.strip()]
        return f"exit {code}: {lines[-1][:200] if lines else 'without a word'}"


def main() -> int:
    ordo, pattern = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work) / "clone"
        os.environ |= {"ORDO_CACHE": f"{work}/cache", "ORDO_DATASETS": f"{work}/datasets", "HOME": work}
        prepare(ordo, folder)
        wanted = chosen(pattern)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            reasons = list(pool.map(lambda one: failure(ordo, one[1], folder), wanted))
    failed = [(place, command, why) for (place, command), why in zip(wanted, reasons, strict=True) if why]
    for place, command, why in failed:
        print(f"{place}: ordo {command}: {why}")
    print(f"{len(wanted) - len(failed)} of {len(wanted)} commands of the pages begin")
    return 1 if failed or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
