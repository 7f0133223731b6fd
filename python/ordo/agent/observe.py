"""What the user and the tools say, as compact tokens: what matters of it, with numbers in bins.

This way is one only. Of a result the fields that a model can use are kept, in one order whatever the order
there; of what a user says, the names and the numbers. A text form (:mod:`ordo.agent.chat`) keeps everything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from ordo.agent.tokens import POINTERS, TokenTable

__all__ = ["facts_in", "parse_result", "shown_names", "write_prompt", "write_result"]

_PATH = re.compile(r"(?<![\w./:-])(?:[\w.:-]*/[\w./:+-]*\w|[\w-]+\.(?:c|cc|cpp|cxx|bc|ll|o|toml)\b)")
_WORD = re.compile(r"[\w.<>;=+/:-]*[\w>]")
_MOST_ITEMS = 8  # of a list of choices, parts or remarks
_MOST_NAMED = 24  # of a list of actions
_MOST_NAMES = 40  # tokens of a prompt


def shown_names(names: list[str], text: str) -> None:
    """Adds the paths and program names in ``text``, which the model can point at, to ``names``."""
    for match in _PATH.finditer(text):
        if len(names) < POINTERS and match.group() not in names:
            names.append(match.group())


def parse_result(content: Any) -> Mapping[str, Any] | None:
    """The object that a tool answered with, of its text or as it is; None if it is none."""
    if isinstance(content, str):
        try:
            content = json.loads(content)
        except ValueError:
            return None
    return content if isinstance(content, Mapping) else None


def facts_in(text: str) -> tuple[str, Mapping[str, Any]]:
    """A user's ``text`` without the first object of JSON in it, and that object; empty if there is none."""
    start = text.find("{")
    while start >= 0:
        try:
            facts, end = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)
            continue
        return text[:start] + text[end:], facts
    return text, {}


def write_prompt(table: TokenTable, text: str, names: list[str]) -> list[int]:
    """What a user's ``text`` says: the facts in it as of a result, else its names and numbers.

    Paths are pointers, and a number is its bin.
    """
    text, facts = facts_in(text)
    if facts:
        return _fields(table, facts)
    tokens: list[int] = []
    for match in _WORD.finditer(text):
        if len(tokens) >= _MOST_NAMES:
            break
        word = match.group().strip(".:,;")
        if word in names:
            tokens.append(table.ids[f"that:{names.index(word)}"])
        elif word.isascii() and word.isdigit() and len(word) < 10:
            tokens.append(table.binned("size", int(word)))
        else:
            # An English word such as "inline" or "random" is the name too: nothing here can tell them apart.
            kinds = (table.find(kind, word) for kind in ("word", "action", "tool"))
            tokens += [token for token in kinds if token is not None][:1]
    return tokens


def _number(value: Any) -> float | None:
    usable = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e15
    return float(value) if usable else None


def _binned(kind: str) -> Callable[[TokenTable, Any], list[int]]:
    def write(table: TokenTable, value: Any) -> list[int]:
        number = _number(value)
        return [] if number is None else [table.binned(kind, number)]

    return write


def _when(frame: str, otherwise: str | None = None) -> Callable[[TokenTable, Any], list[int]]:
    def write(table: TokenTable, value: Any) -> list[int]:
        name = frame if value is True else otherwise if value is False else None
        return [] if name is None else [table.frame(name)]

    return write


def _word(table: TokenTable, value: Any) -> list[int]:
    token = table.find("word", value) if isinstance(value, str) and value else None
    return [] if token is None else [token]


def _action(table: TokenTable, value: Any) -> list[int]:
    token = table.find("action", value) if isinstance(value, str) else None
    return [] if token is None else [token]


def _sequence(table: TokenTable, value: Any) -> list[int]:
    if isinstance(value, Mapping):  # an answer or the best, with its sequence in it
        value = value.get("sequence")
    if not isinstance(value, list):
        return []
    actions = [token for name in value for token in _action(table, name)]
    return [table.frame("list"), *actions, table.frame("unlist")]


