"""Score a search method of your own beside Ordo's: ``ordo eval --methods python:FILE.py:FUNCTION``.

The function gets a :class:`Task` and asks it what sequences of passes are worth, until the budget is used::

    def search(task):
        while True:
            length = task.rng.randint(1, task.max_length)
            task.evaluate([[task.rng.randrange(len(task.actions)) for _ in range(length)]])

There is nothing to return: Ordo sees every answer and keeps the best. Each run of a study is a process of
its own. What it prints goes to standard error, of which Ordo shows the end if the function fails.

This module is plain Python; docs/formats/method.md says what it sends and receives.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import pathlib
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TextIO

__all__ = ["Done", "Seed", "Task", "serve"]

PROTOCOL = 1


class Done(Exception):
    """The budget is used up. :func:`serve` catches it, so that a search need not."""


@dataclass(frozen=True)
class Seed:
    """A sequence that was evaluated before the search: what clang does, or no pass at all."""

    sequence: list[int]
    value: float  #: what it is worth; ``inf`` if it failed


class _Channel:
    """Lines of JSON, to Ordo and from it."""

    def __init__(self, reader: TextIO, writer: TextIO) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    def take_over(cls) -> _Channel:
        """Speaks on what were standard input and output, which become empty and standard error."""
        reader = os.fdopen(os.dup(0), encoding="utf-8")
        writer = os.fdopen(os.dup(1), "w", encoding="utf-8")
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        return cls(reader, writer)

    def read(self) -> dict[str, Any] | None:
        line = self._reader.readline()
        return json.loads(line) if line else None

    def write(self, message: dict[str, Any]) -> None:
        self._writer.write(json.dumps(message, separators=(",", ":")) + "\n")
        self._writer.flush()


@dataclass
class Task:
    """One program to be optimised, and what may be spent on it."""

    program: str  #: its URI. Looking at it, with ``ordo.LlvmEnv``, counts as processor time only
    objective: str  #: what a value is: "ir_instructions" or "text_bytes". Less is better
    actions: list[str]  #: the names of the passes; a sequence is made of their indices
    seeds: list[Seed]  #: evaluated already, and not part of the budget
    max_length: int  #: of a sequence, in actions
    budget: int  #: how many sequences will be evaluated
    seed: int  #: of chance: the same seed should find the same
    _channel: _Channel = field(repr=False)
    rng: random.Random = field(init=False, repr=False)  #: made from :attr:`seed`
    done: bool = field(init=False, default=False)  #: the budget is used up

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)

    def evaluate(self, sequences: Iterable[Sequence[int]]) -> list[float]:
        """What each of ``sequences`` is worth, less being better, in the order given.

        A sequence that breaks the program, crashes a pass or runs out of time is worth ``inf``. One that is
        much worse than the best so far may be estimated: it is then never better than that.

        Raises:
            Done: The budget did not suffice for all of them.
            ValueError: A sequence is too long or has an action that there is not.
        """
        batch = [[int(action) for action in sequence] for sequence in sequences]
        for sequence in batch:
            if len(sequence) > self.max_length:
                raise ValueError(f"a sequence has {len(sequence)} actions, and {self.max_length} are allowed")
            for action in sequence:
                if not 0 <= action < len(self.actions):
                    last = len(self.actions) - 1
                    raise ValueError(f"there is no action {action}: they go from 0 to {last}")
        if self.done:
            raise Done
        if not batch:
            return []
        self._channel.write({"sequences": batch})
        answer = self._channel.read()
        self.done = answer is None or answer["done"]
        values = [] if answer is None else answer["values"]
        if len(values) < len(batch):
            raise Done
        return [math.inf if value is None else float(value) for value in values]


def _task(message: dict[str, Any], channel: _Channel) -> Task:
    return Task(
        program=message["program"],
        objective=message["objective"],
        actions=message["actions"],
        seeds=[
            Seed(entry["sequence"], math.inf if entry["value"] is None else float(entry["value"]))
            for entry in message["seeds"]
        ],
        max_length=message["max_length"],
        budget=message["budget"],
        seed=message["seed"],
        _channel=channel,
    )


def serve(load: Callable[[], Callable[[Task], Any]]) -> None:
    """Runs a search for the ``ordo eval`` that started this process, until its budget is used up.

    Args:
        load: Gives the search. It is called first, with standard output out of the way, so that what it
            imports and prints does no harm, and counts as the method's start.
    """
    channel = _Channel.take_over()
    search = load()
    channel.write({"ordo_method": PROTOCOL})
    message = channel.read()
    if message is None:  # Ordo only wanted to know
        return
    try:
        search(_task(message, channel))
    except Done:
        pass


def load_function(target: str) -> Callable[[Task], Any]:
    """The function that "FILE.py:FUNCTION" names. The file finds its neighbours, as a script does."""
    file, _, name = target.rpartition(":")
    path = pathlib.Path(file).resolve()
    sys.path.insert(0, str(path.parent))
    stem = path.stem if path.stem not in sys.modules else f"ordo_method_{path.stem}"
    spec = importlib.util.spec_from_file_location(stem, path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{file} is not a Python file")
    module = sys.modules[stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function = getattr(module, name, None)
    if not callable(function):
        raise SystemExit(f"{file} has no function '{name}'")
    return function


def main() -> None:
    """``python -m ordo.methods FILE.py:FUNCTION``."""
    if len(sys.argv) != 2 or ":" not in sys.argv[1]:
        raise SystemExit("usage: python -m ordo.methods FILE.py:FUNCTION (as 'ordo eval' does)")
    serve(lambda: load_function(sys.argv[1]))


if __name__ == "__main__":
    # The module by its name, which is the one that a method imports: there is one class Done.
    from ordo.methods import main as run

    run()
