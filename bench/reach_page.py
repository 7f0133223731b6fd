"""The page of `./ordo bench reach`: tables, gains against compiles with bands, and ratios with intervals.

It stands by itself: no script, no network. Nothing is told by colour alone.
"""

import html
import math
import re

import reach

BUDGETS = (3, 5, 10, 20, 50, 100, 200, 300, 500, 1000)
STYLES = {  # colour, dashes
    "policy": ("#0b5fa5", ""),
    reach.ANSWER: ("#6b4fa0", "1 3"),
    "evolutionary": ("#b3541e", "7 4"),
    "graph_genetic": ("#5a7d2a", "2 3"),
}
CSS = """
body { font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; color: #1a1a1a; background: #fff;
  max-width: 1180px; margin: 0 auto; padding: 1.2rem 1.5rem 3rem; }
h1 { font-size: 1.5rem; margin: 0 0 .6rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 .3rem; padding-top: .6rem; border-top: 2px solid #1a1a1a; }
h3 { font-size: 1rem; margin: .8rem 0 .3rem; }
p { margin: .3rem 0; max-width: 90ch; }
.note, ul { color: #555; font-size: .88rem; }
ul { padding-left: 1.2rem; overflow-wrap: anywhere; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(440px, 1fr)); gap: .5rem 2rem; }
svg { width: 100%; height: auto; font: 12.5px system-ui, "DejaVu Sans", sans-serif; fill: #1a1a1a; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; margin: .5rem 0 1rem; }
th, td { padding: .25rem 1.2rem .25rem 0; text-align: left; vertical-align: top; }
th { border-bottom: 1px solid #1a1a1a; }
td { border-bottom: 1px solid #e4e4e4; }
b { color: #a11; }
"""


def curves(runs, baselines):
    """By objective: method -> [(compiles, gain, [low, high])], in percent, and the best known's gain."""
    result = {}
    for objective in sorted(runs):
        lines = {}
        for method in STYLES:
            if method not in runs[objective]:
                continue
            lines[method] = [
                (
                    budget,
                    *reach.summarise(reach.samples(runs, baselines, objective, method, evaluations=budget)),
                )
                for budget in BUDGETS
                if method != "policy" or budget <= reach.POLICY_COMPILES
            ]
        best = reach.best_known(runs, baselines, objective)
        if lines and best:
            result[objective] = (lines, reach.summarise(best)[0])
    return result


def marked_up(text):
    """Markdown of a cell as HTML: `code` and **short**."""
    text = html.escape(text)
    text = re.sub(r"\*\*(.*?)\*\*", r"<b>\1</b>", text)
    return re.sub(r"`(.*?)`", r"<code>\1</code>", text)


def table(header, rows):
    lines = ["<div class=wide><table><tr>", *(f"<th>{marked_up(cell)}</th>" for cell in header), "</tr>"]
    for row in rows:
        lines += ["<tr>", *(f"<td>{marked_up(cell)}</td>" for cell in row), "</tr>"]
    return "".join([*lines, "</table></div>\n"])


def apart(wanted, gap):
    """Positions as near to `wanted`, by name, as they can be with `gap` between them."""
    names = sorted(wanted, key=wanted.get)
    places = {name: wanted[name] for name in names}
    for _ in range(100):
        for low, high in zip(names, names[1:]):
            short = gap - (places[high] - places[low])
            if short > 0:
                places[low] -= short / 2
                places[high] += short / 2
    return places


