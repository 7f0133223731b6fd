"""bench/correlation_report.py: what it says of pairs."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))

pytest.importorskip("scipy", reason="for ./ordo bench correlation only")

import correlation_report


def pairs(*values):
    """Of (measure, time), the same for all measures."""
    return [dict.fromkeys(correlation_report.MEASURES, m) | {correlation_report.TIME: t} for m, t in values]


def test_ranks_decide_and_not_sizes():
    rising = {name: pairs((0.1, 0.2), (0.2, 5.0), (0.3, 5.1)) for name in "abc"}
    assert correlation_report.spearman(rising, "mca") == pytest.approx((1, 1, 1))
    assert correlation_report.within(rising, "mca") == pytest.approx(1)
    falling = {name: pairs((0.1, 3.0), (0.2, 2.0), (0.3, 1.0)) for name in "abc"}
    assert correlation_report.spearman(falling, "mca")[0] == pytest.approx(-1)


def test_a_program_whose_measure_never_changes_counts_as_nothing():
    some = {"a": pairs((0.1, 0.1), (0.2, 0.2), (0.3, 0.3)), "b": pairs((0.0, 0.1), (0.0, 0.2), (0.0, 0.3))}
    assert correlation_report.within(some, "mca") == pytest.approx(0.5)


def test_the_baseline_is_a_candidate():
    worse = {"a": pairs((0.1, -0.5), (0.2, 0.5))}
    assert correlation_report.best(worse, "mca") == 0
    better = {"a": pairs((-0.1, 0.0953102), (0.2, 0.5))}
    assert correlation_report.best(better, "mca") == pytest.approx(10, abs=1e-3)
