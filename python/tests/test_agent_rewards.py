"""What a dialogue is worth."""

from __future__ import annotations

import dataclasses

import pytest

from ordo.agent.rewards import Outcome, Weights, parts, total

GOOD = Outcome(
    turns=3,
    good_turns=3,
    submitted=True,
    measured=True,
    gain=0.05,
    compiles=10,
    seconds=6,
    budget_compiles=100,
    budget_seconds=60,
)


@pytest.mark.parametrize(
    ("changes", "weights", "expected"),
    [
        ({}, Weights(), (0.5, 0.75, -0.01)),
        ({"gain": -0.5}, Weights(), (0.5, -1.5, -0.01)),
        ({"gain": -0.5}, Weights(least_gain=None), (0.5, -7.5, -0.01)),
        ({"gain": 0.4}, Weights(most_gain=0.2), (0.5, 3.0, -0.01)),
        ({"gain": 0.4}, Weights(), (0.5, 6.0, -0.01)),
        ({"submitted": False}, Weights(), (0.25, 0.0, -0.01)),
        ({"measured": False}, Weights(), (0.4, 0.75, -0.01)),
        ({"loose_text": 1}, Weights(), (0.45, 0.75, -0.01)),
        ({"good_turns": 0, "submitted": False}, Weights(), (0.0, 0.0, -0.01)),
        ({"turns": 0, "good_turns": 0, "submitted": False}, Weights(), (0.0, 0.0, -0.01)),
        ({}, Weights(format_weight=0, answer_weight=1, alpha=1), (0, 0.05, -0.01)),
        ({}, Weights(compiles_price=0, seconds_price=1), (0.5, 0.75, -0.1)),
        ({"budget_compiles": 0, "budget_seconds": 0}, Weights(), (0.5, 0.75, 0)),
    ],
)
def test_the_parts_are_as_documented(changes, weights, expected):
    outcome = dataclasses.replace(GOOD, **changes)
    found = parts(outcome, weights)
    assert tuple(found.values()) == pytest.approx(expected)
    assert list(found) == ["format", "answer", "price"]
    assert total(outcome, weights) == pytest.approx(sum(expected))