def _features(table: TokenTable, value: Any) -> list[int]:
    if not isinstance(value, Mapping):
        return []
    numbers = ((name, _number(count)) for name, count in value.items())
    tokens = (table.feature(name, count) for name, count in numbers if count is not None)
    return sorted(token for token in tokens if token is not None)  # in the table's order


def _items(table: TokenTable, value: Any) -> list[int]:
    """Actions with what each saves, or with a probability; remarks; the names of a list."""
    if not isinstance(value, list):
        return []
    tokens: list[int] = []
    named = 0
    for item in value:
        if not isinstance(item, Mapping):
            continue
        action = _action(table, item.get("action", item.get("name", item.get("pass"))))
        saves, chance = _number(item.get("saves")), _number(item.get("probability"))
        kind = _word(table, item.get("kind"))
        numbers = [] if saves is None else [table.binned("saves", saves)]
        numbers += [] if chance is None else [table.binned("chance", chance)]
        named += 1
        if not action and not kind or named > (_MOST_ITEMS if kind else _MOST_NAMED):
            continue
        tokens += kind + action + numbers
    return tokens


def _verdict(table: TokenTable, value: Any) -> list[int]:
    token = table.find("verdict", str(value).replace(" ", "-"))
    return [] if token is None else [token]


def _verified(table: TokenTable, value: Any) -> list[int]:
    """True, or in words what was verified."""
    return [table.frame("verified")] if value is True or (isinstance(value, str) and value) else []


def _speedup(table: TokenTable, value: Any) -> list[int]:
    number = _number(value)
    return [] if number is None else [table.binned("gain", number - 1)]


def _baseline(table: TokenTable, value: Any) -> list[int]:
    return _binned("size")(table, value.get("value") if isinstance(value, Mapping) else value)


#: What is kept of a result, in this order. ``value``, ``length``, ``seconds`` and texts for people are not.
_FIELDS: dict[str, Callable[[TokenTable, Any], list[int]]] = {
    "objective": _word,
    "unoptimised": _binned("size"),
    "baseline": _baseline,
    "features": _features,
    "gain": _binned("gain"),
    "best": lambda table, value: _when("best")(table, value) or _sequence(table, value),
    "sequence": _sequence,
    "parts": _items,
    "choices": _items,
    "answer": _sequence,
    "remarks": _items,
    "verdict": _verdict,
    "speedup": _speedup,
    "ok": _when("passed", "refused"),
    "accepted": _when("accepted", "refused"),
    "verified": _verified,
    "more": _binned("count"),
}


def write_result(table: TokenTable, content: Any, names: list[str]) -> list[int]:
    """A tool's answer: "result", then what is kept of it, then the compiles that are left.

    Args:
        table: The tokens.
        content: An object, or JSON of one. Of what is neither only that it was an answer is kept.
        names: Gets the handle of a program that was opened.
    """
    tokens = [table.frame("result")]
    result = parse_result(content)
    if result is None:
        return tokens
    error = result.get("error")
    if error is not None:
        code = str(error.get("code", "other") if isinstance(error, Mapping) else "other").replace(" ", "-")
        token = table.find("error", code)
        tokens.append(table.ids["error:other"] if token is None else token)
    handle = result.get("program")
    if isinstance(handle, str) and handle and handle not in names and len(names) < POINTERS:
        names.append(handle)
    return tokens + _fields(table, result)


def _fields(table: TokenTable, result: Mapping[str, Any]) -> list[int]:
    """What is kept of a result or of the facts in a prompt, the compiles that are left last."""
    actions = result.get("actions")
    tokens = _items(table, actions) if isinstance(actions, list) else []
    for key, write in _FIELDS.items():
        if key in result:
            tokens += write(table, result[key])
    left = result.get("left")
    compiles = _number(left.get("compiles")) if isinstance(left, Mapping) else None
    return tokens if compiles is None else [*tokens, table.binned("left", max(0.0, compiles))]
