"""bench/runtime.py: what is reached, and what has too few measurements to say."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))

import loops
import runtime


def trials(kind, count, **about):
    return [{"kind": kind, "reversed": False} | about] * count


def only(rows):
    (row,) = rows
    return row


def test_false_claims_are_counted_whichever_way():
    equal = trials("equal", 390, verdict="no difference shown")
    wrong = trials("equal", 5, verdict="faster") + trials("equal", 5, verdict="slower")
    assert only(runtime.verdicts(equal + wrong)).endswith("| 10 of 400, 0 void | yes |")
    assert only(runtime.verdicts(equal[1:] + wrong + trials("equal", 1, verdict="faster"))).endswith("| **no** |")
    assert only(runtime.verdicts(equal)).endswith("| not enough measured |")


def test_a_gain_the_wrong_way_round_and_a_void_trial_are_not_found():
    found = trials("gain", 45, verdict="slower")
    assert only(runtime.verdicts(found + trials("gain", 5, verdict="void"))).endswith("| 45 of 50 | yes |")
    wrong = trials("gain", 1, verdict="slower", reversed=True)
    assert only(runtime.verdicts(found[1:] + wrong + trials("gain", 5, verdict="void"))).endswith("| 44 of 50 | **no** |")


def final(count, **about):
    outcome = {"verdict": "faster", "speedup": 1.06, "split": "validation"} | about
    return {"final": {str(number): outcome for number in range(count)}, "profile": {}}


def test_a_mean_wants_forty_programs_and_nothing_slower():
    assert only(runtime.gains(final(40))).endswith("1.060 [1.060, 1.060], 40 faster, 0 slower, 0 void or failed | yes |")
    assert only(runtime.gains(final(39))).endswith("| not enough measured |")
    slower = final(60)
    slower["final"]["0"] = slower["final"]["0"] | {"speedup": 0.99}
    assert "1 slower" in only(runtime.gains(slower)) and only(runtime.gains(slower)).endswith("| **no** |")
    void = final(40, verdict="void")
    assert only(runtime.gains(void)).endswith("1.000 [1.000, 1.000], 0 faster, 0 slower, 40 void or failed | **no** |")


def test_loops_are_held_to_what_trying_everything_gives():
    def rows(ordo, best, count=len(loops.kernels())):
        return [{"target": "sse2", "ordo_speedup": ordo, "best_speedup": best}] * count

    assert only(runtime.vectorization(rows(1.2, 1.22))).endswith("| yes |")
    assert only(runtime.vectorization(rows(1.2, 1.3))).endswith("below 0.95 | **no** |")
    assert only(runtime.vectorization(rows(1.1, 1.1))).endswith("| **no** |")
    assert only(runtime.vectorization(rows(1.2, 1.2, 3))).endswith("| not enough measured |")


def test_every_miscompile_is_to_be_caught():
    def said(caught, tried=20):
        return {"testsuites": [{"testsuite": [{"caught": str(caught), "tried": str(tried)}]}]}

    assert only(runtime.teeth(said(20))).endswith("| 20 of 20 | yes |")
    assert only(runtime.teeth(said(19))).endswith("| 19 of 20 | **no** |")


def test_a_line_that_nothing_was_measured_for_stays():
    old = [*runtime.HEAD, "| one | a | 1 | yes |", "| of 3 kernels, SSE2 | a | 2 | yes |"]
    new = ["| of 15 kernels, SSE2 | a | 3 | yes |", "| two | a | 4 | yes |"]
    assert list(runtime.merged(old, new)) == ["| one | a | 1 | yes |", *new]
    assert list(runtime.merged([], new)) == new
