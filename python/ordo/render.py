"""Pictures of an episode: the metric over the passes so far."""

from __future__ import annotations

import numpy as np

Trace = list[tuple[str, float]]

_BARS = " ▁▂▃▄▅▆▇█"


def render_ansi(trace: Trace, metric: str) -> str:
    """A line of bars for the metric, then each pass with what the metric was after it."""
    values = np.array([value for _, value in trace], float)
    known = values[np.isfinite(values)]
    if known.size == 0:
        return f"{metric}: not reset yet"
    low, high = known.min(), known.max()
    scale = (high - low) or 1.0
    bars = "".join(
        _BARS[1 + int(7 * (value - low) / scale)] if np.isfinite(value) else "?" for value in values
    )
    lines = [f"{metric} {known[0]:g} → {known[-1]:g} ({100 * (known[-1] / known[0] - 1):+.1f} %)  {bars}"]
    before = values[0]
    for number, (action, value) in enumerate(trace[1:], 1):
        change = f"{value - before:+g}" if np.isfinite(value) and value != before else ""
        lines.append(f"{number:4d}  {action:<44} {value:>10g} {change:>8}")
        if np.isfinite(value):
            before = value
    return "\n".join(lines)


def render_rgb(trace: Trace, metric: str, width: int = 480, height: int = 240) -> np.ndarray:
    """The curve of the metric as a picture, uint8 [height, width, 3]; its top is the largest value."""
    del metric  # A picture without letters: no font is needed.
    picture = np.full((height, width, 3), 255, np.uint8)
    values = np.array([value for _, value in trace], float)
    known = np.flatnonzero(np.isfinite(values))
    margin = 12
    picture[height - margin, margin : width - margin] = 160
    picture[margin : height - margin, margin] = 160
    if known.size == 0:
        return picture
    low, high = values[known].min(), values[known].max()
    scale = (high - low) or 1.0
    columns = np.arange(margin + 1, width - margin)
    steps = (columns - margin) / (width - 2 * margin) * max(len(values) - 1, 1)
    curve = np.interp(steps, known, values[known])
    rows = (height - margin - 2 - (curve - low) / scale * (height - 2 * margin - 4)).astype(int)
    for column, row, previous in zip(columns, rows, np.concatenate([rows[:1], rows[:-1]])):
        top, bottom = min(row, previous), max(row, previous)
        picture[top - 1 : bottom + 2, column] = (31, 119, 180)
    return picture
