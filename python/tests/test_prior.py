"""What proposals save, as `./ordo bench prior` reckons it."""

import pathlib
import sys

import pytest

pytest.importorskip("numpy")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))

import prior_report


def played(**arms):
    return {arm.strip("_"): {"a": {1: gains}} for arm, gains in arms.items()}


def test_a_run_says_when_it_had_gained_so_much():
    run = prior_report.Run([(3, 0.1), (7, 0.2)], 100)
    assert [run.until(gain) for gain in (0.05, 0.1, 0.15, 0.3)] == [3, 3, 7, 100]
    assert run.best == 0.2


def test_compiles_are_compared_to_nine_tenths_of_the_best():
    # Without it gains 0.095 in its sixth episode, with it 0.1 in its second; the best is 0.1.
    runs = prior_report.trainings(played(_=[0, 0, 0, 0, 0, 0.095], agent=[0.05, 0.1]), 10)
    (row,) = prior_report.compare(runs, ["agent"])["rows"]
    assert (row["without"], row["with"]) == pytest.approx((8, 4))
    assert row["ratio"] == pytest.approx(2) and row["interval"] == pytest.approx([2, 2])
    assert row["reached_without"] == row["reached_with"] == 1


def test_who_never_comes_so_far_counts_the_budget():
    runs = prior_report.trainings(played(_=[0.01] * 10, agent=[0.2]), 10)
    (row,) = prior_report.compare(runs, ["agent"])["rows"]
    assert (row["without"], row["with"]) == pytest.approx((12, 3))
    assert (row["reached_without"], row["reached_with"]) == (0, 1)


def test_a_program_that_nobody_makes_less_of_is_left_out():
    runs = prior_report.trainings(played(_=[-1, 0], agent=[0]), 10)
    assert prior_report.compare(runs, ["agent"]) == {"rows": [], "left_out": 1, "best": {"a": 0}}
