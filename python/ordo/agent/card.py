"""What is in a file of demonstrations, for people and as JSON."""

from __future__ import annotations

import json
import os
import pathlib
from collections import Counter, defaultdict
from typing import Any

import numpy as np

from ordo.agent.demonstrations import Store

__all__ = ["summary_of", "write_card"]


def _kind(reason: str) -> str:
    """A reason without what is of one program only."""
    if "which is kept away" in reason:
        return "nearly the same as a program kept away"
    return reason.partition(":")[0]


def summary_of(store: Store, file: pathlib.Path) -> dict[str, Any]:
    """Counts and gains of a file.

    Args:
        store: Its state.
        file: Its dialogues.
    """
    gains: dict[str, list[float]] = defaultdict(list)
    packages: Counter[str] = Counter()
    objectives: Counter[str] = Counter()
    guesses: Counter[str] = Counter()
    tools: Counter[str] = Counter()
    programs: set[str] = set()
    turns = 0
    with file.open(encoding="utf-8") as stream:
        for text in stream:
            line = json.loads(text)
            source = line["source"]
            gains[line["template"]].append(source.get("gain", 0.0))
            packages[line["package"]] += 1
            objectives[source["objective"]] += 1
            programs.add(line["program"])
            origin = source["first_guess"]["from"]
            guesses["the small policy" if origin == "policy" else "a similar program's best"] += 1
            calls = [c["function"]["name"] for m in line["messages"] for c in m.get("tool_calls") or ()]
            tools.update(calls)
            turns += len(calls)
    records = store.records
    dropped = Counter(f"{k}, {_kind(v)}" for r in records for k, v in r.get("dropped", {}).items())
    count = sum(map(len, gains.values()))
    return {
        "file": os.fspath(file),
        "trajectories": count,
        "programs": len(programs),
        "programs_tried": len(records),
        "turns": round(turns / count, 2) if count else 0,
        "seconds": round(sum(r["seconds"] for r in records), 1),
        "twice": sum(r["twice"] for r in records),
        "templates": {name: _gain_row(those) for name, those in sorted(gains.items())},
        "objectives": dict(objectives),
        "packages": dict(packages.most_common()),
        "first_guesses": dict(guesses.most_common()),
        "tools": dict(tools.most_common()),
        "left_out": dict(Counter(_kind(r["left_out"]) for r in records if "left_out" in r).most_common()),
        "dropped": dict(dropped.most_common()),
    }


def _gain_row(gains: list[float]) -> dict[str, float]:
    values = np.array(gains)
    return {
        "trajectories": len(gains),
        "mean_gain": round(float(values.mean()), 6),
        "median_gain": round(float(np.median(values)), 6),
        "baseline": round(float((values <= 0).mean()), 4),
    }


def _table(first: str, counts: dict[str, Any]) -> str:
    rows = "\n".join(f"| {name} | {count} |" for name, count in counts.items())
    return f"| {first} | |\n|---|---:|\n{rows}\n" if counts else "None.\n"


def write_card(file: pathlib.Path, summary: dict[str, Any], settings: dict[str, Any], command: str) -> None:
    """Writes FILE.card.md, whole or not at all.

    Args:
        file: That it is of.
        summary: Of :func:`summary_of`.
        settings: That it was made with.
        command: That made it, or went on with it.
    """
    templates = "\n".join(
        f"| {name} | {row['trajectories']} | {row['mean_gain'] * 100:.2f} % "
        f"| {row['median_gain'] * 100:.2f} % | {row['baseline'] * 100:.0f} % |"
        for name, row in summary["templates"].items()
    )
    text = f"""# {file.name}

{summary["trajectories"]} demonstrations of how a language model makes programs smaller with Ordo's tools,
of {summary["programs"]} programs out of {summary["programs_tried"]} that were tried, with {summary["turns"]}
calls each. Format: `python/ordo/agent/tasks.py`, version 1.

```
{command}
```

**Where they came from.** Programs: the dataset `debian` (Debian's packages, built by `ordo dataset harvest`),
its split for training only, one of each package in turn. Nothing is of packages that are reserved, or of the
splits for validation and test, or nearly the same as such a program. Answers: of the tools of a running
`ordo mcp`. First guesses: of the small policy, by `suggest_actions`, or the best sequence of one of the 16
programs of other packages that are most alike in the experience and the knowledge; `source` of each line says
which, and which programs the estimate is of. Thoughts: numbers and names of the results before them, of the
prompt, and of what similar programs gained. Edits were tried before by a teacher with more compiles than the
dialogue has, so that those shown are those that helped.

## By template
Gains are of the answer over the baseline. The last column: the answer is the baseline.

| template | trajectories | mean gain | median gain | baseline |
|---|---:|---:|---:|---:|
{templates}

## By objective
{_table("objective", summary["objectives"])}
## First guesses
{_table("from", summary["first_guesses"])}
## Calls
{_table("tool", summary["tools"])}
## By package
{_table("package", summary["packages"])}
## Programs left out
{_table("why", summary["left_out"])}
## Trajectories left out
{summary["twice"]} said the same as another one.

{_table("template, why", summary["dropped"])}
## Settings
{_table("", {name: json.dumps(value) for name, value in settings.items()})}
"""
    card = file.with_name(file.name.removesuffix(".jsonl") + ".card.md")
    beside = card.with_name(card.name + ".new")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, card)
