"""How a sequence of passes is put to tuners that know parameters: slots.

There is a fixed number of slots, each a parameter, and each holds an action or nothing. What is in them, in
order, is the sequence. The alternative, a parameter for the length and one for each position, was tried on
four programs of the suite (300 compiles, 2 seeds): slots were better or equal with each of the peers, because
a change of one parameter is a small change.
"""

from __future__ import annotations

from collections.abc import Sequence

from ordo.methods import Task


class Slots:
    """Sequences of a task as lists of a fixed length: ``choices - 1`` is nothing, less is an action."""

    def __init__(self, task: Task, count: int | None = None) -> None:
        """With ``count`` slots, or as many as a sequence may have actions."""
        self._task = task
        self.count = min(count or task.max_length, task.max_length)
        self.choices = len(task.actions) + 1
        self.nothing = len(task.actions)
        #: The seeds and what they are worth.
        self.seeds = [(self.fill(seed.sequence), seed.value) for seed in task.seeds]

    def fill(self, sequence: Sequence[int]) -> list[int]:
        """The slots that hold a sequence, those behind its end empty."""
        return [*sequence, *[self.nothing] * (self.count - len(sequence))]

    def cost(self, slots: Sequence[int]) -> float:
        """What the sequence in the slots is worth; for a seed, without asking."""
        for known, value in self.seeds:
            if known == list(slots):
                return value
        return self._task.evaluate([[action for action in slots if action != self.nothing]])[0]
