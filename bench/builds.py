"""Whole projects built with ordo-cc, beside plain clang.

Upstream sources as Debian 12 has them (bench/builds_projects.py), their own build systems and tests, -Oz.
For each project: the text of what it installs and the cost of a build, by plain clang-22 and by ordo-cc with
an empty cache at each budget; then warm builds, which take turns with plain ones because others use the
machine too. Sources are fetched by apt-get into build/builds; nothing is installed.

What is measured is kept in data/measured/builds.json, for git, one budget of one project after the other: a
run that was stopped goes on with the same command, and what failed is tried again. All that is kept goes into
its part of docs/results.md.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import time

import builds_advised
import builds_page
import debian_source
import marks
from builds_projects import PROJECTS, Project
from revision import revision

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = ROOT / "build" / "release" / "bin"
PLUGIN = ROOT / "build" / "release" / "lib" / "libordo-plugin.so"
WORK = ROOT / "build" / "builds"
RESULTS = ROOT / "data" / "measured" / "builds.json"
PAGE = ROOT / "docs" / "results.md"
CHECKS = ROOT / "bench" / "builds_checks"
ADVISED_BUDGET = "200ms"


def say(text: str) -> None:
    """Progress."""
    print(f"builds: {text}", file=sys.stderr, flush=True)


# --- sources ------------------------------------------------------------------------------------------------


def missing_packages(projects: list[Project]) -> list[str]:
    """Of those that the projects need, with apt-get's own."""
    listed = subprocess.run(
        ["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package}\n"],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    wanted = {"make", "debian-archive-keyring"}.union(*(project.needs for project in projects))
    return sorted(name for name in wanted if f"installed {name}" not in listed.stdout.splitlines())


def fetch(project: Project) -> None:
    """Puts the upstream tarball of Debian's source package into the project's folder, if it is not there."""
    folder = WORK / project.name
    if not folder.exists():
        debian_source.unpack(debian_source.tarball(project.source, project.version, WORK), folder)


# --- one build ----------------------------------------------------------------------------------------------


def text_of(files: list[pathlib.Path]) -> int:
    """The text column of llvm-size, of all of them."""
    out = subprocess.run(["llvm-size-22", *files], check=True, stdout=subprocess.PIPE, text=True).stdout
    return sum(int(line.split()[0]) for line in out.splitlines()[1:])


def code_of(files: list[pathlib.Path]) -> int:
    """The sections .text alone, of all of them."""
    out = subprocess.run(["llvm-size-22", "-A", *files], check=True, stdout=subprocess.PIPE, text=True).stdout
    sections = (line.split() for line in out.splitlines())
    return sum(int(words[1]) for words in sections if len(words) == 3 and words[0] == ".text")


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
    """A project's folder, built with one compiler. What the project's commands say is in `output`."""

    def __init__(
        self,
        project: Project,
        label: str,
        compilers: tuple[str, str],
        environment: dict[str, str],
        **configuring: str,
    ):
        self.project = project
        # As long for each label: the folder's name can be in a program.
        self.folder = WORK / f"{project.name}-{label:_<6}"
        self.output = WORK / f"{project.name}-{label}.log"
        self.environment = {
            **os.environ,
            "PATH": f"{BIN}:{os.environ['PATH']}",
            "CC": compilers[0],
            "CXX": compilers[1],
            "CHECKS": str(CHECKS),
            "GIT_CEILING_DIRECTORIES": str(WORK),  # no project asks git which version of Ordo it is
            "SOURCE_DATE_EPOCH": "0",
            "LC_ALL": "C.UTF-8",
            **environment,
        }
        shutil.rmtree(self.folder, ignore_errors=True)
        self.output.unlink(missing_ok=True)
        shutil.copytree(WORK / project.name, self.folder, symlinks=True)
        self.run(project.configure, **configuring)

    def run(self, command: str, **environment: str) -> None:
        """Runs a command of the project."""
        with open(self.output, "a") as output:
            subprocess.run(
                command,
                shell=True,
                cwd=self.folder,
                env=self.environment | environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                check=True,
            )

    def make(self) -> tuple[float, float]:
        """Builds it anew: wall and processor seconds."""
        self.run(self.project.clean)
        if log := self.environment.get("ORDO_LOG"):
            pathlib.Path(log).unlink(missing_ok=True)
        start, before = time.monotonic(), cpu_seconds()
        self.run(self.project.build)
        return time.monotonic() - start, cpu_seconds() - before

    def sizes(self) -> dict[str, int]:
        """Of what it installs."""
        installed = [self.folder / name for name in self.project.installed]
        return {"text": text_of(installed), "code": code_of(installed)}

    def passes(self, check: str) -> bool:
        """Whether its own tests do. Their programs are not what is tested, and clang's."""
        try:
            self.run(check, ORDO_DISABLE="1")
        except subprocess.CalledProcessError:
            return False
        return True


# --- measurements -------------------------------------------------------------------------------------------


def measure_plain(plain: Build) -> dict:
    """What clang does."""
    wall, cpu = plain.make()
    return {**plain.sizes(), "wall_s": wall, "cpu_s": cpu, "tests": plain.passes(plain.project.check)}


def measure_ordo(project: Project, budget: str, plain: Build, turns: int) -> dict:
    """What ordo-cc does with a budget: one cold build, then warm ones in turns with plain ones."""
    cache = WORK / f"{project.name}-cache-{budget}"
    shutil.rmtree(cache, ignore_errors=True)
    environment = {"ORDO_CACHE": str(cache), "ORDO_BUDGET": budget, "ORDO_LOG": f"{cache}.jsonl"}
    build = Build(project, budget, ("ordo-cc", "ordo-c++"), environment)
    # The configure's probes are in the cache, which is no harm; their cost is not in the figures.
    wall, cpu = build.make()
    row = {**build.sizes(), "wall_s": wall, "cpu_s": cpu}
    stats = subprocess.check_output([BIN / "ordo", "stats", "--json"], env=build.environment)
    row["stats"] = json.loads(stats)
    row["tests"] = build.passes(project.check)
    warm, own = [], []
    for _ in range(turns):
        own.append(plain.make())
        warm.append(build.make())
    row["warm_wall_s"], row["warm_cpu_s"] = (min(turn[i] for turn in warm) for i in (0, 1))
    row["plain_wall_s"], row["plain_cpu_s"] = (min(turn[i] for turn in own) for i in (0, 1))
    row["same_when_warm"] = build.sizes()["text"] == row["text"]
    return row


def measure_linked(project: Project, budget: str) -> dict:
    """What comes of links as one module each: as lld does them, and with `budget` for each of them."""
    row = {}
    for label, told in (("lto", {"ORDO_RECORD": str(WORK)}), ("linked", {"ORDO_BUDGET": budget})):
        cache = WORK / f"{project.name}-cache-{label}"
        shutil.rmtree(cache, ignore_errors=True)
        environment = {"ORDO_LINKED": "1", "ORDO_CACHE": str(cache), "ORDO_LOG": f"{cache}.jsonl", **told}
        build = Build(project, label, ("ordo-cc", "ordo-c++"), environment, ORDO_DISABLE="1")
        _, cpu = build.make()
        tests = build.passes(project.linked_check or project.check)
        row[label] = {**build.sizes(), "cpu_s": cpu, "tests": tests}
        for module in WORK.glob("*.bc"):
            module.unlink()
    return {**row, "budget": budget}


def measure(project: Project, budgets: list[str], linked: str, turns: int, results: dict) -> None:
    """Adds what `results` lacks of a project, and keeps it as soon as it is there."""
    entry = results.setdefault(project.name, {"ordo": {}})
    if entry.get("version") != project.version:
        entry = results[project.name] = {"version": project.version, "ordo": {}}
    missing = [budget for budget in budgets if "text" not in entry["ordo"].get(budget, {})]
    links = linked and not project.no_links and entry.get("links", {}).get("budget") != linked
    if "plain" in entry and not missing and not links:
        return
    fetch(project)
    try:
        say(f"{project.name} {project.version}: with clang")
        plain = Build(project, "plain", ("clang-22", "clang++-22"), {})
        if "plain" not in entry:
            entry["plain"] = measure_plain(plain)
    except subprocess.CalledProcessError:
        entry["failure"] = f"{project.name}-plain.log"
        say(f"{project.name} does not build with clang; see build/builds/{entry['failure']}")
        save(results)
        return
    entry.pop("failure", None)
    save(results)
    for budget in missing:
        say(f"{project.name} {project.version}: with {budget} a file")
        try:
            row = measure_ordo(project, budget, plain, turns)
        except subprocess.CalledProcessError:
            row = {"failure": f"{project.name}-{budget}.log"}
        entry["ordo"][budget] = row | {"revision": revision(), "date": time.strftime("%Y-%m-%d")}
        save(results)
        say(builds_page.one_line(project.name, budget, entry))
    if links:
        say(f"{project.name} {project.version}: linked as one module, with {linked} a link")
        try:
            row = measure_linked(project, linked)
        except subprocess.CalledProcessError:
            row = {"failure": f"{project.name}-linked.log", "budget": linked}
        entry["links"] = row | {"revision": revision(), "date": time.strftime("%Y-%m-%d")}
        save(results)


def measure_advised(project: Project, budget: str, results: dict) -> None:
    """Adds what advisors change, unless it is known for this budget."""
    entry = results.setdefault(project.name, {"version": project.version, "ordo": {}})
    if entry.get("advised", {}).get("budget") == budget:
        return
    fetch(project)
    say(f"{project.name} {project.version}: with advisors")
    try:
        row = builds_advised.measure(project, budget, Build, PLUGIN, WORK)
    except subprocess.CalledProcessError as failed:
        row = {"failure": str(failed.cmd), "budget": budget}
    entry["advised"] = row | {"revision": revision(), "date": time.strftime("%Y-%m-%d")}
    save(results)


def save(results: dict) -> None:
    """Keeps the results, whole whenever one looks."""
    half = RESULTS.with_suffix(".tmp")
    half.write_text(json.dumps(results, indent=1) + "\n")
    half.replace(RESULTS)


def main() -> None:
    """Measures what was asked for and is not known, and writes the page."""
    names = [project.name for project in PROJECTS]
    parser = argparse.ArgumentParser(
        prog="./ordo bench builds", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("projects", nargs="*", metavar="PROJECT", help=f"of {', '.join(names)} [all]")
    parser.add_argument("--budgets", default=",".join(builds_page.BUDGETS), help="[%(default)s]")
    parser.add_argument("--linked", default="30s", help="for each link with -flto; 0: none of that [%(default)s]")
    parser.add_argument("--advised", action="store_true", help="what advisors change, and nothing else")
    parser.add_argument("--turns", type=int, default=3, help="warm and plain builds each [%(default)s]")
    parser.add_argument("--again", action="store_true", help="forget what is known of these")
    parser.add_argument("--as-is", action="store_true", help="measure nothing, write what there is")
    options = parser.parse_args()
    if unknown := set(options.projects) - set(names):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    budgets = options.budgets.split(",")
    options.linked = "" if options.linked == "0" else options.linked
    projects = [project for project in PROJECTS if not options.projects or project.name in options.projects]

    WORK.mkdir(parents=True, exist_ok=True)
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    if not options.as_is:
        if missing := missing_packages(projects):
            raise SystemExit(f"builds: these projects need packages: apt-get install {' '.join(missing)}")
        if options.again:
            for project in projects:
                entry = results.get(project.name, {"ordo": {}})
                if options.advised:
                    entry.pop("advised", None)
                    continue
                entry.pop("plain", None)
                entry.pop("links", None)
                entry["ordo"] = {key: row for key, row in entry["ordo"].items() if key not in budgets}
        adopt()
        try:
            for project in projects:
                if options.advised:
                    measure_advised(project, ADVISED_BUDGET, results)
                else:
                    measure(project, budgets, options.linked, options.turns, results)
        except KeyboardInterrupt:
            say("stopped; the same command goes on")
            sys.exit(130)
    if options.advised:
        text = builds_advised.page(PROJECTS, results)
        marks.insert(PAGE, "builds advised", text)
    else:
        text = builds_page.page(PROJECTS, results)
        marks.insert(PAGE, "builds", text)
    print(text)


if __name__ == "__main__":
    main()
