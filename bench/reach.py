"""What the policy reaches, from study files: python bench/reach.py STUDY.sqlite [STUDY.sqlite ...] [--json FILE]

For each program and method the gain is that of the mean over seeds of log(value / clang-Oz); a ratio is that of
two means over the same programs, a difference is paired by program. Intervals are 95 % bootstrap intervals over
programs, 10,000 resamples, with a fixed seed. What fails has gained nothing, and stays in the mean. Studies are
read together: a program is compared only where all methods of a row have run on it, with the same baseline.
"""

import argparse
import json
import math
import sqlite3
from collections import defaultdict

import numpy

BASELINE = "clang-Oz"
GREEDY = 3  # evaluations: the baseline, the program as given, and the policy's own answer


def read(path, runs, baselines):
    """Adds the improvements of each run: runs[objective][method][program][seed] = [(evaluation, cpu_s, value)]."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as study:
        uris = dict(study.execute("select id, uri from program where failure = ''"))
        for program, metric, value in study.execute(
            "select program, metric, value from baseline where baseline = ?", (BASELINE,)
        ):
            if program in uris and baselines.setdefault((uris[program], metric), value) != value:
                raise SystemExit(f"{path}: {uris[program]} has another {BASELINE} there than in the files before")
        improvements = defaultdict(list)
        for run, evaluation, cpu_s, value in study.execute(
            "select run, evaluation, cpu_s, value from improvement order by run, evaluation"
        ):
            improvements[run].append((evaluation, cpu_s, value))
        for run, method, program, objective, seed in study.execute(
            "select id, method, program, objective, seed from run"
        ):
            if program in uris:
                runs[objective][method][uris[program]][seed] = improvements[run]


def gains(runs, baselines, objective, method, evaluations=math.inf, cpu_s=math.inf):
    """By program: the mean over seeds of -log(value / baseline) at the budget; never negative."""
    result = {}
    for program, seeds in runs[objective][method].items():
        baseline = baselines[program, objective]
        if baseline <= 0:
            continue
        logs = []
        for steps in seeds.values():
            values = [value for number, cpu, value in steps if number <= evaluations and cpu <= cpu_s]
            logs.append(-math.log(max(min([*values, baseline]), 1e-9) / baseline))
        result[program] = sum(logs) / len(logs)
    return result


def best_known(runs, baselines, objective):
    """By program: the gain of the best value of any method, budget and seed."""
    result = defaultdict(float)
    for method in runs[objective]:
        for program, seeds in runs[objective][method].items():
            baseline = baselines[program, objective]
            for steps in seeds.values():
                values = [value for _, _, value in steps]
                if baseline > 0 and values:
                    result[program] = max(result[program], -math.log(max(min(values), 1e-9) / baseline))
    return result


def percent(log):
    return 100 * (1 - math.exp(-log))


def compare(a, b):
    """The mean gains of both, their ratio and the mean of a - b, the last two with intervals."""
    programs = sorted(a.keys() & b.keys())
    x, y = (numpy.array([gain[program] for program in programs]) for gain in (a, b))
    picks = numpy.random.default_rng(1).integers(len(programs), size=(10_000, len(programs)))
    xs, ys = x[picks].mean(1), y[picks].mean(1)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        ratios = xs / ys
    interval = lambda values: [float(v) for v in numpy.nanpercentile(values, [2.5, 97.5])]
    return {
        "programs": len(programs),
        "gain": percent(x.mean()),
        "rival": percent(y.mean()),
        "ratio": float(x.mean() / y.mean()),
        "ratio_interval": interval(ratios),
        "difference": 100 * float((x - y).mean()),
        "difference_interval": interval(100 * (xs - ys)),
    }


def rows(runs, baselines, objective):
    def of(method, **budget):
        return gains(runs, baselines, objective, method, **budget)

    thousand = {name: of(name, evaluations=1000) for name in ("evolutionary", "graph_genetic") if name in runs[objective]}
    if "policy" not in runs[objective]:
        return
    for name in ("evolutionary",):
        if name in thousand:
            yield "greedy answer", f"{name}, 1,000 compiles", of("policy", evaluations=GREEDY), thousand[name]
    for name, gain in thousand.items():
        yield "100 compiles", f"{name}, 1,000 compiles", of("policy", evaluations=100), gain
        yield "1,000 compiles", f"{name}, 1,000 compiles", of("policy", evaluations=1000), gain
    yield "1 s of one core", "the best known", of("policy", cpu_s=1.0), best_known(runs, baselines, objective)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("studies", nargs="+")
    parser.add_argument("--json")
    options = parser.parse_args()
    runs = defaultdict(lambda: defaultdict(lambda: defaultdict(dict)))
    baselines = {}
    for path in options.studies:
        read(path, runs, baselines)
    table = []
    print("| objective | policy with | against | programs | gain | its | ratio (95 %) | difference, points (95 %) |")
    print("|---|---|---|---:|---:|---:|---:|---:|")
    for objective in sorted(runs):
        for with_, against, a, b in rows(runs, baselines, objective):
            row = {"objective": objective, "policy": with_, "against": against, **compare(a, b)}
            table.append(row)
            low, high = row["ratio_interval"]
            least, most = row["difference_interval"]
            print(
                f"| `{objective}` | {with_} | {against} | {row['programs']} | {row['gain']:+.2f} % | {row['rival']:+.2f} % "
                f"| {row['ratio']:.2f} [{low:.2f}, {high:.2f}] | {row['difference']:+.2f} [{least:+.2f}, {most:+.2f}] |"
            )
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(table, file, indent=1)


if __name__ == "__main__":
    main()
