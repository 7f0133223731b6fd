"""What proposals save: compiles to reach 90 % of the best known, with and without, paired by program.

The best known of a program is the largest gain over clang-Oz of any run here, of any method. A run that does
not come so far counts its whole budget, so that a ratio says less than there is to say where that is
frequent: how many came so far stands beside it. For each program the ratio is that of the geometric means over seeds;
what is shown is the geometric mean over programs, with a 95 % percentile interval of 10,000 bootstrap
resamples of the programs. Programs of which nobody makes less than clang-Oz does are left out.
"""

import math
import sqlite3
from collections import defaultdict

import numpy

SHARE = 0.9
SEEDS = 2  # evaluations of every search: the baseline and the program as given
RESAMPLES = 10_000
PPO = "PPO from scratch"


class Run:
    """The best gain after each compile that improved it, and the budget."""

    def __init__(self, steps, budget):
        self.steps = steps  # [(compiles, gain)]
        self.budget = budget
        self.best = max((gain for _, gain in steps), default=0.0)

    def until(self, gain):
        """Compiles until it had gained so much; the budget if it never did."""
        return next((compiles for compiles, found in self.steps if found >= gain), self.budget)


def searches(path, objective, prior, budget):
    """{(searcher, prior): {program: {seed: Run}}} of a study whose methods all began with `prior`, or none."""
    runs = defaultdict(lambda: defaultdict(dict))
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as study:
        uris = dict(study.execute("select id, uri from program where failure = ''"))
        baselines = dict(
            study.execute(
                "select program, value from baseline where baseline = 'clang-Oz' and metric = ?", (objective,)
            )
        )
        steps = defaultdict(list)
        for run, evaluation, value in study.execute(
            "select run, evaluation, value from improvement order by run, evaluation"
        ):
            steps[run].append((evaluation, value))
        for run, method, program, seed in study.execute(
            "select id, method, program, seed from run where objective = ? and failure = ''", (objective,)
        ):
            baseline = baselines.get(program, 0)
            if program in uris and baseline > 0:
                name = method.removeprefix("prior/").partition("@")[0]
                gains = [(number, 1 - value / baseline) for number, value in steps[run]]
                runs[name, prior][uris[program]][seed] = Run(gains, budget)
    return dict(runs)


def trainings(played, rollouts):
    """The same of the episodes of PPO, {arm: {program: {seed: [gain]}}}, each of which is a compile."""
    runs = {}
    for arm, programs in played.items():
        runs[PPO, arm] = {
            program: {
                seed: Run([(SEEDS + i, gain) for i, gain in enumerate(gains, 1)], SEEDS + rollouts)
                for seed, gains in seeds.items()
            }
            for program, seeds in programs.items()
        }
    return runs


def _means(runs, goals):
    """By program: the mean of the logarithms of compiles, and the share of seeds that came so far."""
    return {
        program: (
            float(numpy.mean([math.log(run.until(goals[program])) for run in seeds.values()])),
            float(numpy.mean([run.best >= goals[program] for run in seeds.values()])),
        )
        for program, seeds in runs.items()
        if program in goals and seeds
    }


def compare(runs, priors):
    """A row for each method and prior, as dictionaries, and what they are of."""
    best = defaultdict(float)
    for programs in runs.values():
        for program, seeds in programs.items():
            best[program] = max([best[program], *(run.best for run in seeds.values())])
    goals = {program: SHARE * gain for program, gain in best.items() if gain > 0}
    rows = []
    for method, prior in sorted((m, p) for m, p in runs if p in priors):
        with_, without = _means(runs[method, prior], goals), _means(runs[method, ""], goals)
        common = sorted(set(with_) & set(without))
        if not common:
            continue
        saved = numpy.array([without[program][0] - with_[program][0] for program in common])
        rng = numpy.random.default_rng(1)
        means = saved[rng.integers(len(saved), size=(RESAMPLES, len(saved)))].mean(1)
        rows.append(
            {
                "method": method,
                "prior": prior,
                "programs": len(common),
                "without": float(numpy.exp(numpy.mean([without[p][0] for p in common]))),
                "with": float(numpy.exp(numpy.mean([with_[p][0] for p in common]))),
                "ratio": float(numpy.exp(saved.mean())),
                "interval": [float(v) for v in numpy.exp(numpy.percentile(means, [2.5, 97.5]))],
                "reached_without": float(numpy.mean([without[p][1] for p in common])),
                "reached_with": float(numpy.mean([with_[p][1] for p in common])),
            }
        )
    return {"rows": rows, "left_out": len(best) - len(goals), "best": dict(best)}


def markdown(result):
    """The table, and a line about it."""
    lines = [
        "| search | prior | programs | compiles without | with | fewer, times (95 %) | came so far: without "
        "| with |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in result["rows"]:
        low, high = row["interval"]
        lines.append(
            f"| {row['method']} | {row['prior']} | {row['programs']} | {row['without']:.0f} "
            f"| {row['with']:.0f} | {row['ratio']:.2f} [{low:.2f}, {high:.2f}] "
            f"| {100 * row['reached_without']:.0f} % | {100 * row['reached_with']:.0f} % |"
        )
    lines += [
        "",
        f"Compiles to reach {100 * SHARE:.0f} % of the best known (geometric means), with up to "
        f"{result['count']} proposals of `{result['model']}` for each program (agent), or with as many "
        f"sequences of the coreset; {result['left_out']} programs of which nobody makes less than clang-Oz are "
        f"left out.",
    ]
    return "\n".join(lines) + "\n"
