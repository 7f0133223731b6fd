"""What `./ordo bench ablations` found, as a table in Markdown and a page with a picture."""

import html
import itertools
import math
import zlib
from collections import defaultdict
from typing import NamedTuple

import numpy
import reach

OBJECTIVES = ("ir_instructions", "text_bytes")
REFERENCE = "reference"


def figures_of(units):
    """figures[row][objective, budget][seed][program]: gains, as logarithms."""
    figures = defaultdict(lambda: defaultdict(dict))
    baselines = {}
    for unit in units:
        if not unit.done("evaluation"):
            continue
        runs, _ = reach.empty()
        for objective in OBJECTIVES:
            reach.read(unit.study(objective), runs, baselines, objectives={objective})
            with_own = figures[unit.row.name]
            # What a rival answers first is its own answer.
            answer = reach.ANSWER in runs[objective]
            with_own[objective, "own"][unit.seed] = reach.gains(
                runs, baselines, objective, reach.ANSWER if answer else unit.row.method,
                evaluations=math.inf if answer else reach.GREEDY,
            )
            with_own[objective, "all"][unit.seed] = reach.gains(runs, baselines, objective, unit.row.method)
    return figures


class Difference(NamedTuple):
    """From the reference, in points."""

    mean: float
    low: float
    high: float
    by_seed: list


def resampled(gains, weights, picks, rng_of):
    """The mean of `gains` [seeds, programs] in each resample; rows with the same weights draw the same seeds."""
    drawn = rng_of(weights).integers(len(gains), size=(len(picks), len(gains)))
    counts = numpy.stack([(drawn == seed).mean(1) for seed in range(len(gains))], 1)
    return numpy.einsum("rs,sp,rp->r", counts, gains, picks, optimize=True)


def compare(row, gains, reference):
    """A hierarchical bootstrap of two arrays [seeds, programs]: programs, the same for both, and the seeds of training
    of each, the same for both if they share the weights; then REQUIRES: the same seeds."""
    paired = row.training is None
    rng = numpy.random.default_rng(1)
    programs = gains.shape[1]
    drawn = rng.integers(programs, size=(10_000, programs))
    picks = numpy.stack([(drawn == program).mean(1) for program in range(programs)], 1)
    of_weights = lambda name: numpy.random.default_rng(zlib.crc32(name.encode()))
    means = resampled(gains, REFERENCE if paired else row.name, picks, of_weights)
    differences = means - resampled(reference, REFERENCE, picks, of_weights)
    low, high = numpy.percentile(100 * differences, [2.5, 97.5])
    by_seed = 100 * (gains.mean(1) - (reference.mean(1) if paired else reference.mean()))
    return Difference(float(by_seed.mean()), float(low), float(high), [float(d) for d in by_seed])


def table_of(units):
    """A line for each row that has been evaluated: name, seeds, costs, and by objective and budget the gain in per
    cent and the difference from the reference; and the number of programs."""
    figures = figures_of(units)
    lines, programs = [], 0
    for row in {unit.row: None for unit in units}:
        if row.name not in figures:
            continue
        notes = [note for u in units if u.row == row and u.trains and (note := u.done("training"))]
        mean = lambda key: sum(note[key] for note in notes) / len(notes) if notes else None
        line = {"row": row.name, "seeds": len(figures[row.name][OBJECTIVES[0], "own"])}
        line |= {key: mean(key) for key in ("parameters", "rollouts", "cpu_s")}
        for key in itertools.product(OBJECTIVES, ("own", "all")):
            # Only programs that all rows have.
            everywhere = [set(by) for name in figures for by in figures[name][key].values()]
            common = sorted(set.intersection(*everywhere))
            programs = len(common)
            array = lambda name, seeds: numpy.array([[figures[name][key][seed][p] for p in common] for seed in seeds])
            seeds = figures[row.name][key]
            gains = array(row.name, seeds)
            line["/".join(key)] = {"gain": reach.percent(gains.mean())}
            if REFERENCE in figures and row.name != REFERENCE:
                reference = array(REFERENCE, seeds if row.training is None else figures[REFERENCE][key])
                line["/".join(key)] |= compare(row, gains, reference)._asdict()
        lines.append(line)
    return lines, programs


def cell(figure):
    text = f"{figure['gain']:+.2f} %"
    if "mean" in figure:
        text += f"; {figure['mean']:+.2f} [{figure['low']:+.2f}, {figure['high']:+.2f}]"
    return text


def columns_of(compiles):
    return [
        (f"{objective}/{budget}", f"`{objective}`, {'own answer' if budget == 'own' else f'{compiles} compiles'}")
        for objective in OBJECTIVES
        for budget in ("own", "all")
    ]


