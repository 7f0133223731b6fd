"""Finds out what helps on a program, before it is demonstrated.

A teacher has the program open with a budget of its own, so that it can try what a dialogue then does with its
own few compiles: which first guess is good, which edit makes it better, which actions save nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

import numpy as np

from ordo.agent import vocabulary
from ordo.agent.demonstrations import Dialogue, Dropped
from ordo.agent.similar import Neighbourhood

__all__ = ["Edit", "Guess", "Teacher"]

_GUESSES = 5  # of similar programs
_LONGEST = 16  # actions of a first guess
_COMMON = 6  # actions of similar programs that are tried as edits
_MOST_EDITS = 4  # in one call
_LEAST_PROBABILITY = 0.03  # of an action that the policy names


@dataclass(frozen=True)
class Guess:
    """A sequence to begin with."""

    sequence: tuple[str, ...]
    value: float | None  #: what it is worth; None if it fails
    origin: str  #: "policy", or the similar program whose best it is
    gained: float  #: by that program; 0 for the policy


@dataclass(frozen=True)
class Edit:
    """A change that makes a sequence better, and what spoke for it before it was measured."""

    edits: tuple[dict[str, Any], ...]
    sequence: tuple[str, ...]  #: after it
    value: float
    origin: str  #: "policy" or "similar"
    inserted: tuple[str, ...] = ()


class Teacher:
    """What is tried on a program.

    Args:
        dialogue: Has the program open, with many compiles.
        instructions: Of the program, at least and at most.
        target_compiles: Of the search for what edits lead to.

    Raises:
        Dropped: The program is too small or too large.
    """

    def __init__(self, dialogue: Dialogue, instructions: tuple[int, int], target_compiles: int) -> None:
        self._asked = dialogue
        self._values: dict[tuple[str, ...], float | None] = {("clang-Oz",): dialogue.baseline}
        self._suggested: dict[tuple[str, ...], dict[str, Any]] = {}
        self._target_compiles = target_compiles
        self._target: tuple[str, ...] | None = None
        self.baseline = dialogue.baseline
        features = dialogue.ask("get_features", sequence=[]).get("features", {})
        self.counts = np.array([features.get(name, 0) for name in vocabulary.FEATURES], dtype=np.int64)
        self.instructions = int(self.counts[vocabulary.FEATURES.index("TotalInsts")])
        least, most = instructions
        if not least <= self.instructions <= most:
            raise Dropped(f"size: it has {self.instructions} instructions, and not {least} to {most}")
        if not self.baseline:
            raise Dropped("nothing is left of it by the baseline")
        self.similar = Neighbourhood((), (), {})

    def value(self, sequence: Sequence[str]) -> float | None:
        """What a sequence is worth; None if it fails."""
        key = tuple(sequence)
        if key not in self._values:
            self._values[key] = self._asked.ask("measure_sequence", sequence=list(key)).get("value")
        return self._values[key]

    def suggestion(self, sequence: Sequence[str]) -> dict[str, Any]:
        """What the small policy would do after a sequence, as ``suggest_actions`` answers."""
        key = tuple(sequence)
        if key not in self._suggested:
            self._suggested[key] = self._asked.ask("suggest_actions", sequence=list(key), count=3)
        return self._suggested[key]

    def guesses(self) -> list[Guess]:
        """The policy's answer and the best of the similar programs that gained most, each sequence once."""
        answer = self.suggestion([]).get("answer", {}).get("sequence") or []
        found = {tuple(answer): ("policy", 0.0)} if answer else {}
        best = sorted((one for one in self.similar.known if one.gain > 0), key=lambda one: -one.gain)
        for one in best:
            if len(one.sequence) <= _LONGEST and len(found) < _GUESSES + 1:
                found.setdefault(one.sequence, (one.program, one.gain))
        return [Guess(key, self.value(key), *origin) for key, origin in found.items()]

    def best_edit(self, sequence: Sequence[str], policy: bool) -> Edit | None:
        """The edit that makes a sequence best; None if none of those there is a reason for makes it better.

        Args:
            sequence: What to edit.
            policy: Whether what the policy says counts as a reason.
        """
        before = self.value(sequence)
        tried = [*(self._by_policy(sequence) if policy else ()), *self._by_similar(sequence)]
        better = [
            Edit(edits, after, value, origin, inserted)
            for edits, after, origin, inserted in tried
            if (value := self.value(after)) is not None and before is not None and value < before
        ]
        return min(better, key=lambda edit: (edit.value, len(edit.sequence)), default=None)

    def useless(self, sequence: Sequence[str]) -> list[int]:
        """Places of actions that save nothing, as ``explain_sequence`` says, and that can all go."""
        value = self.value(sequence)
        parts = self._asked.ask("explain_sequence", sequence=list(sequence)).get("parts", ())
        places = [part["at"] for part in parts if part.get("saves", 1) <= 0]
        places.sort(key=lambda at: next(part["saves"] for part in parts if part["at"] == at))
        gone: list[int] = []
        for at in places[:16]:
            rest = [name for i, name in enumerate(sequence) if i not in {*gone, at}]
            left = self.value(rest) if rest else None
            if left is not None and value is not None and left <= value:
                gone.append(at)
                value = left
        return sorted(gone)

    def _by_policy(self, sequence: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        for choice in self.suggestion(sequence).get("choices", ()):
            if choice["action"] != "stop" and choice["probability"] >= _LEAST_PROBABILITY:
                yield _insertion(sequence, len(sequence), choice["action"], "policy")

    def _by_similar(self, sequence: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        uses = self.similar.uses()
        for name, _ in uses.most_common(_COMMON):
            for at in (0, len(sequence)):
                yield _insertion(sequence, at, name, "similar")
        target = self._searched()
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, list(sequence), target, False).get_opcodes():
            inserted, old = target[j1:j2], i2 - i1
            if tag not in ("insert", "replace") or not all(name in uses for name in inserted):
                continue
            common = min(old, len(inserted))
            edits = [{"op": "replace", "at": i1 + k, "action": inserted[k]} for k in range(common)]
            edits += [{"op": "remove", "at": i1 + common}] * (old - common)
            edits += [
                {"op": "insert", "at": i1 + k, "action": inserted[k]} for k in range(common, len(inserted))
            ]
            if len(edits) <= _MOST_EDITS:
                after = (*sequence[:i1], *inserted, *sequence[i2:])
                yield tuple(edits), after, "similar", tuple(inserted)

    def _searched(self) -> list[str]:
        """What a search finds, towards which edits lead. It is no part of any dialogue."""
        if self._target is None:
            found = self._asked.ask("search_sequences", sequence=[], compiles=self._target_compiles)
            self._target = tuple(found.get("sequence", ()))
        return list(self._target)


def _insertion(sequence: Sequence[str], at: int, action: str, origin: str) -> tuple[Any, ...]:
    after = (*sequence[:at], action, *sequence[at:])
    return ({"op": "insert", "at": at, "action": action},), after, origin, (action,)
