"""Writes oracle.json: what SciPy and NumPy say of the statistics in src/timing, for tests/unit/timing.

Written from the definitions, not from the C++: distributions are SciPy's, the bootstrap draws with NumPy's random
numbers, and boundaries come from a grid fifteen times finer with another rule. Run: python tests/data/timing/make.py
"""

import json
import pathlib

import numpy as np
from scipy import optimize, stats
from scipy.stats import mstats

rng = np.random.default_rng(7)


def boundaries(fractions, alpha):
    """The density of B(t) among walks that have not left, step by step, on 3,001 points by the trapezoidal rule."""
    spent = 2 * stats.norm.sf(stats.norm.isf(alpha / 2) / np.sqrt(fractions))
    z = [stats.norm.isf(spent[0])]
    points, density = None, None
    for k in range(1, len(fractions)):
        t, before = fractions[k], fractions[k - 1]
        limit = min(z[-1], 8) * np.sqrt(before)
        grid = np.linspace(-limit, limit, 3001)
        if density is None:
            reached = stats.norm.pdf(grid, scale=np.sqrt(before))
        else:
            step = np.sqrt(before - fractions[k - 2])
            reached = np.array([np.trapezoid(density * stats.norm.pdf(g, loc=points, scale=step), points) for g in grid])
        points, density = grid, reached
        share = spent[k] - spent[k - 1]
        scale = np.sqrt(t - before)

        def excess(limit):
            above = stats.norm.sf(limit * np.sqrt(t), loc=points, scale=scale)
            return np.trapezoid(density * above, points) - share

        z.append(optimize.brentq(excess, 0.5, 8, xtol=1e-10))
    return z


def centre(values):
    n, cut = len(values), len(values) // 5
    kept = n - 2 * cut
    winsorised = np.asarray(mstats.winsorize(np.array(values), limits=(cut / n, cut / n)))
    deviations = ((winsorised - winsorised.mean()) ** 2).sum()
    return stats.trim_mean(values, 0.2), float(np.sqrt(deviations / (kept * (kept - 1))))


def bootstrap_t(values, level, resamples=100_000):
    mean, _ = centre(values)
    n, cut = len(values), len(values) // 5
    drawn = np.sort(rng.choice(values, (resamples, n)), axis=1)
    kept = drawn[:, cut : n - cut]
    means = kept.mean(axis=1)
    drawn[:, :cut] = kept[:, :1]
    drawn[:, n - cut :] = kept[:, -1:]
    deviations = ((drawn - drawn.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    h = n - 2 * cut
    errors = np.sqrt(deviations / (h * (h - 1)))
    spread = errors > 0  # a resample of equal values says nothing
    return float(np.quantile(np.abs(means - mean)[spread] / errors[spread], 1 - 2 * level))


series = []
for n in (8, 11, 24, 33):
    values = (rng.normal(0.01, 0.02, n) + (rng.random(n) < 0.1) * rng.exponential(0.2, n)).round(6).tolist()
    mean, error = centre(values)
    series.append(
        {"values": values, "mean": mean, "error": error, "df": n - 2 * (n // 5) - 1, "critical": bootstrap_t(values, 0.025)}
    )

tails = [(t, df) for df in (1, 3, 5, 7.5, 19, 200) for t in (0, 0.5, 2, 8)]
levels = [(p, df) for df in (1, 3, 5, 19, 200) for p in (0.4, 0.025, 1e-3, 1e-6, 1e-10)]
fractions = [[1.0], [0.25, 0.5, 0.75, 1.0], [0.2, 0.4, 0.6, 0.8, 1.0], [0.3, 0.45, 0.9]]
oracle = {
    "normal_critical": [{"p": p, "z": stats.norm.isf(p)} for p in (0.9, 0.5, 0.025, 1e-6, 1e-14)],
    "student_tail": [{"t": t, "df": df, "p": stats.t.sf(t, df)} for t, df in tails],
    "student_critical": [{"p": p, "df": df, "t": stats.t.isf(p, df)} for p, df in levels],
    "boundaries": [{"fractions": f, "alpha": a, "z": boundaries(f, a)} for f in fractions for a in (0.025, 0.001)],
    "series": series,
}
path = pathlib.Path(__file__).with_name("oracle.json")
path.write_text(json.dumps(oracle, indent=1) + "\n")
