"""The ways in which a program is demonstrated.

==============  =======================================================================================
A               Compiler-R1's: a first guess is measured, is better than the baseline, and is the answer
B               Compiler-R1's: it is not; a search follows, and what it found is the answer, or the baseline
rich-policy     begins with what the small policy says, then what really helped: see :func:`rich`
rich-similar    the same, beginning with a look at the features and what helped a similar program
==============  =======================================================================================
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from ordo.agent import reasons
from ordo.agent.demonstrations import Dialogue
from ordo.agent.teacher import Guess, Teacher

__all__ = ["TEMPLATES", "demonstrate"]

BASELINE = ["clang-Oz"]

_SEARCH = 50  # compiles, at most
_LEAST_HOPE = 0.005  # what the estimate must promise beyond the gain so far for a search
_MOST_EDITS = 2
_FAILED_EDITS = 0.15  # how often an edit is shown that the policy named and that did not help
_KEPT_EXPLANATIONS = 0.2  # how often contributions are asked for where all actions are needed
_LOOKS = 0.5  # how often "rich-policy" looks at the features first


def _note_guess(talk: Dialogue, guess: Guess, teacher: Teacher) -> None:
    gain = None if guess.value is None else round((teacher.baseline - guess.value) / teacher.baseline, 6)
    talk.source["first_guess"] = {"from": guess.origin, "gain": gain}
    talk.source["estimate"] = round(teacher.similar.estimate, 6)
    talk.source["experience"] = [one.program for one in teacher.similar.known]


def _first(talk: Dialogue, guess: Guess, thought: str, may_fail: bool = False) -> dict[str, Any]:
    return talk.call(thought, "measure_sequence", may_fail, sequence=list(guess.sequence))


def _unseen(talk: Dialogue, guess: Guess, teacher: Teacher) -> str:
    """Why a guess is made before anything was looked at."""
    gained = f"; this gained {reasons.percent(guess.gained)}" if guess.gained else ""
    return f"{reasons.of_start(talk.opened)}; {reasons.of_similar(teacher.similar)}{gained}"


def _better(guess: Guess, teacher: Teacher) -> bool:
    return guess.value is not None and guess.value < teacher.baseline


def _choice(template: str, teacher: Teacher) -> Guess | None:
    """The first guess of a template: the best that there is, or for B the shortest that is no good."""
    guesses = teacher.guesses()
    if template == "B":
        bad = (guess for guess in guesses if not _better(guess, teacher))
        return min(bad, key=lambda guess: len(guess.sequence), default=None)
    if template == "A":
        fit = [guess for guess in guesses if _better(guess, teacher)]
    else:
        policy = template == "rich-policy"
        fit = [g for g in guesses if (g.origin == "policy") == policy and g.value is not None]
    return min(fit, key=lambda guess: (guess.value, len(guess.sequence)), default=None)


def _path_a(talk: Dialogue, teacher: Teacher, guess: Guess, rng: random.Random) -> None:
    answer = _first(talk, guess, _unseen(talk, guess, teacher))
    talk.submit(f"{reasons.of_measurement(answer, talk.baseline)}: submit", guess.sequence)


def _path_b(talk: Dialogue, teacher: Teacher, guess: Guess, rng: random.Random) -> None:
    answer = _first(talk, guess, _unseen(talk, guess, teacher), may_fail=True)
    thought = f"{reasons.of_measurement(answer, talk.baseline)}: search"
    found = talk.call(thought, "search_sequences", sequence=[], compiles=min(_SEARCH, talk.left))
    said = reasons.of_measurement(found, talk.baseline)
    if found["value"] < talk.baseline:
        talk.submit(f"{said}: submit", found["sequence"])
    else:
        talk.submit(f"{said}: {BASELINE[0]}", BASELINE)


class _Rich:
    """A dialogue as :func:`rich` describes it, as it goes on."""

    def __init__(self, talk: Dialogue, teacher: Teacher, guess: Guess, rng: random.Random) -> None:
        self.talk, self.teacher, self.guess, self.rng = talk, teacher, guess, rng
        self.policy = guess.origin == "policy"
        self.sequence: list[str] = []
        self.value = talk.baseline
        self.thought = reasons.of_start(talk.opened)  # what is known and not yet thought of
        self.asked: list[str] | None = None  # the sequence that the policy was last asked about
        self.choices: list[dict[str, Any]] = []  # what it said

    @property
    def gain(self) -> float:
        return (self.talk.baseline - self.value) / self.talk.baseline

    def think(self, more: str) -> str:
        """What is to be thought of next, with ``more`` behind it."""
        thought, self.thought = self.thought, ""
        return "; ".join(part for part in (thought, more) if part)

    def begin(self) -> None:
        similar, guess = self.teacher.similar, self.guess
        if not self.policy or self.rng.random() < _LOOKS:
            features = self.talk.call(self.think(""), "get_features", sequence=[])["features"]
            self.thought = reasons.of_features(features, similar)
        why = reasons.of_guess(guess.gained, similar)
        if self.policy:
            why = reasons.of_policy(self.ask_policy()[0])
        answer = _first(self.talk, guess, self.think(why))
        self.sequence, self.value = list(guess.sequence), answer["value"]
        self.thought = reasons.of_measurement(answer, self.talk.baseline)

    def ask_policy(self) -> list[dict[str, Any]]:
        """What it would do next, asked once only."""
        if self.asked != self.sequence:
            said = self.talk.call(self.think(""), "suggest_actions", sequence=self.sequence, count=3)
            self.asked, self.choices = list(self.sequence), said["choices"]
        return self.choices

    def edit(self, edits: list[dict[str, Any]], why: str) -> tuple[float, list[str]]:
        answer = self.talk.call(self.think(why), "edit_sequence", sequence=self.sequence, edits=edits)
        return answer["value"], answer["sequence"]

    def fail_once(self) -> None:
        """Does what the policy names first, where that is of no use."""
        choices = self.teacher.suggestion(self.sequence).get("choices") or [{"action": "stop"}]
        name = choices[0]["action"]
        worse = self.teacher.value([*self.sequence, name]) if name != "stop" else None
        if worse is None or worse < self.value or self.rng.random() >= _FAILED_EDITS:
            return
        choice = self.ask_policy()[0]
        edits = [{"op": "insert", "at": len(self.sequence), "action": name}]
        value, _ = self.edit(edits, reasons.of_policy(choice))
        self.thought = f"{name}: {reasons.of_change(self.value, value)}, without it"

    def improve(self) -> None:
        for _ in range(_MOST_EDITS):
            edit = self.teacher.best_edit(self.sequence, self.policy)
            if edit is None or self.talk.left < 2:
                return
            if edit.origin == "policy":
                named = {choice["action"]: choice for choice in self.ask_policy()}
                why = reasons.of_policy(named[edit.inserted[0]])
            else:
                why = reasons.of_uses(edit.inserted, self.teacher.similar)
            value, sequence = self.edit(list(edit.edits), why)
            self.thought = f"{reasons.of_change(self.value, value)}, gain {self._gain_at(value)}"
            self.value, self.sequence = value, sequence

    def _gain_at(self, value: float) -> str:
        return reasons.percent((self.talk.baseline - value) / self.talk.baseline)

    def ablate(self) -> None:
        length = len(self.sequence)
        if length < 2 or self.value > self.talk.baseline or self.talk.left < length + 2:
            return
        places = self.teacher.useless(self.sequence)
        if not places and self.rng.random() >= _KEPT_EXPLANATIONS:
            return
        why = reasons.of_explanation(length, self.talk.left)
        parts = self.talk.call(self.think(why), "explain_sequence", sequence=self.sequence)["parts"]
        if not places:
            self.thought = reasons.of_contributions(parts)
            return
        # From the end, so that the places before stay.
        edits = [{"op": "remove", "at": at} for at in reversed(places)]
        value, sequence = self.edit(edits, reasons.of_removal(parts, places))
        self.thought = f"{reasons.of_change(self.value, value)} with {len(sequence)} of {length} actions"
        self.value, self.sequence = value, sequence

    def end(self) -> None:
        similar = self.teacher.similar
        hope = similar.estimate - max(self.gain, 0.0)
        if hope < _LEAST_HOPE or self.talk.left < 8:
            stop = reasons.to_stop(similar, self.gain, "gain" in self.thought)
        else:
            start = self.sequence if self.gain > 0 else []
            why = reasons.to_search(similar, self.gain, self.talk.left)
            budget = min(_SEARCH, self.talk.left)
            found = self.talk.call(self.think(why), "search_sequences", sequence=start, compiles=budget)
            stop = reasons.after_search(found, self.value)
            if found["value"] < self.value:
                self.value, self.sequence = found["value"], found["sequence"]
        if self.value < self.talk.baseline:
            self.talk.submit(self.think(stop), self.sequence)
        else:
            self.talk.submit(self.think(f"{stop}, {BASELINE[0]}"), BASELINE)


def rich(talk: Dialogue, teacher: Teacher, guess: Guess, rng: random.Random) -> None:
    """What really helped on a program, in the order in which one can find it out.

    A first guess; edits that made it better, each with what spoke for it; what each action contributes, and
    removal of those that save nothing; a search if similar programs gained more; and the end.

    Args:
        talk: The dialogue.
        teacher: Knows what helps.
        guess: To begin with. If it is the policy's, the policy is asked for edits too.
        rng: Of chance.

    Raises:
        Dropped: A tool fails.
    """
    one = _Rich(talk, teacher, guess, rng)
    one.begin()
    one.fail_once()
    one.improve()
    one.ablate()
    one.end()


TEMPLATES: dict[str, Callable[[Dialogue, Teacher, Guess, random.Random], None]] = {
    "A": _path_a,
    "B": _path_b,
    "rich-policy": rich,
    "rich-similar": rich,
}


def demonstrate(template: str, teacher: Teacher, start: Callable[[], Dialogue], seed: str) -> Dialogue | None:
    """A dialogue of a template; None if it does not fit the program.

    Args:
        template: A key of ``TEMPLATES``.
        teacher: Knows the program.
        start: Makes a dialogue that has only its prompt.
        seed: Of chance; the same one gives the same dialogue.

    Raises:
        Dropped: A tool failed, or the checks refused the answer.
    """
    guess = _choice(template, teacher)
    if guess is None:
        return None
    talk = start()
    gain = None if guess.value is None else round((teacher.baseline - guess.value) / teacher.baseline, 6)
    talk.source["first_guess"] = {"from": guess.origin, "gain": gain}
    talk.source["estimate"] = round(teacher.similar.estimate, 6)
    talk.source["experience"] = [one.program for one in teacher.similar.known]
    TEMPLATES[template](talk, teacher, guess, random.Random(seed))
    return talk
