"""What the policy reaches, from study files.

python bench/reach.py STUDY.sqlite [STUDY.sqlite ...] [--json FILE]

For each program and method the gain is that of the mean over seeds of log(value / clang-Oz); a ratio is that
of two means over the same programs, a difference is paired by program. What fails has gained nothing, and
stays in the mean. Studies are read together: a program is compared only where all methods of a row have run
on it, with the same baseline.

Intervals are 95 % percentile intervals of a hierarchical bootstrap, 10,000 resamples with a fixed seed. Each
draws, with replacement, programs (for both methods together), trainings (the weights of a policy, for all
programs together), and for each of these the seeds of the search, method by method.
"""

import argparse
import json
import math
import sqlite3
from collections import defaultdict

import numpy

BASELINE = "clang-Oz"
ANSWER = "policy_answer"  # the method that gives the policy's own answer
GREEDY = 3  # where it was not run: evaluations of `policy`, the baseline, the program as given, and its first
POLICY_COMPILES = 300  # of the policy's runs (data/studies/policy.plan)
RIVALS = ("evolutionary", "graph_genetic")
RESAMPLES = 10_000


def empty():
    """Runs and baselines for read() to add to."""
    return defaultdict(lambda: defaultdict(lambda: defaultdict(dict))), {}


def read(path, runs, baselines, training=0, objectives=None):
    """Adds the improvements of each run, or of those of some objectives.

    runs[objective][method][program][training, seed] = [(evaluation, cpu_s, value)]. `training` says which of
    several weights the policy had.
    """
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as study:
        uris = dict(study.execute("select id, uri from program where failure = ''"))
        for program, metric, value in study.execute(
            "select program, metric, value from baseline where baseline = ?", (BASELINE,)
        ):
            if program in uris and baselines.setdefault((uris[program], metric), value) != value:
                raise SystemExit(
                    f"{path}: {uris[program]} has another {BASELINE} there than in the files before"
                )
        improvements = defaultdict(list)
        for run, evaluation, cpu_s, value in study.execute(
            "select run, evaluation, cpu_s, value from improvement order by run, evaluation"
        ):
            improvements[run].append((evaluation, cpu_s, value))
        for run, method, program, objective, seed in study.execute(
            "select id, method, program, objective, seed from run"
        ):
            if program in uris and (objectives is None or objective in objectives):
                runs[objective][method][uris[program]][training, seed] = improvements[run]


def read_times(path, times, objectives=None):
    """Adds what each run had spent at each of its checkpoints.

    times[objective][method][program] = [[(compiles, evaluations, cpu_s)]], a list for each run.
    """
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as study:
        found = defaultdict(list)
        for run, compiles, evaluations, cpu_s in study.execute(
            "select run, compiles, evaluations, cpu_s from checkpoint order by run, compiles"
        ):
            found[run].append((compiles, evaluations, cpu_s))
        for run, method, program, objective in study.execute(
            "select run.id, method, uri, objective from run join program on program.id = run.program "
            "where program.failure = '' and run.failure = ''"
        ):
            if objectives is None or objective in objectives:
                times[objective][method][program].append(found[run])


def no_times():
    """For read_times() to add to."""
    return defaultdict(lambda: defaultdict(lambda: defaultdict(list)))


def samples(runs, baselines, objective, method, evaluations=math.inf, cpu_s=math.inf):
    """By program and training: -log(value / baseline) at the budget for each seed; never negative.

    `cpu_s` is for all programs, or a dictionary that has it for those that are wanted.
    """
    result = {}
    for program, seeds in runs[objective][method].items():
        baseline = baselines[program, objective]
        if baseline <= 0 or (isinstance(cpu_s, dict) and program not in cpu_s):
            continue
        most_s = cpu_s[program] if isinstance(cpu_s, dict) else cpu_s
        logs = result[program] = defaultdict(list)
        for (training, _), steps in sorted(seeds.items()):
            values = [value for number, cpu, value in steps if number <= evaluations and cpu <= most_s]
            logs[training].append(-math.log(max(min([*values, baseline]), 1e-9) / baseline))
    return result


def gains(runs, baselines, objective, method, evaluations=math.inf, cpu_s=math.inf):
    """By program: the mean of samples(), over seeds and then over trainings."""
    found = samples(runs, baselines, objective, method, evaluations, cpu_s)
    return {
        program: float(numpy.mean([numpy.mean(seeds) for seeds in trainings.values()]))
        for program, trainings in found.items()
    }


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


def interval(values):
    values = values[numpy.isfinite(values)]  # a ratio is not, where the rival gains nothing
    return [float(v) for v in numpy.percentile(values, [2.5, 97.5])] if len(values) else [math.nan, math.nan]