def curve_plot(lines, best, title):
    """Gain over compiles, on a logarithmic axis; bands are intervals."""
    left, right, top, bottom, width, height = 46, 150, 12, 42, 560, 330
    highest = max([best, *(point[2][1] for points in lines.values() for point in points)]) * 1.05
    step = next(s for s in (0.5, 1, 2, 5, 10, 20, 50) if highest / s <= 8)

    def x(compiles):
        return left + (width - left - right) * math.log(compiles / BUDGETS[0]) / math.log(
            BUDGETS[-1] / BUDGETS[0]
        )

    def y(percent):
        return height - bottom - (height - top - bottom) * percent / highest

    parts = [f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{html.escape(title)}">']
    for i in range(int(highest / step) + 1):
        at = y(i * step)
        parts.append(f'<path d="M{left} {at:.1f}H{width - right}" stroke="#e4e4e4"/>')
        parts.append(f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{i * step:g} %</text>')
    for budget in (3, 10, 100, 1000):
        parts.append(
            f'<text x="{x(budget):.1f}" y="{height - bottom + 16}" text-anchor="middle">{budget:,}</text>'
        )
    middle = (left + width - right) / 2
    parts.append(f'<text x="{middle}" y="{height - 8}" text-anchor="middle">compiles</text>')
    parts.append(f'<path d="M{left} {y(best):.1f}H{width - right}" stroke="#1a1a1a" stroke-dasharray="1 4"/>')
    ends = {f"best known {best:.1f} %": y(best)}
    for method, points in lines.items():
        colour, dashes = STYLES[method]
        band = [(x(b), y(high)) for b, _, (_, high) in points] + [
            (x(b), y(low)) for b, _, (low, _) in reversed(points)
        ]
        corners = " ".join(f"{px:.1f},{py:.1f}" for px, py in band)
        parts.append(f'<polygon points="{corners}" fill="{colour}" opacity=".12"/>')
    for method, points in lines.items():
        colour, dashes = STYLES[method]
        corners = " ".join(f"{x(b):.1f},{y(gain):.1f}" for b, gain, _ in points)
        parts.append(
            f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"/>'
        )
        ends[f"{method} {points[-1][1]:.1f} %"] = y(points[-1][1])
    for name, place in apart(ends, 16).items():
        colour = STYLES.get(name.split()[0], ("#1a1a1a",))[0]
        parts.append(
            f'<path d="M{width - right} {ends[name]:.1f}L{width - right + 10} {place:.1f}" stroke="#aaa"/>'
        )
        parts.append(
            f'<text x="{width - right + 13}" y="{place + 4:.1f}" fill="{colour}">{html.escape(name)}</text>'
        )
    return "".join([*parts, "</svg>\n"])


def wanted_ratio(row):
    return {"own answer": 0.5, "100 compiles": 1.0, "1 s of one core": 0.9}.get(row["policy"])


def ratio_limit(comparisons):
    """The end of the axis."""
    highest = [row["ratio_interval"][1] for row in comparisons if math.isfinite(row["ratio_interval"][1])]
    return min(2.5, max([1.2, *highest]) * 1.05)


def ratio_plot(comparisons, limit, title):
    """A dot and an interval for each ratio of gains; a cross-bar where it is wanted to be."""
    left, right, row_height, width = 330, 130, 26, 1000
    height = row_height * len(comparisons) + 40

    def x(ratio):
        return left + (width - left - right) * min(max(ratio, 0), limit) / limit

    parts = [f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{html.escape(title)}">']
    for i in range(int(limit / 0.25) + 1):
        at, colour = x(i / 4), "#888" if i == 4 else "#e4e4e4"
        parts.append(f'<path d="M{at:.1f} 6V{height - 34}" stroke="{colour}"/>')
        if i % 2 == 0:
            parts.append(f'<text x="{at:.1f}" y="{height - 18}" text-anchor="middle">{i / 4:g}</text>')
    for i, row in enumerate(comparisons):
        at = 6 + row_height * (i + 0.5)
        (low, high), ratio = row["ratio_interval"], row["ratio"]
        name = f"{row['policy']} : {row['against'].replace(', 1,000 compiles', ' with 1,000')}"
        parts.append(f'<text x="{left - 12}" y="{at + 4:.1f}" text-anchor="end">{html.escape(name)}</text>')
        if wanted := wanted_ratio(row):
            parts.append(f'<path d="M{x(wanted):.1f} {at - 10:.1f}v20" stroke="#a11" stroke-width="2.5"/>')
        if math.isfinite(low + high):
            bar = f"M{x(low):.1f} {at:.1f}H{x(high):.1f}"
            parts.append(f'<path d="{bar}" stroke="#0b5fa5" stroke-width="3" opacity=".5"/>')
        if math.isfinite(ratio):
            parts.append(f'<circle cx="{x(ratio):.1f}" cy="{at:.1f}" r="4.5" fill="#0b5fa5"/>')
        figures = f"{ratio:.2f} [{low:.2f}, {high:.2f}]"
        parts.append(f'<text x="{width - right + 10}" y="{at + 4:.1f}">{figures}</text>')
    return "".join([*parts, "</svg>\n"])


def page(title, note, tables, comparisons, lines, facts):
    """The whole page. `tables` are headers with rows, `lines` what curves() gave."""
    parts = [
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>',
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{CSS}</style></head><body>',
        f"<h1>{html.escape(title)}</h1>\n<p class=note>{marked_up(note)}</p>",
        *(table(header, rows) for header, rows in tables if rows),
        "<h2>Gain against compiles</h2><p class=note>Mean gain over clang-Oz; bands are 95 % intervals. The "
        "first two compiles are the baseline and the program as given; policy_answer ends after its own.</p><div class=pair>",
        *(
            f"<div><h3>{objective}</h3>{curve_plot(methods, best, f'gain of {objective} against compiles')}</div>"
            for objective, (methods, best) in lines.items()
        ),
        "</div>",
        "<h2>Ratios of gains</h2><p class=note>The policy with the budget on the left, divided by its rival; "
        "bars are 95 % intervals, a red line stands where the ratio is wanted to be.</p>",
    ]
    limit = ratio_limit(comparisons)
    for objective in lines:
        of_it = [row for row in comparisons if row["objective"] == objective]
        if of_it:
            parts.append(f"<h3>{objective}</h3>{ratio_plot(of_it, limit, f'ratios of {objective}')}")
    header = ("objective", "policy with", "against", "programs", "gain", "its", "ratio", "difference, points")
    cells = [
        (
            row["objective"],
            row["policy"],
            row["against"],
            str(row["programs"]),
            f"{row['gain']:+.2f} %",
            f"{row['rival']:+.2f} %",
            "{:.2f} [{:.2f}, {:.2f}]".format(row["ratio"], *row["ratio_interval"]),
            "{:+.2f} [{:+.2f}, {:+.2f}]".format(row["difference"], *row["difference_interval"]),
        )
        for row in comparisons
    ]
    parts += ["<h2>All comparisons</h2>", table(header, cells)]
    parts += ["<ul>", *(f"<li>{marked_up(fact)}</li>" for fact in facts), "</ul></body></html>\n"]
    return "\n".join(parts)
