"""What a model may say next, and what it has said: the grammar of a turn in compact tokens.

::

    turn    = [ think text unthink ] text call* end
    call    = "call" tool field*
    field   = ( key | "key" text "close" ) value
    value   = integer | "number" text "close" | word | action | that | "text" text "close"
            | "list" value* "unlist" | "object" field* "unobject" | "true" | "false" | "null"

One walk through the grammar reads a turn and says, token by token, what may follow. A strict one allows only
what the tools take: their names and arguments, each once and none that is needed left out, actions of the
space, one call a turn and no other text than a thought. What it says can still be refused by a tool.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Generator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordo.agent.tokens import TokenTable
from ordo.agent.vocabulary import MAX_LENGTH

__all__ = ["Grammar", "Illegal", "Turn", "write_turn", "write_value"]

Mask = NDArray[np.bool_]
_Walk = Generator[Mask, int, Any]

_THOUGHT = re.compile(r"<think>(.*?)</think>(.*)", re.DOTALL)
_NUMBER_LETTERS = "0123456789-+.eE"
_NO_SCHEMA: dict[str, Any] = {}


class Illegal(ValueError):
    """The tokens are no turn: what stands where, and what it is part of."""


class Grammar:
    """The grammar over a table.

    Args:
        table: The tokens.
        definitions: OpenAI function definitions of the tools that may be called. None: it is not strict.
        objective: Whose actions there are; None: all.
        names: What the pointers mean, the first for ``that:0``.
        most_text: Of a thought or a text, in tokens, where it is strict.
    """

    def __init__(
        self,
        table: TokenTable,
        definitions: Sequence[Mapping[str, Any]] | None = None,
        objective: str | None = None,
        names: Sequence[str] = (),
        most_text: int = 96,
    ) -> None:
        self.table = table
        self.names = list(names)
        self.strict = definitions is not None
        self._most_text = most_text
        functions = [definition["function"] for definition in definitions or ()]
        self._tools = {
            function["name"]: function.get("parameters", _NO_SCHEMA)
            for function in functions
            if table.find("tool", function["name"]) is not None
        }
        self._masks: dict[Any, Mask] = {}
        space = table.spaces.get(objective or "")
        ids = [table.ids[f"action:{a}"] for a in space] if space is not None else table.of_kind("action")
        self._actions = self._of(ids)

    def turn(self) -> Turn:
        """The walk through one turn of the model."""
        return Turn(self)

    def _of(self, ids: Sequence[int]) -> Mask:
        mask = np.zeros(len(self.table), dtype=bool)
        mask[list(ids)] = True
        return mask

    def _kind(self, *kinds: str) -> Mask:
        if kinds not in self._masks:
            self._masks[kinds] = self._of(self.table.of_kind(*kinds))
        return self._masks[kinds]

    def _frames(self, *frames: str) -> Mask:
        key = ("frame", *frames)
        if key not in self._masks:
            self._masks[key] = self._of([self.table.frame(frame) for frame in frames])
        return self._masks[key]

    def _letters(self) -> Mask:
        key = "letters"
        if key not in self._masks:
            ids = (self.table.find("piece", letter) for letter in _NUMBER_LETTERS)
            self._masks[key] = self._of([token for token in ids if token is not None])
        return self._masks[key]

    def walk(self) -> _Walk:
        """Yields what may follow, is sent what does, and returns the message."""
        table = self.table
        think, call, end = table.frame("think"), table.frame("call"), table.frame("end")
        content, calls = "", []
        ends = self._frames("call") if self._tools else self._frames("call", "end")
        if self.strict and not self._tools:
            ends = self._frames("end")
        token = yield ends | self._frames("think") | self._plain()
        if token == think:
            text, _ = yield from self._text(None, self._frames("unthink"))
            content = f"<think>{text}</think>"
            token = yield ends | self._plain()
        if token not in (call, end):
            text, token = yield from self._text(token, ends)
            content += text
        while token == call:
            tool = table.value((yield self._callable()))
            schema = self._tools.get(tool, _NO_SCHEMA)
            after = self._frames("end") if self.strict else self._frames("call", "end")
            arguments, token = yield from self._fields(schema, after)
            calls.append({"type": "function", "function": {"name": tool, "arguments": arguments}})
        message: dict[str, Any] = {"role": "assistant", "content": content}
        return message | {"tool_calls": calls} if calls else message

    def _plain(self) -> Mask:
        """Text that is no thought: where there are tools, a strict model is to call one."""
        text = self._kind("piece", "action", "tool") | self._frames("glue")
        return text & False if self.strict and self._tools else text

    def _callable(self) -> Mask:
        if not self.strict:
            return self._kind("tool")
        return self._of([self.table.ids[f"tool:{name}"] for name in self._tools])

    def _text(self, first: int | None, ends: Mask) -> Generator[Mask, int, tuple[str, int]]:
        """A text up to one of ``ends``, and that token."""
        tokens = [] if first is None else [first]
        within = self._kind("piece", "action", "tool") | self._frames("glue")
        while True:
            full = self.strict and len(tokens) >= self._most_text
            token = yield ends if full else ends | within
            if ends[token]:
                return self.table.unspell(tokens), token
            tokens.append(token)

    def _fields(self, schema: Mapping[str, Any], ends: Mask) -> Generator[Mask, int, tuple[dict, int]]:
        """Fields up to one of ``ends``, and that token."""
        fields: dict[str, Any] = {}
        known: Mapping[str, Any] = schema.get("properties", _NO_SCHEMA)
        while True:
            if self.strict:
                # A dialogue has one program, so that a handle need not be said.
                ids = [self.table.find("key", key) for key in known if key not in (*fields, "program")]
                lacking = any(key not in fields for key in schema.get("required", ()))
                keys = self._of([token for token in ids if token is not None])
                allowed = keys if lacking and keys.any() else keys | ends
            else:
                allowed = self._kind("key") | self._frames("key") | ends
            token = yield allowed
            if ends[token]:
                return fields, token
            key = self.table.value(token)
            if self.table.kind(token) == "frame":
                key, _ = yield from self._text(None, self._frames("close"))
            if key in fields:
                raise Illegal(f"the argument '{key}' stands twice")
            fields[key] = yield from self._value(known.get(key, _NO_SCHEMA), key)

    def _value(self, schema: Mapping[str, Any], key: str) -> _Walk:
        token = yield self._starts(schema, key)
        return (yield from self._rest(token, schema, key))

    def _starts(self, schema: Mapping[str, Any], key: str) -> Mask:
        numbers = self._frames("number") | self._kind("integer")
        pointers = self._of([self.table.ids[f"that:{k}"] for k in range(len(self.names))])
        strings = self._frames("text") | self._kind("word", "action") | pointers
        kind = schema.get("type") if self.strict else None
        if kind == "string" and key in ("action", "sequence"):
            return self._actions
        if kind == "string" and "enum" in schema:
            ids = [self.table.find("word", word) for word in schema["enum"]]
            words = self._of([token for token in ids if token is not None])
            return words if words.any() else self._frames("text")
        if kind == "string" and key not in ("pass", "filter"):  # which are about actions
            return strings & ~self._kind("action")
        if kind == "string":
            return strings
        if kind in ("integer", "number"):
            least, most = schema.get("minimum", -np.inf), schema.get("maximum", np.inf)
            ids = [i for i in self.table.of_kind("integer") if least <= int(self.table.value(i)) <= most]
            return self._of(ids) if ids else numbers
        if kind == "array":
            return self._frames("list")
        if kind == "object":
            return self._frames("object")
        if kind == "boolean":
            return self._frames("true", "false")
        return numbers | strings | self._frames("list", "object", "true", "false", "null")

    def _rest(self, token: int, schema: Mapping[str, Any], key: str) -> _Walk:
        """The value that begins with ``token``."""
        kind, value = self.table.kind(token), self.table.value(token)
        if kind == "integer":
            return int(value)
        if kind == "that":
            return self.names[int(value)]
        if kind != "frame":
            return value
        if value == "number":
            return (yield from self._number())
        if value == "text":
            return (yield from self._text(None, self._frames("close")))[0]
        if value == "object":
            return (yield from self._fields(schema, self._frames("unobject")))[0]
        if value == "list":
            return (yield from self._list(schema, key))
        return {"true": True, "false": False, "null": None}[value]

    def _list(self, schema: Mapping[str, Any], key: str) -> _Walk:
        items: list[Any] = []
        inner, most = schema.get("items", _NO_SCHEMA), schema.get("maxItems", 100)
        most = min(most, MAX_LENGTH) if key == "sequence" else most
        end = self._frames("unlist")
        while True:
            full = self.strict and len(items) >= most
            token = yield end if full else end | self._starts(inner, key)
            if end[token]:
                return items
            items.append((yield from self._rest(token, inner, key)))

    def _number(self) -> _Walk:
        close, text = self.table.frame("close"), ""
        while True:
            token = yield self._frames("close") | self._letters()
            if token == close:
                break
            text += self.table.value(token)
        try:
            number = json.loads(text)
        except ValueError as error:
            raise Illegal(f"'{text}' is no number") from error
        if not math.isfinite(number):
            raise Illegal(f"{text} is too large")
        return number


class Turn:
    """One walk: what may follow, and what it was."""

    def __init__(self, grammar: Grammar) -> None:
        self._table = grammar.table
        self._walk = grammar.walk()
        self._legal = next(self._walk)
        self._count = 0
        self.message: dict[str, Any] | None = None  #: what was said, once it is done

    @property
    def done(self) -> bool:
        """Whether the turn has ended."""
        return self.message is not None

    def legal(self) -> Mask:
        """Which tokens may follow: a bool for each of the table. Not to be written to."""
        return self._legal

    def push(self, token: int) -> None:
        """Goes on with ``token``.

        Raises:
            Illegal: It may not follow; the walk is over then.
        """
        if self.done or not 0 <= token < len(self._table) or not self._legal[token]:
            name = self._table.names[token] if 0 <= token < len(self._table) else token
            raise Illegal(f"token {self._count}, {name}, may not stand there")
        self._count += 1
        try:
            self._legal = self._walk.send(int(token))
        except StopIteration as end:
            self.message = end.value
        except RecursionError as error:  # of lists in lists, which only nonsense has so many of
            raise Illegal("it is nested too deeply") from error


def write_value(table: TokenTable, value: Any, names: Sequence[str] = ()) -> list[int]:
    """Any JSON value as tokens; see the grammar. ``names``: what may be pointed at."""
    if isinstance(value, bool) or value is None:
        return [table.frame({True: "true", False: "false", None: "null"}[value])]
    if isinstance(value, str):
        if value in names:
            return [table.ids[f"that:{list(names).index(value)}"]]
        for kind in ("word", "action"):
            token = table.find(kind, value)
            if token is not None:
                return [token]
        return [table.frame("text"), *table.spell(value), table.frame("close")]
    if isinstance(value, (int, float)):
        token = table.find("integer", str(value)) if isinstance(value, int) else None
        text = json.dumps(value, allow_nan=False) if token is None else ""
        return [token] if token is not None else _number(table, text)
    if isinstance(value, Mapping):
        return [table.frame("object"), *_write_fields(table, value, names), table.frame("unobject")]
    inner = [token for item in value for token in write_value(table, item, names)]
    return [table.frame("list"), *inner, table.frame("unlist")]


def _number(table: TokenTable, text: str) -> list[int]:
    letters = [table.ids[f"piece:{letter}"] for letter in text]
    return [table.frame("number"), *letters, table.frame("close")]


def _write_fields(table: TokenTable, fields: Mapping[str, Any], names: Sequence[str]) -> list[int]:
    tokens: list[int] = []
    for key, value in fields.items():
        token = table.find("key", key)
        tokens += [table.frame("key"), *table.spell(key), table.frame("close")] if token is None else [token]
        tokens += write_value(table, value, names)
    return tokens


def write_turn(table: TokenTable, message: Mapping[str, Any], names: Sequence[str] = ()) -> list[int]:
    """An assistant's message as tokens, ``end`` included.

    Args:
        table: The tokens.
        message: ``content`` and ``tool_calls``, whose arguments are an object or JSON of one.
        names: What may be pointed at.

    Raises:
        ValueError: It calls a tool that the table does not have, or its arguments are no object.
    """
    content = message.get("content") or ""
    tokens: list[int] = []
    thought = _THOUGHT.fullmatch(content)
    if thought:
        tokens = [table.frame("think"), *table.spell(thought[1]), table.frame("unthink")]
        content = thought[2]
    tokens += table.spell(content)
    for call in message.get("tool_calls") or ():
        function = call["function"]
        tool = table.find("tool", function["name"])
        if tool is None:
            raise ValueError(f"the table of tokens has no tool '{function['name']}'")
        arguments = function.get("arguments") or {}
        if isinstance(arguments, str):
            arguments = json.loads(arguments)
        if not isinstance(arguments, Mapping):
            raise ValueError(f"the arguments of {function['name']} are no object")
        tokens += [table.frame("call"), tool, *_write_fields(table, arguments, names)]
    return [*tokens, table.frame("end")]
