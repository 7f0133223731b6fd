"""Lines of trajectories files, and the tasks that they begin with."""

from __future__ import annotations

import gzip
import json

import pytest
from agent_parts import call, example, said

from ordo.agent.tasks import read_lines, task_of

FACTS = json.dumps({"objective": "text_bytes", "left": {"compiles": 30, "seconds": 9}})


def test_the_prompt_is_what_is_before_the_models_first_turn():
    task = task_of(line := example())
    assert list(task.messages) == line["messages"][:2]
    assert (task.program, task.objective, task.compiles, task.seconds) == (
        "suite/crc32",
        "ir_instructions",
        100,
        60,
    )
    assert not task.model_opens


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"source": {"compiles": 7, "objective": "text_bytes", "file": "a.c", "flags": ["-DX"]}}, 7),
        ({"messages": [{"role": "user", "content": f"Smaller. It is open: {FACTS}"}]}, 30),
        ({"messages": [{"role": "user", "content": "text_bytes with 40 compiles"}]}, 40),
        ({"messages": [{"role": "user", "content": "smaller"}]}, 100),
    ],
)
def test_the_budget_is_what_is_said(changes, expected):
    task = task_of(example() | changes)
    assert task.compiles == expected and task.objective == "text_bytes"
    assert task.flags == tuple(changes.get("source", {}).get("flags", ()))
    assert task.program == changes.get("source", {}).get("file", "suite/crc32")


def test_a_model_that_opens_its_program_says_how():
    line = example()
    line["messages"].insert(
        2, said("", call("open_program", file="b.c", objective="text_bytes", compiles=12))
    )
    task = task_of(line)
    assert (task.model_opens, task.program, task.objective, task.compiles) == (True, "b.c", "text_bytes", 12)


def test_an_unknown_objective_is_refused():
    with pytest.raises(ValueError, match="no objective 'joy'"):
        task_of(example() | {"source": {"objective": "joy"}})


def test_lines_are_read_in_order(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).write_text(json.dumps(example() | {"program": name}) + "\n")
    (tmp_path / "c.gz").write_bytes(gzip.compress((tmp_path / "a").read_bytes()))
    files = [tmp_path / "b", tmp_path / "a", tmp_path / "c.gz"]
    assert [line["program"] for line in read_lines(files)] == ["b", "a", "a"]