def caption(programs, options):
    return (
        f"{programs} validation modules, over `{reach.BASELINE}`. After the gain: its difference from the reference in"
        " points, with a 95 % interval by a hierarchical bootstrap over programs, which are paired, and over the seeds"
        " of training of both, which few seeds make too narrow. All with the same experience and at most"
        f" {options.rollouts:,} rollouts, without judges. The own answer of nearest neighbour is the first sequence"
        " that it measures."
    )


def markdown(lines, programs, options):
    columns = columns_of(options.compiles)
    text = "| | seeds | parameters | rollouts | CPU-min | " + " | ".join(name for _, name in columns) + " |\n"
    text += "|---|" + "---:|" * (4 + len(columns)) + "\n"
    for line in lines:
        numbers = [line["seeds"]]
        numbers += ["" if line[key] is None else f"{line[key]:,.0f}" for key in ("parameters", "rollouts")]
        numbers.append("" if line["cpu_s"] is None else f"{line['cpu_s'] / 60:.1f}")
        cells = [str(number) for number in numbers] + [cell(line[key]) for key, _ in columns]
        text += f"| {line['row']} | " + " | ".join(cells) + " |\n"
    return text + "\n" + caption(programs, options) + "\n"


def picture(lines, columns):
    """Differences from the reference as SVG: a point and its interval, and a ring for each seed."""
    left, width, height, gap = 170, 190, 24, 24
    shown = [line for line in lines if "mean" in line[columns[0][0]]]
    total = left + len(columns) * (width + gap), 44 + height * len(shown)
    parts = [
        f'<svg viewBox="0 0 {total[0]} {total[1]}" width="{total[0]}" role="img" font-size="12" fill="currentColor"'
        ' stroke="none"><title>Differences from the reference, in points, with 95 % intervals</title>'
    ]
    for i, line in enumerate(shown):
        y = 40 + height * i
        parts.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{html.escape(line["row"])}</text>')
    for column, (key, name) in enumerate(columns):
        figures = [line[key] for line in shown]
        values = [0, *(f[end] for f in figures for end in ("low", "high")), *(d for f in figures for d in f["by_seed"])]
        least, most = min(values), max(values)
        start = left + column * (width + gap)
        x = lambda value: start + width * (value - least) / ((most - least) or 1)
        parts.append(f'<text x="{start}" y="12">{html.escape(name.replace("`", ""))}</text>')
        parts.append(f'<text x="{start}" y="26" opacity=".6">{least:+.2f}</text>')
        parts.append(f'<text x="{start + width}" y="26" opacity=".6" text-anchor="end">{most:+.2f}</text>')
        parts.append(f'<path d="M{x(0):.1f} 30V{total[1]}" stroke="currentColor" opacity=".4"/>')
        for i, f in enumerate(figures):
            y = 40 + height * i
            clear = f["low"] > 0 or f["high"] < 0
            colour = "#2a7de1" if clear else "currentColor"
            parts.append(f'<path d="M{x(f["low"]):.1f} {y}H{x(f["high"]):.1f}" stroke="{colour}" stroke-width="2"/>')
            parts.append(f'<circle cx="{x(f["mean"]):.1f}" cy="{y}" r="4" fill="{colour}"/>')
            for d in f["by_seed"]:
                parts.append(f'<circle cx="{x(d):.1f}" cy="{y}" r="2.5" fill="none" stroke="{colour}" opacity=".6"/>')
    return "\n".join([*parts, "</svg>"])


def page(lines, programs, options):
    columns = columns_of(options.compiles)
    rows = markdown(lines, programs, options).split("\n\n")[0].split("\n")
    cells = lambda line, tag: "".join(f"<{tag}>{html.escape(c.strip())}</{tag}>" for c in line.split("|")[1:-1])
    body = "\n".join(f"<tr>{cells(line, 'td')}</tr>" for line in rows[2:])
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Ablations</title><style>
:root {{ color-scheme: light dark; }}
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }}
div {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }}
th, td {{ padding: .2rem .6rem; text-align: right; border-bottom: 1px solid #8884; }}
th:first-child, td:first-child {{ text-align: left; white-space: nowrap; }}
</style></head><body>
<h1>Ablations of the learned policy</h1>
<p>Differences from the reference in points: mean, 95 % interval, and a ring for each seed; blue where the interval
excludes 0.</p>
<div>{picture(lines, columns)}</div>
<p>{html.escape(caption(programs, options).replace("`", ""))}</p>
<div><table><tr>{cells(rows[0].replace("`", ""), "th")}</tr>
{body}
</table></div></body></html>
"""
