"""What a demonstration thinks: the numbers and names of what was measured, and nothing else.

Each is of results that stand in the dialogue, of the prompt, or of the experience with similar programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ordo.agent.similar import Neighbourhood

__all__ = [
    "after_search",
    "of_change",
    "of_contributions",
    "of_explanation",
    "of_features",
    "of_guess",
    "of_measurement",
    "of_policy",
    "of_removal",
    "of_similar",
    "of_start",
    "of_uses",
    "percent",
    "to_search",
    "to_stop",
]

_MOST_CLUE = 70  # letters of a reason of the policy's


def percent(fraction: float) -> str:
    """0.013793 is ``1.4 %``: two digits."""
    return f"{fraction * 100:.2g} %" if abs(fraction) < 1 else f"{fraction * 100:.0f} %"


def _plain(value: float) -> str:
    return f"{value:g}" if abs(value) < 1e6 else f"{value:.0f}"


def of_start(opened: Mapping[str, Any]) -> str:
    """The prompt's values."""
    baseline = opened["baseline"]
    return f"{_plain(opened['unoptimised'])}, {baseline['name']} {_plain(baseline['value'])}"


def of_similar(similar: Neighbourhood) -> str:
    """What similar programs gained."""
    known = len(similar.known)
    return f"similar: {similar.gained} of {known} gained, median {percent(similar.estimate)}"


def of_features(features: Mapping[str, Any], similar: Neighbourhood) -> str:
    """The counts that are most unlike what is usual."""
    shown = [f"{name} {features[name]} (usual {similar.usual[name]})" for name in similar.unusual[:2]]
    return ", ".join([f"TotalInsts {features['TotalInsts']}", *shown])


def _clue(clues: Iterable[str]) -> str:
    """The first short one that speaks for it: its factor is above 1."""
    for clue in clues:
        factor = clue.rpartition("(x")[2].rstrip(")")
        if len(clue) <= _MOST_CLUE and not factor.startswith("0") and factor not in ("1", "1.0"):
            return f": {clue}"
    return ""


def of_policy(choice: Mapping[str, Any]) -> str:
    """What spoke for an action, as ``suggest_actions`` says it."""
    return f"policy {choice['action']} {choice['probability']:.2f}{_clue(choice.get('why') or ())}"


def of_guess(gained: float, similar: Neighbourhood) -> str:
    """Why a similar program's best is the first guess."""
    return f"{of_similar(similar)}; this gained {percent(gained)}"


def of_measurement(answer: Mapping[str, Any], baseline: float) -> str:
    """What was measured, beside the baseline."""
    if "error" in answer:
        return str(answer["error"].get("code", "error"))
    value, gain = answer["value"], answer["gain"]
    sign = "<" if value < baseline else "=" if value == baseline else ">"
    return f"{_plain(value)} {sign} {_plain(baseline)}, gain {percent(gain)}"


def of_change(before: float, after: float) -> str:
    """From one value to the next."""
    return f"{_plain(before)} -> {_plain(after)}" if before != after else f"still {_plain(after)}"


def of_uses(inserted: Sequence[str], similar: Neighbourhood) -> str:
    """In how many of the similar programs' best each action stands."""
    uses = similar.uses()
    counted = ", ".join(f"{name} in {uses[name]}" for name in dict.fromkeys(inserted))
    return f"{counted} of {len(similar.known)} similar"


def of_explanation(length: int, left: int) -> str:
    """Why to ask what each action contributes."""
    return f"{length} actions, {left} compiles left"


def of_removal(parts: Iterable[Mapping[str, Any]], places: Sequence[int]) -> str:
    """What those save that are removed; all of them or the three that save least."""
    saves = {part["at"]: (part["action"], part.get("saves", 0)) for part in parts}
    worst = sorted((saves[at] for at in places), key=lambda pair: pair[1])
    shown = ", ".join(f"{name} saves {_plain(value)}" for name, value in worst[:3])
    return shown if len(worst) <= 3 else f"{shown}, {len(worst)} save nothing"


def of_contributions(parts: Iterable[Mapping[str, Any]]) -> str:
    """What saves most, and that nothing saves less than something."""
    known = [part for part in parts if "saves" in part]
    if not known:
        return "all needed"
    most, least = (pick(known, key=lambda part: part["saves"]) for pick in (max, min))
    return f"most: {most['action']} {_plain(most['saves'])}, least: {_plain(least['saves'])}"


def to_search(similar: Neighbourhood, gain: float, left: int) -> str:
    """Why more is to be had."""
    return f"similar median {percent(similar.estimate)}, here {percent(gain)}, {left} compiles left: search"


def after_search(found: Mapping[str, Any], before: float) -> str:
    """What a search brought."""
    return f"search: {of_change(before, found['value'])}, gain {percent(found['gain'])}"


def to_stop(similar: Neighbourhood, gain: float, told: bool) -> str:
    """Why no more is to be had; the gain need not be ``told`` twice."""
    here = "" if told else f"gain {percent(gain)}, "
    return f"{here}similar median {percent(similar.estimate)}: stop"
