"""Makes what is as large as it gets: a module of 50,000 instructions, a study of 100,000 runs.

large_samples.py module FILE.c [SHARE]
large_samples.py study SMALL.sqlite LARGE.sqlite [SHARE]   the small one gives settings, methods and budgets

A SHARE of 0.1 makes a tenth of it.
"""

import random
import shutil
import sqlite3
import sys
from pathlib import Path

PROGRAMS = 10_000
SEEDS = 2
COLUMNS = {
    "improvement": ["run", "evaluation", "passes", "cpu_s", "wall_s", "value", "actions"],
    "checkpoint": ["run", "compiles", "evaluations", "passes", "cpu_s", "wall_s"],
    "checkpoint_value": ["run", "compiles", "metric", "value"],
}
METHODS = ["policy", "random", "ga", "nevergrad", "greedy"]


def statements(count: int, rng: random.Random) -> str:
    """Some 4.5 instructions each where nothing is optimised."""
    lines = []
    for i in range(count):
        a, b = rng.choices("xyz", k=2)
        line = f"  {a} = {b} * {rng.randrange(3, 99)} + {a};"
        if i % 8 == 7:
            line = f"  if ({a} > {rng.randrange(99)}) {b} ^= {a};"
        lines.append(line)
    return "\n".join(lines)


def module(file: Path, share: float) -> None:
    """One function that is long, and many that are not."""
    rng = random.Random(1)
    functions = []
    for i, length in enumerate([int(4400 * share)] + [22] * int(300 * share)):
        called = f"  z += part_{rng.randrange(i)}(x, y);\n" if i > 1 else ""
        functions.append(
            f"int part_{i}(int x, int y) {{\n  int z = 1;\n{called}{statements(length, rng)}\n"
            "  return x + y + z;\n}"
        )
    file.write_text("\n".join(functions) + "\n")


def study(small: Path, large: Path, share: float) -> None:
    """The same few runs again and again, of other programs and with other values."""
    shutil.copyfile(small, large)
    rng = random.Random(1)
    programs = int(PROGRAMS * share)
    with sqlite3.connect(large) as data:

        def columns(table: str) -> list[str]:
            return [row[1] for row in data.execute(f"PRAGMA table_info({table})")]

        def first(table: str, where: str) -> list[tuple]:
            return data.execute(f"SELECT * FROM {table} WHERE {where}").fetchall()

        def add(table: str, rows: list[tuple]) -> None:
            if rows:
                data.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)

        run = dict(zip(columns("run"), first("run", "failure = ''")[0], strict=True))
        baselines = first("baseline", f"program = {run['program']}")
        kept = {
            table: first(table, f"run = {run['id']}")
            for table in ("improvement", "checkpoint", "checkpoint_value")
        }
        for table in (*kept, "candidate_failure", "method_start", "run", "baseline", "program"):
            data.execute(f"DELETE FROM {table}")
        names = [f"dataset://example-{i % 97:02}/module-{i:05}" for i in range(programs)]
        add("program", [(i + 1, name, f"suite-{i % 12}", "0" * 32, "") for i, name in enumerate(names)])
        for program in range(1, programs + 1):
            size = rng.lognormvariate(0, 1)
            add("baseline", [(program, base, metric, value * size) for _, base, metric, value in baselines])
            runs, rows = [], {table: [] for table in kept}
            for method in METHODS:
                for seed in range(1, SEEDS + 1):
                    number = (program * len(METHODS) + METHODS.index(method)) * 10 + seed
                    factor = size * rng.uniform(0.93, 1.02)
                    of = {"id": number, "method": method, "program": program, "seed": seed}
                    runs.append(tuple((run | of).values()))
                    for table, template in kept.items():
                        value = COLUMNS[table].index("value") if "value" in COLUMNS[table] else None
                        for row in template:
                            changed = [number, *row[1:]]
                            if value is not None:
                                changed[value] *= factor
                            rows[table].append(tuple(changed))
            add("run", runs)
            for table, all_rows in rows.items():
                add(table, all_rows)
    data.close()


if __name__ == "__main__":
    names = [Path(word) for word in sys.argv[2:] if not word[0].isdigit()]
    part = float(sys.argv[-1]) if sys.argv[-1][0].isdigit() else 1.0
    module(names[0], part) if sys.argv[1] == "module" else study(names[0], names[1], part)
