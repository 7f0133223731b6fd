"""Table and figure of `./ordo bench correlation`."""

import html
import math

import numpy
import scipy.stats

import marks

MEASURES = ("ir_instructions", "text_bytes", "mca", "cachegrind")
TIME = "time"
RESAMPLES = 10_000
SIZE, GAP, EDGE = 220, 56, 40  # of a panel, between panels, around


def spearman(by_program, measure):
    """Spearman's rank correlation with time over all pairs, and its 95 % interval: programs are drawn anew, with
    all their pairs."""
    columns = [numpy.array([[pair[measure], pair[TIME]] for pair in pairs]) for pairs in by_program.values()]

    def of(chosen):
        together = numpy.concatenate(chosen)
        # One value on either side has no ranks.
        return scipy.stats.spearmanr(together[:, 0], together[:, 1]).statistic if numpy.ptp(together, 0).all() else 0.0

    rng = numpy.random.default_rng(1)
    resampled = [of([columns[i] for i in rng.integers(len(columns), size=len(columns))]) for _ in range(RESAMPLES)]
    low, high = numpy.percentile(resampled, [2.5, 97.5])
    return float(of(columns)), float(low), float(high)


def within(by_program, measure):
    """The mean over programs of Spearman's correlation within each; programs where the measure or time is always
    the same count as 0."""
    found = []
    for pairs in by_program.values():
        values = numpy.array([[pair[measure], pair[TIME]] for pair in pairs])
        varied = len(values) > 2 and numpy.ptp(values, 0).all()
        found.append(scipy.stats.spearmanr(values[:, 0], values[:, 1]).statistic if varied else 0.0)
    return float(numpy.mean(found))


def best(by_program, measure):
    """The mean change in time, in per cent, of the variant with the least of a measure; the baseline is one too."""
    logs = []
    for pairs in by_program.values():
        least = min([*pairs, dict.fromkeys((*MEASURES, TIME), 0.0)], key=lambda pair: pair[measure])
        logs.append(least[TIME])
    return 100 * math.expm1(float(numpy.mean(logs)))


def table(by_program):
    lines = [
        "| measure | rank correlation with time, all pairs (95 %) | within programs, mean | time of the one with the least |",
        "|---|---:|---:|---:|",
    ]
    for measure in (*MEASURES, TIME):
        if measure == TIME:
            cells = ("1", "1")
        else:
            value, low, high = spearman(by_program, measure)
            cells = (f"{value:+.2f} [{low:+.2f}, {high:+.2f}]", f"{within(by_program, measure):+.2f}")
        lines.append(f"| {measure} | {cells[0]} | {cells[1]} | {best(by_program, measure):+.1f} % |")
    return "\n".join(lines) + "\n"


def panel(pairs, measure, left):
    """Dots: the ratio of the measure to the right, of time upwards, both on logarithmic axes."""
    points = [(pair[measure], pair[TIME]) for pair in pairs]
    # Outliers are drawn at the edge.
    reach = [max(numpy.percentile(numpy.abs(axis), 98), 0.02) for axis in zip(*points, strict=True)]
    middle = left + SIZE / 2, EDGE + SIZE / 2
    place = lambda value, axis: max(-1.0, min(1.0, value / reach[axis])) * SIZE / 2
    title = html.escape(measure)
    parts = [
        f'<rect x="{left}" y="{EDGE}" width="{SIZE}" height="{SIZE}" fill="none" stroke="#888"/>',
        f'<path d="M{middle[0]} {EDGE}v{SIZE}M{left} {middle[1]}h{SIZE}" stroke="#888" stroke-dasharray="2 3"/>',
        f'<text x="{middle[0]}" y="{EDGE - 12}" text-anchor="middle" font-weight="bold">{title}</text>',
        f'<text x="{left}" y="{EDGE + SIZE + 16}">x{math.exp(-reach[0]):.2f}</text>',
        f'<text x="{left + SIZE}" y="{EDGE + SIZE + 16}" text-anchor="end">x{math.exp(reach[0]):.2f}</text>',
        f'<text x="{left - 4}" y="{EDGE + 10}" text-anchor="end">x{math.exp(reach[1]):.2f}</text>',
        f'<text x="{left - 4}" y="{EDGE + SIZE}" text-anchor="end">x{math.exp(-reach[1]):.2f}</text>',
    ]
    for x, y in points:
        at = middle[0] + place(x, 0), middle[1] - place(y, 1)
        parts.append(f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="3" fill="#2a7de1" fill-opacity=".45"/>')
    return parts


def figure(by_program):
    pairs = [pair for of_program in by_program.values() for pair in of_program]
    width, height = EDGE + len(MEASURES) * (SIZE + GAP), SIZE + 2 * EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img"'
        ' font-family="sans-serif" font-size="11" fill="#777"><title>Four measures against run time, each a ratio'
        " to clang -O3</title>"
    ]
    for i, measure in enumerate(MEASURES):
        parts += panel(pairs, measure, EDGE + 10 + i * (SIZE + GAP))
    parts.append(f'<text transform="translate(12 {EDGE + SIZE / 2}) rotate(-90)" text-anchor="middle">time</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def write(records, root):
    """The table into docs/results.md and the figure beside it."""
    by_program = {record["program"]: record["pairs"] for record in records if record.get("pairs")}
    if not by_program:
        raise SystemExit("correlation: no pair was measured")
    left_out = [f"{record['program']} ({record['left_out']})" for record in records if "left_out" in record]
    text = table(by_program)
    count = sum(map(len, by_program.values()))
    text += f"\n{count} pairs of {len(by_program)} programs."
    text += f" Left out: {', '.join(left_out)}.\n" if left_out else "\n"
    marks.insert(root / "docs/results.md", "correlation", text)
    (root / "docs/correlation.svg").write_text(figure(by_program), encoding="utf-8")
    print(text, end="")
