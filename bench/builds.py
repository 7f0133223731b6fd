"""Whole projects built with ordo-cc, beside plain clang: `./ordo bench builds [PROJECT…]`.

Upstream sources as Debian has them, their own build systems and tests, -Oz. For each project: the text of
what it installs and the cost of a build, by plain clang-22 and by ordo-cc with an empty cache at several
budgets; then warm builds, which take turns with plain ones because others use the machine too. Writes its
part of docs/results.md. Sources are fetched by apt-get into build/builds; nothing is installed.
"""

from __future__ import annotations

import argparse
import ctypes
import dataclasses
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = ROOT / "build" / "release" / "bin"
WORK = ROOT / "build" / "builds"
PAGE = ROOT / "docs" / "results.md"
BEGIN, END = "<!-- builds -->", "<!-- end of builds -->"
BUDGETS = ["0", "200ms", "5s"]
TURNS = 3  # of warm and plain builds


@dataclasses.dataclass
class Project:
    """How to build one. `{cc}` is the compiler; the folder is that of its sources."""

    name: str
    source: str  # Debian's name
    build: str
    check: str  # its own tests
    clean: str
    installed: list[str]  # what counts
    configure: str = "true"


PROJECTS = [
    Project(
        "zlib",
        "zlib",
        configure="CC={cc} CFLAGS='-Oz -D_LARGEFILE64_SOURCE=1' ./configure",
        build="make -j2 CC={cc} libz.so.1.2.13",
        check="make -j2 CC={cc} test",
        clean="make clean",
        installed=["libz.so.1.2.13"],
    ),
    Project(
        "bzip2",
        "bzip2",
        build="make -j2 CC={cc} CFLAGS='-Wall -Winline -Oz -g -D_FILE_OFFSET_BITS=64' bzip2 bzip2recover",
        check="make CC={cc} CFLAGS='-Wall -Winline -Oz -g -D_FILE_OFFSET_BITS=64' test",
        clean="make clean",
        installed=["bzip2", "bzip2recover"],
    ),
    Project(
        "lua",
        "lua5.4",
        build="make -j2 -C src CC={cc} CFLAGS='-Wall -Wextra -DLUA_COMPAT_5_3 -DLUA_USE_LINUX -Oz' CMCFLAGS= "
        "SYSLIBS='-Wl,-E -ldl' lua luac",
        check="src/lua -e 'local t = {{}} for i = 1, 99 do t[i] = (i * 37) % 101 end table.sort(t) "
        'assert(table.concat(t, ","):gsub("%d+", "x"):len() == 197) assert(load("return 2^10")() == 1024)\' '
        "&& src/luac -p src/../etc/*.lua 2>/dev/null || src/lua -v",
        clean="make -C src clean",
        installed=["src/lua", "src/luac"],
    ),
]


def fetch(project: Project) -> pathlib.Path:
    """The upstream tarball of Debian's source package, unpacked."""
    folder = WORK / project.name
    if folder.exists():
        return folder
    apt = WORK / "apt"
    for name in ("lists/partial", "cache/archives/partial"):
        (apt / name).mkdir(parents=True, exist_ok=True)
    key = "/usr/share/keyrings/debian-archive-keyring.gpg"
    line = f"deb-src [signed-by={key}] http://deb.debian.org/debian bookworm main\n"
    (apt / "sources.list").write_text(line)
    options = {
        "Etc::sourcelist": apt / "sources.list",
        "Etc::sourceparts": "-",
        "State::lists": apt / "lists",
        "Cache": apt / "cache",
    }
    get = ["apt-get", "-qq"] + [f"-oDir::{name}={value}" for name, value in options.items()]
    if not list((apt / "lists").glob("*Sources*")):
        subprocess.run([*get, "update"], check=True)
    download = WORK / "download" / project.name
    download.mkdir(parents=True, exist_ok=True)
    subprocess.run([*get, "source", "--download-only", project.source], cwd=download, check=True)
    folder.mkdir()
    tarball = next(download.glob("*.orig.tar.*"))
    subprocess.run(["tar", "xf", tarball, "--strip-components=1", "-C", folder], check=True)
    return folder


def text_of(files: list[pathlib.Path]) -> int:
    """The text column of llvm-size, of all of them."""
    out = subprocess.run(["llvm-size-22", *files], check=True, stdout=subprocess.PIPE, text=True).stdout
    return sum(int(line.split()[0]) for line in out.splitlines()[1:])


def adopt() -> None:
    """Makes orphans ours, as the workers of a search are once it is over: their time counts."""
    ctypes.CDLL(None).prctl(36, 1)  # PR_SET_CHILD_SUBREAPER