class _Cube:
    """Gains as an array of programs, trainings and seeds."""

    def __init__(self, gain, programs):
        rows = [list(_trainings(gain[program]).values()) for program in programs]
        self.counts = numpy.array([[len(seeds) for seeds in row] for row in rows])
        self.values = numpy.zeros((*self.counts.shape, self.counts.max()))
        for i, row in enumerate(rows):
            for j, seeds in enumerate(row):
                self.values[i, j, : len(seeds)] = seeds
        self.means = self.values.sum(2) / self.counts  # by program and training

    def mean(self):
        return float(self.means.mean())

    def resampled(self, picks, rng):
        """The mean for each row of `picks`, which are indices of programs."""
        _, trainings, seeds = self.values.shape
        if seeds == trainings == 1:
            return self.means[picks, 0].mean(1)
        result = []
        for rows in numpy.array_split(picks, max(1, len(picks) // 1000)):  # for memory's sake
            program = rows[:, :, None, None]
            training = rng.integers(trainings, size=(len(rows), 1, trainings, 1))
            counts = self.counts[program, training]
            seed = (rng.random((*rows.shape, trainings, seeds)) * counts).astype(int)
            result.append(self.values[program, training, seed].mean((1, 2, 3)))
        return numpy.concatenate(result)


def _trainings(gain):
    return gain if isinstance(gain, dict) else {0: [gain]}


def _programs(*gains_):
    """Those that all have, with all trainings."""
    common = set.intersection(*(set(gain) for gain in gains_))
    for gain in gains_:
        wanted = set().union(*(_trainings(gain[program]) for program in common))
        common = {program for program in common if set(_trainings(gain[program])) == wanted}
    return sorted(common)


def compare(a, b):
    """The mean gains of both, their ratio and the mean of a - b, the last two with intervals.

    Each is what gains() gives, and then intervals know nothing of seeds, or what samples() gives.
    """
    programs = _programs(a, b)
    x, y = _Cube(a, programs), _Cube(b, programs)
    rng = numpy.random.default_rng(1)
    picks = rng.integers(len(programs), size=(RESAMPLES, len(programs)))
    xs, ys = x.resampled(picks, rng), y.resampled(picks, rng)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        ratios = xs / ys
    return {
        "programs": len(programs),
        "gain": percent(x.mean()),
        "rival": percent(y.mean()),
        "ratio": x.mean() / y.mean() if y.mean() else math.nan,
        "ratio_interval": interval(ratios),
        "difference": 100 * (x.mean() - y.mean()),
        "difference_interval": interval(100 * (xs - ys)),
    }


def at_equal_time(ours, theirs, objective, method="policy"):
    """compare() of two policies of the same search, each a triple of runs, baselines and times.

    Each program is compared at the processor time that the run which took least had taken in the end.
    """
    least = {}
    for _, _, times in (ours, theirs):
        for program, runs in times[objective][method].items():
            spent = min(points[-1][2] for points in runs)
            least[program] = min(least.get(program, spent), spent)
    return compare(
        *(
            samples(runs, baselines, objective, method, cpu_s=least)
            for runs, baselines, _ in (ours, theirs)
        )
    )


def mean_ratio(ratios):
    """The geometric mean over programs of a ratio, with its interval."""
    logs = numpy.log(ratios)
    picks = numpy.random.default_rng(1).integers(len(logs), size=(RESAMPLES, len(logs)))
    return float(numpy.exp(logs.mean())), interval(numpy.exp(logs[picks].mean(1)))


def summarise(a):
    """The mean gain in percent, with its interval."""
    programs = _programs(a)
    cube = _Cube(a, programs)
    rng = numpy.random.default_rng(1)
    means = cube.resampled(rng.integers(len(programs), size=(RESAMPLES // 5, len(programs))), rng)
    return percent(cube.mean()), [percent(v) for v in interval(means)]


def rows(runs, baselines, objective):
    """What is compared: the policy's budget, the rival's name, and the samples of both."""

    def of(method, **budget):
        return samples(runs, baselines, objective, method, **budget)

    if "policy" not in runs[objective]:
        return
    thousand = {name: of(name, evaluations=1000) for name in RIVALS if name in runs[objective]}
    own = of(ANSWER) if ANSWER in runs[objective] else of("policy", evaluations=GREEDY)
    if "evolutionary" in thousand:
        yield "own answer", "evolutionary, 1,000 compiles", own, thousand["evolutionary"]
    for compiles in (100, POLICY_COMPILES):
        for name, gain in thousand.items():
            yield (
                f"{compiles:,} compiles",
                f"{name}, 1,000 compiles",
                of("policy", evaluations=compiles),
                gain,
            )
    yield "1 s of one core", "the best known", of("policy", cpu_s=1.0), best_known(runs, baselines, objective)


def table(runs, baselines):
    """All comparisons, as dictionaries."""
    return [
        {"objective": objective, "policy": budget, "against": against, **compare(a, b)}
        for objective in sorted(runs)
        for budget, against, a, b in rows(runs, baselines, objective)
    ]


def markdown(comparisons):
    """The lines of a table of what table() gave."""
    lines = [
        "| objective | policy with | against | programs | gain | its | ratio (95 %) "
        "| difference, points (95 %) |",
        "|---|---|---|---:|---:|---:|---:|---:|",
    ]
    for row in comparisons:
        low, high = row["ratio_interval"]
        least, most = row["difference_interval"]
        lines.append(
            f"| `{row['objective']}` | {row['policy']} | {row['against']} | {row['programs']} "
            f"| {row['gain']:+.2f} % | {row['rival']:+.2f} % | {row['ratio']:.2f} [{low:.2f}, {high:.2f}] "
            f"| {row['difference']:+.2f} [{least:+.2f}, {most:+.2f}] |"
        )
    return lines


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("studies", nargs="+")
    parser.add_argument("--json")
    options = parser.parse_args()
    runs, baselines = empty()
    for path in options.studies:
        read(path, runs, baselines)
    comparisons = table(runs, baselines)
    print("\n".join(markdown(comparisons)))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(comparisons, file, indent=1)


if __name__ == "__main__":
    main()
