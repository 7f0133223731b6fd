"""What a dialogue was worth: for its form, its answer and its price.

::

    reward = format_weight * format + answer_weight * answer - price
    format = 0.4 * turns that call a tool as it is to be called / turns
           + 0.3 if a sequence was submitted + 0.2 if it had been measured + 0.1 if nothing was said beside
    answer = alpha * gain, clamped to [least_gain, most_gain] where these are given
    price  = compiles_price * compiles / budget + seconds_price * seconds of tools / budget

The gain is that of the sequence the model submits, as measured: it may be negative, though what Ordo writes
is then the baseline. Who submits nothing has the baseline, a gain of 0. Alpha = 30 and equal weights of form
and answer are those of Compiler-R1 (arXiv 2506.15701), whose format counts up to 1.5 and whose price is 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Outcome", "Weights", "parts", "total"]

#: Errors that say that a call was not as it is to be.
MISCALLED = ("invalid argument", "not found")


@dataclass
class Outcome:
    """What happened in a dialogue, as far as it is rewarded."""

    turns: int = 0  #: of the model
    good_turns: int = 0  #: that called tools, none of which said that the call was wrong
    loose_text: int = 0  #: turns with text that is no thought
    submitted: bool = False  #: and accepted
    measured: bool = False  #: what was submitted had been measured
    gain: float = 0.0  #: of what was submitted; 0.05: 5 % less than the baseline
    compiles: float = 0.0  #: used
    seconds: float = 0.0  #: inside of tools
    budget_compiles: float = 0.0
    budget_seconds: float = 0.0
    tools: dict[str, int] = field(default_factory=dict)  #: calls by name
    failure: str = ""  #: why it cannot be judged: the tools died


@dataclass(frozen=True)
class Weights:
    """How much each part counts."""

    format_weight: float = 0.5
    answer_weight: float = 0.5
    alpha: float = 30.0
    least_gain: float | None = -0.1  #: a worse answer counts as this one; None: as it is
    most_gain: float | None = None
    compiles_price: float = 0.1  #: of the whole budget
    seconds_price: float = 0.0  #: of the whole budget


_USUAL = Weights()


def _format(outcome: Outcome) -> float:
    if outcome.turns == 0:
        return 0.0
    good = outcome.good_turns / outcome.turns
    parts = 0.4 * good + 0.3 * outcome.submitted + 0.2 * (outcome.submitted and outcome.measured)
    return parts + 0.1 * (outcome.loose_text == 0 and good > 0)


def parts(outcome: Outcome, weights: Weights = _USUAL) -> dict[str, float]:
    """The three parts, weighted, whose sum is the reward: "format", "answer" and "price" (0 or less)."""
    gain = outcome.gain if outcome.submitted else 0.0
    if weights.least_gain is not None:
        gain = max(gain, weights.least_gain)
    if weights.most_gain is not None:
        gain = min(gain, weights.most_gain)
    price = 0.0
    if outcome.budget_compiles > 0:
        price += weights.compiles_price * outcome.compiles / outcome.budget_compiles
    if outcome.budget_seconds > 0:
        price += weights.seconds_price * outcome.seconds / outcome.budget_seconds
    return {
        "format": weights.format_weight * _format(outcome),
        "answer": weights.answer_weight * weights.alpha * gain,
        "price": -price,
    }


def total(outcome: Outcome, weights: Weights = _USUAL) -> float:
    """The reward."""
    return sum(parts(outcome, weights).values())
