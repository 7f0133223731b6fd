"""``python -m ordo.agent.verdicts ROWS.jsonl``: tables of what :mod:`ordo.agent.evaluate` measured.

A program's figure is the mean over its seeds, and, where names of models end in ``/1``, ``/2`` …, over these
trainings too. An interval is of 95 %, by a bootstrap over programs; a difference is paired by program.
"""

from __future__ import annotations

import argparse
import json
import pathlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ordo.agent import exits

__all__ = ["by_program", "interval", "main", "source", "table"]

_RESAMPLES = 10_000
Row = dict[str, Any]


def interval(values: Sequence[float] | np.ndarray, seed: int = 1) -> tuple[float, float, float]:
    """The mean, and the bounds of its interval of 95 %, by a bootstrap (percentiles; Efron 1979)."""
    given = np.asarray(values, dtype=np.float64)
    chance = np.random.default_rng(seed)
    means = given[chance.integers(0, len(given), (_RESAMPLES, len(given)))].mean(axis=1)
    low, high = np.percentile(means, (2.5, 97.5))
    return float(given.mean()), float(low), float(high)


def by_program(rows: Iterable[Row], field: str = "gain") -> dict[str, float]:
    """The mean of a field over a program's trainings, each the mean over its seeds."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        found[row["program"]][row["model"]].append(float(row[field]))
    return {
        program: float(np.mean([np.mean(values) for values in trainings.values()]))
        for program, trainings in found.items()
    }


def source(row: Row) -> str:
    """Where the gain comes from: the first guess, a search, edits, or nowhere."""
    if row["gain"] <= 0:
        return "none"
    reached = 0.0
    for number, (tool, gain) in enumerate(
        (name, gain) for name, gain in row["trace"] if gain is not None and name != "submit_sequence"
    ):
        reached = max(reached, gain)
        if reached >= row["gain"] - 1e-9:
            if tool == "search_sequences":
                return "search"
            return "guess" if number == 0 else "steps"
    return "steps"


def _percent(value: float, digits: int = 2) -> str:
    return f"{100 * value:.{digits}f}"


def _mean(rows: Sequence[Row], field: str) -> float:
    return float(np.mean([row[field] for row in rows]))


def table(rows: Sequence[Row], reference: str = "plain") -> str:
    """A table in Markdown: a line for each model and condition.

    Args:
        rows: All of one objective and budget.
        reference: The condition that others of the same model are compared with.
    """
    groups: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        groups[(row["model"].partition("/")[0], row["condition"])].append(row)
    lines = [
        "| model | condition | dialogues | valid, measured | gain % | against "
        + reference
        + " | guess / steps / "
        "search / none | compiles | tool s | tokens | GFLOP |",
        "|---|---|---:|---:|---|---|---|---:|---:|---:|---:|",
    ]
    for (model, name), these in groups.items():
        values = by_program(these)
        mean, low, high = interval(list(values.values()))
        against = ""
        trainings = {row["model"] for row in these}
        base = by_program(row for row in groups.get((model, reference), []) if row["model"] in trainings)
        shared = [values[p] - base[p] for p in values if p in base]
        if name != reference and shared:
            apart = interval(shared)
            against = f"{_percent(apart[0])} [{_percent(apart[1])}, {_percent(apart[2])}]"
        valid = np.mean([row["submitted"] and row["measured"] for row in these])
        sources = [source(row) for row in these]
        shares = " / ".join(
            f"{100 * sources.count(kind) / len(sources):.0f}" for kind in ("guess", "steps", "search", "none")
        )
        cells = [
            model,
            name,
            str(len(these)),
            f"{100 * valid:.1f} %",
            f"{_percent(mean)} [{_percent(low)}, {_percent(high)}]",
            against,
            shares,
            f"{_mean(these, 'compiles'):.1f}",
            f"{_mean(these, 'tool_seconds'):.2f}",
            f"{_mean(these, 'tokens'):.0f}",
            f"{_mean(these, 'flops') / 1e9:.0f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _rows_of(file: pathlib.Path) -> list[dict[str, Any]]:
    try:
        return [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    except ValueError as error:
        raise exits.Refused(exits.BAD_FILE, f"{file} is no file of rows: {error}") from error


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        "python -m ordo.agent.verdicts", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("rows", nargs="+", type=pathlib.Path, help="files that 'evaluate' wrote")
    parser.add_argument("--reference", default="plain", help="the condition to compare with (plain)")
    options = parser.parse_args(arguments)
    with exits.telling("verdicts"):
        rows = [row for file in options.rows for row in _rows_of(file)]
        if not rows:
            raise exits.Refused(exits.BAD_FILE, "there are no rows")
        print(table(rows, options.reference))


if __name__ == "__main__":
    main()
