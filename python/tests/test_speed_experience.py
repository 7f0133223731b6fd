"""bench/speed_experience.py: what measurements of run time teach."""

import math
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))

import speed_experience


def outcome(*raced):
    """Of (actions, score, pairs), None for one that did something else."""
    return {"raced": [
        {"actions": actions.split(), "pairs": pairs} | ({"failure": "?"} if score is None else {"score": score})
        for actions, score, pairs in raced
    ]}  # fmt: skip


def test_profile_calls_and_loops_are_taken_off():
    loops = ["profile", "ordo-call<7;noinline>", "sroa", "clang-O3-before-loops", "ordo-loop<3;unroll=1>", "clang-O3-from-loops", "licm"]
    assert speed_experience.plain(loops) == ("sroa", "clang-O3", "licm")
    assert speed_experience.plain(["clang-O3"]) == ("clang-O3",)


def test_what_they_gained_is_not_the_passes_gain():
    start, better = ("profile clang-O3", 0.1, 6), ("profile clang-O3 licm", 0.14, 6)
    gains = speed_experience.gains([outcome(start, better)])
    assert gains == {("clang-O3", "licm"): pytest.approx(1 - math.exp(-0.04 * 6 / 8))}


def test_more_pairs_are_believed_more_and_all_of_a_sequence_count():
    once = speed_experience.gains([outcome(("licm clang-O3", 0.1, 2))])
    often = speed_experience.gains([outcome(("licm clang-O3", 0.1, 20))])
    both = speed_experience.gains([outcome(("licm clang-O3", 0.1, 2)), outcome(("licm clang-O3", 0.0, 2))])
    assert often[("licm", "clang-O3")] > once[("licm", "clang-O3")] > both[("licm", "clang-O3")] > 0


def test_what_did_something_else_teaches_nothing():
    assert speed_experience.gains([outcome(("licm clang-O3", 0.1, 2), ("licm clang-O3", None, 1))]) == {}
