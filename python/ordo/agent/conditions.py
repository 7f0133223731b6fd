"""The conditions that a trained model is judged under: as it is, and with one thing changed.

==================  ===================================================================================
plain               as it was taught, sampled at temperature 1
greedy              the likeliest token each time
shuffled            gains in what tools answer are those of other dialogues: does it look at them?
without-TOOL        that tool is not there
penalty-X           a repetition penalty of X (Keskar et al. 2019) in place of 1.0
tree-P              Compiler-R1's decision tree in place of the model, after its first measurement: a gain
                    of at most P % is searched from, any other is submitted
search-always       the tree with no threshold: always searched
search-given        what a search found stands in the dialogue before the model says its first word
search-only         no model: the same search, then its result
==================  ===================================================================================
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ordo.agent.generate import Said
from ordo.agent.model import Agent
from ordo.agent.play import Dialogue, Limits, tool_message
from ordo.agent.tasks import Task
from ordo.agent.tools import Server

__all__ = ["Condition", "condition"]

SEARCH = 50  # compiles of a search, as in the demonstrations
_BASELINE = ["clang-Oz"]


class _Shuffled(Dialogue):
    """Tells gains that are other dialogues'."""

    def __init__(self, gains: Sequence[float], *arguments: Any) -> None:
        super().__init__(*arguments)
        self._gains = gains
        self._chance = random.Random(f"{self.episode.task.program}/{self.episode.task.seed}")

    def answer(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        answer = super().answer(name, arguments)
        if name == "submit_sequence" or not isinstance(answer.get("gain"), (int, float)):
            return answer
        gain = self._chance.choice(self._gains)
        baseline = self.tools.opened.get("baseline", {}).get("value", 0)
        told = {"gain": gain, "value": round(baseline * (1 - gain)), "best": self._chance.random() < 0.5}
        return answer | {key: value for key, value in told.items() if key in answer}


class _Given(Dialogue):
    """Is told what a search found before its first word."""

    def begin(self) -> None:
        opens = self.tools.open

        def open_and_search() -> dict[str, Any]:
            answer = opens()
            if "error" not in answer:
                asked = {"sequence": [], "compiles": min(SEARCH, self.episode.task.compiles)}
                found = self.tools.call("search_sequences", asked)
                call = {
                    "id": "given",
                    "type": "function",
                    "function": {"name": "search_sequences", "arguments": asked},
                }
                self.episode.messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
                self.episode.messages.append(tool_message("given", "search_sequences", found))
            return answer

        self.tools.open = open_and_search  # type: ignore[method-assign]
        super().begin()


class _Tree(Dialogue):
    """Is taken over when the model has measured something."""

    def __init__(self, threshold: float, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._threshold = threshold

    def hear(self, said: Said) -> None:
        super().hear(said)
        measured = [gain for _, gain in self.tools.trace if gain is not None]
        if measured and not self.episode.end:
            self.finish(measured[0])

    def finish(self, gain: float) -> None:
        """Does what the tree says, to the end."""
        if gain <= self._threshold:
            left = self.episode.task.compiles - self.episode.outcome.compiles
            compiles = int(min(SEARCH, left))
            self.tools.call("search_sequences", {"sequence": [], "compiles": compiles})
        best = self.tools.best if self.tools.best_gain > 0 else _BASELINE
        self.tools.call("submit_sequence", {"sequence": best})
        self.episode.end = "submitted" if self.episode.outcome.submitted else "tree"


class _Searched(_Tree):
    """Is taken over before the model says a word."""

    def begin(self) -> None:
        super().begin()
        if not self.episode.end:
            self.finish(-math.inf)


@dataclass(frozen=True)
class Condition:
    """What is changed."""

    name: str
    make: Callable[[Agent, Task, Server, Limits], Dialogue] = Dialogue
    without: str = ""  #: a tool
    penalty: float = 1.0
    temperature: float = 1.0

    def task(self, task: Task) -> Task:
        """A task under this condition."""
        kept = tuple(tool for tool in task.tools if tool != self.without)
        return dataclasses.replace(task, tools=kept)


def condition(name: str, gains: Sequence[float] = ()) -> Condition:
    """The condition of a name; see the module.

    Args:
        name: See the module.
        gains: That shuffled ones are taken from.

    Raises:
        ValueError: There is none of that name, or nothing to shuffle.
    """
    kind, _, value = name.partition("-")
    if name == "plain":
        return Condition(name)
    if name == "greedy":
        return Condition(name, temperature=0.0)
    if name == "shuffled":
        if not gains:
            raise ValueError("there are no gains to shuffle: the demonstrations' are taken")
        return Condition(name, make=lambda *arguments: _Shuffled(gains, *arguments))
    if name == "search-given":
        return Condition(name, make=_Given)
    if name in ("search-always", "search-only"):
        made = _Tree if name == "search-always" else _Searched
        return Condition(name, make=lambda *arguments: made(math.inf, *arguments))
    if kind == "without" and value:
        return Condition(name, without=value)
    if kind in ("penalty", "tree") and value.replace(".", "", 1).isdigit():
        if kind == "penalty":
            return Condition(name, penalty=float(value))
        threshold = float(value) / 100
        return Condition(name, make=lambda *arguments: _Tree(threshold, *arguments))
    raise ValueError(f"there is no condition '{name}'")
