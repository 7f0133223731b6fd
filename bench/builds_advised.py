"""Advisors in builds of whole projects: `./ordo bench builds --advised`.

Each project is built by clang-22, by clang-22 with the plugin and advisors, with and without `race`, and by
ordo-cc with a budget for each file, with and without advisors: code, processor time, and, of what differs
most, whether the project's own tests pass. Clang with and without the plugin take turns, and the least time
of each counts.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence

import builds_page
from builds_projects import Project

# Rows by name: the compiler, and the words of ORDO_ADVISORS.
WAYS = {
    "inline": ("clang", "inline-size,race"),
    "both": ("clang", "inline-size,evict"),
    "raced": ("clang", "inline-size,evict,race"),
    "ordo": ("ordo-cc", ""),
    "told": ("ordo-cc", "inline-size,evict"),
}
TURNS = 2
# Whose code the project's tests run: what can differ most, with clang and with ordo-cc.
TESTED = ("plain", "both", "told")
# Of packages by whose modules the advisors were trained or chosen; of no other project here.
SEEN = {"leveldb": "train", "dash": "validation"}


def measure(project: Project, budget: str, build, plugin, work) -> dict:
    """All rows of a project. `build` makes a folder that is built with a compiler (bench/builds.py)."""
    plain = build(project, "plain", ("clang-22", "clang++-22"), {})
    made = {}
    for way, (compiler, words) in WAYS.items():
        environment = {"ORDO_ADVISORS": words} if words else {}
        compilers = tuple(f"{name} -fpass-plugin={plugin}" for name in ("clang-22", "clang++-22"))
        if compiler == "ordo-cc":
            cache = work / f"{project.name}-cache-{way}"
            shutil.rmtree(cache, ignore_errors=True)
            environment |= {"ORDO_CACHE": str(cache), "ORDO_BUDGET": budget}
            compilers = ("ordo-cc", "ordo-c++")
        made[way] = build(project, way, compilers, environment)
    rows = {}
    times = {"plain": [plain.make()[1]], **{way: [one.make()[1]] for way, one in made.items()}}
    for _ in range(TURNS - 1):
        for way in ("plain", "both"):
            times[way].append((plain if way == "plain" else made[way]).make()[1])
    for way, one in {"plain": plain, **made}.items():
        rows[way] = {**one.sizes(), "cpu_s": min(times[way])}
        if way in TESTED:
            rows[way]["tests"] = one.passes(project.check)
    return {"budget": budget, "rows": rows}


def change(entry: dict, way: str, than: str) -> float:
    """Of the code, in percent. What failed to build changes nothing."""
    rows = entry.get("rows", {})
    return 100 * (rows[way]["code"] / rows[than]["code"] - 1) if way in rows else 0.0


def page(projects: Sequence[Project], results: dict) -> str:
    """The tables: means over projects, by whether their packages were seen, and a row for each project."""
    rows_of = {project: results.get(project.name, {}).get("advised") for project in projects}
    known = [(project, entry) for project, entry in rows_of.items() if entry]
    if not known:
        return ""
    columns = [*((way, "plain") for way in WAYS), ("told", "ordo")]
    parts = {
        "never seen": [entry for project, entry in known if project.name not in SEEN],
        "all": [entry for _, entry in known],
    }
    means = []
    for name, entries in parts.items():
        if not entries:
            continue
        changes = [[change(entry, *column) for entry in entries] for column in columns]
        cells = [f"{builds_page.mean(values):+.2f} %" for values in changes]
        larger = sum(change(entry, "raced", "plain") > 0 for entry in entries)
        built = [entry["rows"] for entry in entries if "rows" in entry]
        ratios = [rows["both"]["cpu_s"] / rows["plain"]["cpu_s"] for rows in built]
        cost = f"{builds_page.mean(ratios):.2f}" if ratios else ""
        means.append([f"{name}, {len(entries)}", *cells, f"{larger}", cost])
    rows = []
    for project, entry in known:
        name = project.name + (f" ({SEEN[project.name]})" if project.name in SEEN else "")
        if "failure" in entry:
            rows.append([name, *[""] * 8, f"**does not build**: {entry['failure']}"])
            continue
        failing = [way for way in TESTED if not entry["rows"][way]["tests"]]
        rows.append(
            [
                name,
                f"{entry['rows']['plain']['code']:,}",
                *(f"{change(entry, *column):+.2f} %" for column in columns),
                f"{entry['rows']['both']['cpu_s'] / entry['rows']['plain']['cpu_s']:.2f}",
                "pass" if not failing else f"**fail**: {', '.join(failing)}",
            ]
        )
    what = ["`inline-size,race`", "`inline-size,evict`", "`inline-size,evict,race`"]
    budgets = ", ".join(sorted({entry["budget"] for _, entry in known}))
    what += [f"`ordo-cc`, {budgets}", f"`ordo-cc`, {budgets}, advised", "of these, by advice"]
    made = ", ".join(sorted({entry["revision"] for _, entry in known}))
    return "\n".join(
        [
            "Advisors in the same builds: the change of `.text` alone, beside clang -Oz alone.\n",
            builds_page.markdown(
                ["projects", *what, "larger in a race", "CPU of clang with advisors / plain"], means
            ),
            builds_page.markdown(["project", "code", *what, "CPU", "tests"], rows),
            f"Advisors measured at {made}.\n",
        ]
    )