def cpu_seconds() -> float:
    """Of all processes that have ended below us."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Build:
    """A project's folder, built with one compiler."""

    def __init__(self, project: Project, compiler: str, label: str, environment: dict[str, str]):
        self.project, self.compiler = project, compiler
        self.folder = WORK / f"{project.name}-{label}"
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(WORK / project.name, self.folder)
        self.environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", **environment}
        self.run(project.configure)

    def run(self, command: str) -> None:
        """Runs a command of the project; what it says is in a file beside its folder."""
        with open(f"{self.folder}.log", "a") as log:
            filled = command.format(cc=self.compiler)
            subprocess.run(
                filled, shell=True, cwd=self.folder, env=self.environment, stdout=log, stderr=log, check=True
            )

    def make(self) -> tuple[float, float]:
        """Builds it anew: wall and processor seconds."""
        self.run(self.project.clean)
        start, before = time.monotonic(), cpu_seconds()
        self.run(self.project.build)
        return time.monotonic() - start, cpu_seconds() - before

    def text(self) -> int:
        """Of what it installs."""
        return text_of([self.folder / name for name in self.project.installed])

    def passes(self) -> bool:
        """Whether its own tests do."""
        try:
            self.run(self.project.check)
        except subprocess.CalledProcessError:
            return False
        return True


def measure(project: Project) -> dict:
    """Everything about one project."""
    fetch(project)
    plain = Build(project, "clang-22", "plain", {})
    wall, cpu = plain.make()
    result = {
        "project": project.name,
        "plain": {"text": plain.text(), "wall_s": wall, "cpu_s": cpu, "tests": plain.passes()},
        "ordo": {},
    }
    for budget in BUDGETS:
        cache = WORK / f"{project.name}-cache-{budget}"
        shutil.rmtree(cache, ignore_errors=True)
        build = Build(project, "ordo-cc", budget, {"ORDO_CACHE": str(cache), "ORDO_BUDGET": budget})
        wall, cpu = build.make()
        row = {"text": build.text(), "wall_s": wall, "cpu_s": cpu, "tests": build.passes()}
        stats = subprocess.run(
            [BIN / "ordo", "stats", "--json"], env=build.environment, check=True, stdout=subprocess.PIPE
        )
        row["stats"] = json.loads(stats.stdout)
        warm, own = [], []
        for _ in range(TURNS):
            own.append(plain.make())
            warm.append(build.make())
        row["warm_wall_s"], row["warm_cpu_s"] = (min(turn[i] for turn in warm) for i in (0, 1))
        row["plain_wall_s"], row["plain_cpu_s"] = (min(turn[i] for turn in own) for i in (0, 1))
        row["same_when_warm"] = build.text() == row["text"]
        result["ordo"][budget] = row
        print(json.dumps({project.name: {budget: row}}), file=sys.stderr, flush=True)
    return result


def table(results: list[dict]) -> str:
    """Markdown."""
    lines = [
        "| project | budget | text, clang -Oz | text, Ordo | change | cold CPU / plain | warm wall / plain | "
        "warm CPU / plain | tests | fallbacks |",
        "|---|---|---:|---:|---:|---:|---:|---:|---|---:|",
    ]
    for result in results:
        plain = result["plain"]
        for budget, row in result["ordo"].items():
            change = 100 * (row["text"] / plain["text"] - 1)
            tests = "pass" if row["tests"] else ("fail" if plain["tests"] else "fail with clang too")
            lines.append(
                f"| {result['project']} | {budget} | {plain['text']:,} | {row['text']:,} | {change:+.2f} % "
                f"| {row['cpu_s'] / row['plain_cpu_s']:.1f} | {row['warm_wall_s'] / row['plain_wall_s']:.2f} "
                f"| {row['warm_cpu_s'] / row['plain_cpu_s']:.2f} | {tests} | {row['stats']['fallback']} |"
            )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures what was asked for and writes the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = [project.name for project in PROJECTS]
    parser.add_argument("projects", nargs="*", default=[], metavar="PROJECT", help=", ".join(names))
    wanted = parser.parse_args().projects
    if unknown := set(wanted) - set(names):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    adopt()
    WORK.mkdir(parents=True, exist_ok=True)
    results = [measure(project) for project in PROJECTS if not wanted or project.name in wanted]
    (WORK / "builds.json").write_text(json.dumps(results, indent=1))
    text = table(results)
    print(text)
    page = PAGE.read_text()
    if not wanted and BEGIN in page:
        head, rest = page.split(BEGIN, 1)
        PAGE.write_text(f"{head}{BEGIN}\n{text}{END}{rest.split(END, 1)[1]}")


if __name__ == "__main__":
    main()
