"""What `./ordo bench builds` says of its measurements: the tables of docs/results.md."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from builds_projects import Project

BUDGETS = ("0", "200ms", "5s")
WANTED = {"200ms": -3.0, "5s": -5.0}  # percent, mean over projects


def change(entry: dict, budget: str, what: str = "text") -> float | None:
    """Of the text, or of the code alone, in percent. A build that failed changes nothing; None if there was none."""
    row = entry.get("ordo", {}).get(budget)
    if row is None or "plain" not in entry:
        return None
    return 100 * (row[what] / entry["plain"][what] - 1) if what in row else 0.0


def tests(entry: dict, row: dict) -> str:
    """What they said."""
    if row["tests"]:
        return "pass"
    return "**fail**" if entry["plain"]["tests"] else "fail, with clang too"


def one_line(name: str, budget: str, entry: dict) -> str:
    """A measurement, for who watches."""
    row = entry["ordo"][budget]
    if "text" not in row:
        return f"{name}, {budget}: failed; see build/builds/{row['failure']}"
    return (
        f"{name}, {budget}: {entry['plain']['text']:,} to {row['text']:,} ({change(entry, budget):+.2f} %), "
        f"CPU {row['cpu_s'] / row['plain_cpu_s']:.1f} cold, {row['warm_cpu_s'] / row['plain_cpu_s']:.2f} "
        f"warm, tests {tests(entry, row)}, {row['stats']['fallback']} fallbacks"
    )


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    return "".join(f"| {' | '.join(cells)} |\n" for cells in [head, ["---"] * len(head), *rows])


def mean(values: Sequence[float]) -> float:
    """Unweighted."""
    return sum(values) / len(values)


def summary(projects: Sequence[Project], results: dict, budgets: Sequence[str]) -> str:
    """Means over projects, with what was wanted."""
    rows = []
    for budget in budgets:
        entries = [results.get(project.name, {}) for project in projects]
        changes = [value for entry in entries if (value := change(entry, budget)) is not None]
        of_code = [value for entry in entries if (value := change(entry, budget, "code")) is not None]
        built = [row for entry in entries if "text" in (row := entry.get("ordo", {}).get(budget, {}))]
        wanted = f" (wanted {WANTED[budget]:+.0f} %)" if budget in WANTED else ""
        cold = [row["cpu_s"] / row["plain_cpu_s"] for row in built]
        warm = [row["warm_wall_s"] / row["plain_wall_s"] for row in built]
        failed = len(changes) - sum(row["tests"] for row in built)
        rows.append(
            [
                budget,
                f"{len(changes)} of {len(projects)}",
                (f"{mean(changes):+.2f} %" if changes else "") + wanted,
                f"{mean(of_code):+.2f} %" if of_code else "",
                f"{sum(value > 0 for value in changes)}",
                (f"{mean(cold):.1f}" if cold else "") + (" (wanted 2)" if budget == "0" else ""),
                f"{mean(warm):.2f}, at most {max(warm):.2f} (wanted 1.15)" if warm else "",
                f"{failed}",
            ]
        )
    head = ["budget a file", "projects", "mean change of text", "of `.text` alone", "bigger (wanted none)"]
    head += ["cold CPU / plain"]
    return markdown([*head, "warm wall / plain", "failed, build or tests"], rows)


def details(projects: Sequence[Project], results: dict, budgets: Sequence[str]) -> str:
    """A row for each project and budget, measured, failed or not."""
    rows = []
    for project, budget in itertools.product(projects, budgets):
        entry = results.get(project.name, {})
        row = entry.get("ordo", {}).get(budget)
        cells = [project.name, budget]
        if "failure" in entry:
            rows.append([*cells, *[""] * 8, f"**does not build with clang**: {entry['failure']}"])
            continue
        if "plain" not in entry or row is None:
            rows.append([*cells, *[""] * 8, "not measured"])
            continue
        cells.append(f"{entry['plain']['text']:,}")
        if "text" not in row:
            rows.append([*cells, *[""] * 7, f"**does not build**: {row['failure']}"])
            continue
        stats = row["stats"]
        rows.append(
            [
                *cells,
                f"{row['text']:,}",
                f"{change(entry, budget):+.2f} %",
                f"{change(entry, budget, 'code'):+.2f} %",
                f"{row['cpu_s'] / row['plain_cpu_s']:.1f}",
                f"{row['warm_wall_s'] / row['plain_wall_s']:.2f}",
                f"{row['warm_cpu_s'] / row['plain_cpu_s']:.2f}",
                f"{stats['tuned'] + stats['cached']}, {stats['plain']}, {stats['fallback']}",
                tests(entry, row),
            ]
        )
    head = ["project", "budget", "text, clang -Oz", "text, Ordo", "change", "`.text` alone", "cold CPU / plain"]
    head += ["warm wall / plain", "warm CPU / plain", "files: ours, plain, fallback", "tests"]
    return markdown(head, rows)


def links(projects: Sequence[Project], results: dict) -> str:
    """The same with -flto on both sides, each program and library as one module."""
    rows, changes = [], []
    for project in projects:
        entry = results.get(project.name, {})
        row = entry.get("links")
        if project.no_links:
            rows.append([project.name, *[""] * 6, f"not measured: {project.no_links}"])
            continue
        if row is None:
            rows.append([project.name, *[""] * 6, "not measured"])
            continue
        if "failure" in row:
            changes.append(0.0)
            rows.append([project.name, *[""] * 6, f"**does not build**: {row['failure']}"])
            continue
        before, after = row["lto"], row["linked"]
        percent = {what: 100 * (after[what] / before[what] - 1) for what in ("text", "code")}
        changes.append(percent["text"])
        cells = [project.name, f"{before['text']:,}", f"{after['text']:,}", f"{percent['text']:+.2f} %"]
        cells += [f"{percent['code']:+.2f} %", f"{100 * (after['text'] / entry['plain']['text'] - 1):+.2f} %"]
        cells += [f"{after['cpu_s'] / before['cpu_s']:.1f}"]
        verdict = "pass" if after["tests"] else "**fail**" if before["tests"] else "fail, without a search too"
        rows.append([*cells, verdict])
    budgets = sorted({entry["links"]["budget"] for entry in results.values() if "links" in entry})
    mean_text = f"Mean change {mean(changes):+.2f} % (wanted -2 %), " if changes else ""
    head = ["project", "text, -flto", "text, Ordo", "change", "`.text` alone", "text against plain -Oz"]
    table = markdown([*head, "CPU / -flto", "tests"], rows)
    what = f"Links as one module each, `-flto` and lld on both sides, {', '.join(budgets)} a link. "
    return f"{what}{mean_text}{len(changes)} of {len(projects)} projects.\n\n{table}"


def sources(projects: Sequence[Project]) -> str:
    """What each project is."""
    rows = [
        [
            project.name,
            f"`{project.source}` {project.version}",
            ", ".join(name.rpartition("/")[2] for name in project.installed),
            project.tests,
            ", ".join(f"`{package}`" for package in project.needs),
        ]
        for project in projects
    ]
    return markdown(["project", "Debian's source, version", "counted", "tests that ran", "needs"], rows)


def page(projects: Sequence[Project], results: dict) -> str:
    """All of it."""
    budgets = list(dict.fromkeys([*BUDGETS, *(key for entry in results.values() for key in entry["ordo"])]))
    made = {row["revision"] for entry in results.values() for row in entry["ordo"].values()}
    note = f"Measured at {', '.join(sorted(made)) or 'no commit yet'}.\n"
    tables = [summary(projects, results, budgets), details(projects, results, budgets)]
    tables += [links(projects, results), sources(projects)]
    return "\n".join([*tables, note])
