"""What was wanted of choices by function, and what there is: `./ordo bench functions --reach [NUMBER…]`.

Programs are of the validation split; of nothing else was anything tuned. Those of graphite2, lua5.4 and
sqlite3 are looked at once. Figures are of one core, unweighted means with a percentile bootstrap over programs; a row
of one program has no interval. What is measured is kept in build/functions, from which the same command goes on.
"""

import argparse
import dataclasses
import json
import sys

import functions
import reach_measure

ROOT = functions.ROOT
STUDIES = ROOT / "data/studies"


@dataclasses.dataclass(frozen=True)
class Row:
    """`budgets`: of a search for the whole program, and of one that has functions, too."""

    what: str
    wanted: str
    objective: str
    budgets: tuple[str, str]
    programs: tuple[str, ...]
    quick: bool = False  # as ordo-cc answers


def studied(name):
    lines = (STUDIES / name).read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


def of_package(package):
    """The modules of a package, which is fetched if it is not here."""
    reach_measure.harvest(functions.ORDO, [package])
    store = reach_measure.stores(functions.KEPT)[0]
    record = json.loads((store / f"debian/packages/{package}.json").read_text(encoding="utf-8"))
    return tuple(f"debian/{package}/{module['name']}" for module in record["modules"])


def linked(package):
    """The file of a package's modules in one."""
    whole = functions.KEPT / f"{package}.bc"
    return str(whole if whole.exists() else reach_measure.linked(functions.ORDO.parent, package, functions.KEPT)[0])


def rows():
    small, large = studied("validation-small.txt"), studied("validation-large.txt")
    yield Row("12 modules of 8 to 43 kB, code, 10 s", "-5 %", "code_bytes", ("10s", "10s"), large)
    yield Row("30 small modules, code and constants, 1 s", "-10 %", "text_bytes", ("1s", "1s"), small)
    yield Row("30 small modules, IR instructions, 1 s", "-6 %", "ir_instructions", ("1s", "1s"), small)
    yield Row("lua5.4 linked whole, code, 60 s", "-5 %", "code_bytes", ("60s", "60s"),
              (linked("lua5.4"),))
    yield Row("sqlite3 linked whole, code, 60 s", "-5 %", "code_bytes", ("60s", "60s"),
              (linked("sqlite3"),))
    yield Row("30 small modules, 300 compiles against 60 with choices", "as good", "code_bytes", ("300evals", "60evals"), small)
    yield Row("42 modules, the first answer alone, code", "-5 %", "code_bytes", ("3evals", "3evals"), small + large)
    yield Row("C++ of graphite2, code, 200 ms a file", "-4 %", "code_bytes", ("0.2", "0.2"),
              of_package("graphite2"), quick=True)


def measured(row, way, budget):
    if row.quick:
        return [functions.answered(program, row.objective, float(budget))[way] for program in row.programs]
    return [functions.tuned(program, way, row.objective, budget) for program in row.programs]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", type=int, metavar="NUMBER", help="of a row [all]")
    numbers = parser.parse_args().rows
    functions.keep_alone()
    print("| | wanted | one sequence for the program | and one for each function | difference | processor time |")
    print("|---|---:|---:|---:|---:|---:|")
    for number, row in enumerate(rows(), 1):
        if numbers and number not in numbers:
            continue
        print(f"{number}: {row.what}", file=sys.stderr, flush=True)
        without, choices = (measured(row, way, budget) for way, budget in zip(("whole", "mined"), row.budgets, strict=True))
        changes = [[functions.change(each, row.objective) for each in found] for found in (without, choices)]
        cells = [functions.with_interval(values) for values in (*changes, [after - before for before, after in zip(*changes, strict=True)])]
        times = " / ".join(f"{sum(each.get('cpu_s', 0) for each in found):.0f} s" for found in (without, choices))
        print(f"| {row.what} | {row.wanted} | {' | '.join(cells)} | {times} |", flush=True)
        for each in without + choices:
            if "failure" in each:
                print(f"functions: {each['program']} failed: {each['failure']}", file=sys.stderr)


if __name__ == "__main__":
    main()
