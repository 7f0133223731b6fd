"""The tables of docs/agent.md: what is paired with what, and what is not shown."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
agent_report = pytest.importorskip("agent_report", reason="numpy is not installed")


def rows(model, condition, gain, programs=60, seed=1):
    return [
        {
            "model": model,
            "condition": condition,
            "program": f"p{number}",
            "seed": seed,
            "gain": gain,
            "submitted": True,
            "measured": number % 2 == 0,
            "compiles": 10,
            "tokens": 50,
            "flops": 2e9,
            "trace": [],
        }
        for number in range(programs)
    ]


def test_a_difference_is_of_the_trainings_that_both_have():
    dialogues = agent_report.Dialogues(
        rows("both/1", "plain", 0.04) + rows("both/2", "plain", 0.02) + rows("both/1", "tree-2", 0.03)
    )
    assert dialogues.gain("both") == "3.00 % [3.00, 3.00]"
    assert dialogues.apart(("both", "tree-2"), ("both", "plain")) == "-1.00 [-1.00, -1.00]"
    tree = dialogues.table().splitlines()[-1]
    assert tree.startswith("| both stages | a tree in its place: first guess, search if it gains at most 2 % |")
    assert tree.endswith("| -1.00 [-1.00, -1.00] | 50 % | 10 | 50 | 2 |")


def test_seeds_of_one_training_weigh_no_more_than_another_training():
    three = [row for seed in (1, 2, 3) for row in rows("both/1", "plain", 0.04, seed=seed)]
    assert agent_report.Dialogues(three + rows("both/2", "plain", 0.02)).gain("both") == "3.00 % [3.00, 3.00]"


def test_what_was_not_played_to_its_end_is_not_measured():
    dialogues = agent_report.Dialogues(rows("both/1", "plain", 0.04) + rows("both/1", "tree-10", 0.5, programs=59))
    assert dialogues.gain("both", "tree-10") == "not measured"
    assert len(dialogues.table().splitlines()) == 3


def test_conditions_stand_in_the_order_of_their_numbers():
    played = [row for level in (10, 2, 5) for row in rows("both/1", f"tree-{level}", 0.01)]
    table = agent_report.Dialogues(played + rows("both/1", "plain", 0.04)).table().splitlines()[2:]
    assert [line.partition("at most ")[2].partition(" ")[0] for line in table] == ["", "2", "5", "10"]
