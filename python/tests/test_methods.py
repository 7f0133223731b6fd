"""A user's search method: the protocol from its side, and a study that scores one."""

from __future__ import annotations

import json
import math
import pathlib
import subprocess
import sys
import textwrap
from collections.abc import Callable
from typing import Any

import pytest
from conversation import Conversation

import ordo
from ordo.methods import Done, Seed, Task

ORDO = pathlib.Path(ordo.__file__).parent / "_native" / "bin" / "ordo"

MESSAGE = {
    "ordo_method": 1,
    "program": "suite/wc",
    "objective": "ir_instructions",
    "actions": ["clang-Oz", "sroa", "gvn"],
    "seeds": [{"sequence": [0], "value": 43}, {"sequence": [], "value": None}],
    "max_length": 4,
    "budget": 3,
    "seed": 7,
}


class FakeChannel:
    """Answers what it was given, and remembers what it was asked."""

    def __init__(self, *answers: dict[str, Any] | None) -> None:
        self.answers = list(answers)
        self.asked: list[dict[str, Any]] = []

    def write(self, message: dict[str, Any]) -> None:
        """Remembers what was asked."""
        self.asked.append(message)

    def read(self) -> dict[str, Any] | None:
        """The next answer."""
        return self.answers.pop(0)


def task_with(*answers: dict[str, Any] | None) -> tuple[Task, FakeChannel]:
    channel = FakeChannel(*answers)
    task = Task("suite/wc", "text_bytes", ["a", "b", "c"], [Seed([0], 43.0)], 4, 3, 7, channel)
    return task, channel


def test_values_are_numbers_and_failures_infinite():
    task, channel = task_with({"values": [41, None], "done": False})
    assert task.evaluate([[0, 2], ()]) == [41.0, math.inf]
    assert channel.asked == [{"sequences": [[0, 2], []]}]
    assert not task.done


def test_the_last_answer_counts_and_then_it_is_done():
    task, channel = task_with({"values": [41], "done": True})
    assert task.evaluate([[1]]) == [41.0]
    assert task.done
    with pytest.raises(Done):
        task.evaluate([[1]])
    assert len(channel.asked) == 1


@pytest.mark.parametrize("answer", [{"values": [41], "done": True}, None])
def test_a_budget_that_does_not_suffice_is_the_end(answer):
    task, _ = task_with(answer)
    with pytest.raises(Done):
        task.evaluate([[1], [2]])


def test_nothing_to_evaluate_asks_nothing():
    task, channel = task_with()
    assert task.evaluate([]) == []
    assert channel.asked == []


@pytest.mark.parametrize(
    ("sequence", "complaint"), [([3], "no action 3"), ([-1], "no action -1"), ([0] * 5, "5 actions")]
)
def test_what_cannot_be_evaluated_is_refused_before_it_is_sent(sequence, complaint):
    task, channel = task_with()
    with pytest.raises(ValueError, match=complaint):
        task.evaluate([[0], sequence])
    assert channel.asked == []


def test_chance_comes_from_the_seed():
    one, _ = task_with()
    two, _ = task_with()
    assert one.rng.random() == two.rng.random()


@pytest.fixture
def method(tmp_path: pathlib.Path) -> Callable[[str], str]:
    def write(body: str) -> str:
        file = tmp_path / "mine.py"
        file.write_text(textwrap.dedent(body))
        return f"{file}:search"

    return write


def test_a_function_is_served_until_the_budget_ends(method):
    talk = Conversation.of_function(
        method("""
        from __future__ import annotations
        import dataclasses
        from ordo.methods import Task

        @dataclasses.dataclass
        class Step:
            action: int

        def search(task: Task):
            print("not for Ordo")
            while True:
                task.evaluate([[Step(1).action]])
        """)
    )
    assert talk.hear() == {"ordo_method": 1}
    talk.say(MESSAGE)
    for done in (False, False, True):
        assert talk.hear() == {"sequences": [[1]]}
        talk.say({"values": [40], "done": done})
    assert talk.hear() is None
    code, errors = talk.end()
    assert (code, errors) == (0, "not for Ordo\n")


def test_it_may_look_at_the_task_and_end_early(method):
    talk = Conversation.of_function(
        method("""
        def search(task):
            assert task.program == "suite/wc" and task.seeds[1].value == float("inf")
            assert task.actions[task.seeds[0].sequence[0]] == "clang-Oz"
        """)
    )
    talk.hear()
    talk.say(MESSAGE)
    assert talk.hear() is None
    assert talk.end() == (0, "")


def test_a_method_that_is_only_probed_ends_quietly(method):
    talk = Conversation.of_function(method("def search(task): raise AssertionError"))
    assert talk.hear() == {"ordo_method": 1}
    assert talk.end() == (0, "")


def test_an_exception_is_a_traceback_and_an_exit_code(method):
    talk = Conversation.of_function(method("def search(task): task.evaluate([[99]])"))
    talk.hear()
    talk.say(MESSAGE)
    assert talk.hear() is None
    code, errors = talk.end()
    assert code == 1
    assert errors.rstrip().endswith("ValueError: there is no action 99: they go from 0 to 2")


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("import no_such_package", "No module named 'no_such_package'"),
        ("def other(task): pass", "has no function 'search'"),
        ("search = 3", "has no function 'search'"),
        ("def search(:", "SyntaxError"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_before_it_is_ready(method, body, complaint):
    talk = Conversation.of_function(method(body))
    assert talk.hear() is None
    code, errors = talk.end()
    assert code == 1
    assert complaint in errors


def test_a_study_scores_a_function_beside_a_searcher(method, tmp_path):
    target = method("""
        def search(task):
            while True:
                length = task.rng.randint(1, task.max_length)
                task.evaluate([[task.rng.randrange(len(task.actions)) for _ in range(length)]])
    """)
    command = [ORDO, "eval", "suite/wc", "--methods", f"random,python:{target}", "--json", "-q"]
    command += ["--objectives", "ir_instructions", "--compiles", "50", "--seeds", "1"]
    command += ["--study", tmp_path / "s.sqlite"]
    environment = {"ORDO_PYTHON": sys.executable, "ORDO_CACHE": str(tmp_path), "PATH": "/usr/bin:/bin"}
    root = pathlib.Path(__file__).resolve().parents[2]
    result = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    runs = {run["method"].split(":")[0]: run for run in map(json.loads, result.stdout.splitlines())}
    assert set(runs) == {"random", "python"}
    assert "failure" not in runs["python"]
    assert runs["python"]["evaluations"] == runs["random"]["evaluations"] == 50
    assert runs["python"]["budgets"][-1]["ir_instructions"] < 60  # no pass at all is worse than that
