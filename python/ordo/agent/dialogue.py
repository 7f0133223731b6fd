"""Dialogues of messages, as OpenAI and Hugging Face have them, as compact tokens, and turns back.

A form of a dialogue says how messages become the ids of a model, which of them the model itself said, and
what new ids of it say. There are two: this one, for models with a table of tokens, and
:class:`ordo.agent.chat.ChatForm`, for any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ordo.agent import observe
from ordo.agent.grammar import Grammar, Illegal, Turn, write_turn
from ordo.agent.tokens import TokenTable

__all__ = ["CompactForm", "Encoded", "Message", "with_call_ids"]

Message = Mapping[str, Any]


@dataclass
class Encoded:
    """A dialogue as ids of a model."""

    ids: list[int] = field(default_factory=list)
    said: list[bool] = field(default_factory=list)  #: for each id: whether the model said it

    def add(self, ids: Iterable[int], said: bool) -> None:
        """Adds ids that the model ``said`` or did not."""
        new = list(ids)
        self.ids += new
        self.said += [said] * len(new)


def with_call_ids(message: Message, number: int) -> dict[str, Any]:
    """``message`` with an id for each of its calls, made of ``number``: results refer to them."""
    calls = [
        dict(call) | {"id": call.get("id") or f"call_{number}_{i}"}
        for i, call in enumerate(message.get("tool_calls") or ())
    ]
    return dict(message) | ({"tool_calls": calls} if calls else {})


class CompactForm:
    """Dialogues in tokens of a table.

    Args:
        table: The tokens.
        thoughts: Whether what stands in ``<think>`` is kept of the dialogues to learn from.
    """

    name = "compact"

    def __init__(self, table: TokenTable, thoughts: bool = True) -> None:
        self.table = table
        self.thoughts = thoughts
        self.end = table.frame("end")
        self.pad = table.frame("pad")

    def encode(self, messages: Sequence[Message], definitions: Any = None, ask: bool = False) -> Encoded:
        """Messages as ids.

        Args:
            messages: A dialogue, or its beginning.
            definitions: Ignored: a table knows the tools.
            ask: Whether the model is to go on: "assistant" is added.

        Raises:
            ValueError: A message is of no known role, or calls a tool that the table does not have.
        """
        encoded, names = Encoded(), list[str]()
        for message in messages:
            self._add(encoded, message, names)
        if ask:
            encoded.add([self.table.frame("assistant")], said=False)
        return encoded

    def grammar(
        self, messages: Sequence[Message], definitions: Sequence[Mapping[str, Any]] | None = None
    ) -> Grammar:
        """The grammar of the next turn: a strict one if ``definitions`` of tools are given."""
        return Grammar(self.table, definitions, _objective(messages), self._names(messages))

    def decode(self, ids: Sequence[int], messages: Sequence[Message]) -> dict[str, Any]:
        """The message that a turn of the model after ``messages`` is.

        A turn that breaks the grammar or does not end is shown as it is: its tokens, as content.
        """
        turn = Turn(self.grammar(messages))
        try:
            for token in ids:
                turn.push(token)
        except Illegal:
            pass
        if turn.message is not None and turn.done:
            return turn.message
        return {"role": "assistant", "content": self.table.render(ids)}

    def _names(self, messages: Sequence[Message]) -> list[str]:
        names: list[str] = []
        for message in messages:
            self._add(Encoded(), message, names)
        return names

    def _add(self, encoded: Encoded, message: Message, names: list[str]) -> None:
        table, role, content = self.table, message.get("role"), message.get("content") or ""
        if role == "system":  # there is one, which the table stands for
            encoded.add([table.frame("system")], said=False)
        elif role == "user":
            observe.shown_names(names, content)
            encoded.add([table.frame("user"), *observe.write_prompt(table, content, names)], said=False)
        elif role == "tool":
            encoded.add(observe.write_result(table, content, names), said=False)
        elif role == "assistant":
            tokens = write_turn(table, message, names)
            think, unthink = table.frame("think"), table.frame("unthink")
            if not self.thoughts and tokens[0] == think and unthink in tokens:
                tokens = tokens[tokens.index(unthink) + 1 :]
            encoded.add([table.frame("assistant")], said=False)
            encoded.add(tokens, said=True)
        else:
            raise ValueError(f"there is no role '{role}'")


def _objective(messages: Sequence[Message]) -> str | None:
    """What is to be made less, as the last message says that says so."""
    for message in reversed(messages):
        content = message.get("content")
        result = observe.parse_result(content) if message.get("role") == "tool" else None
        if result is not None and isinstance(result.get("objective"), str):
            return result["objective"]
        if message.get("role") == "user" and isinstance(content, str):
            for objective in ("ir_instructions", "text_bytes"):
                if objective in content:
                    return objective
    return None
