"""Dialogues as plain chat text with tool calls in JSON: the form that models which people have know.

A call is ``<tool_call>{"name": …, "arguments": {…}}</tool_call>``, as Hermes and Qwen write it. A tokenizer
whose chat template knows tools writes them its own way; for one whose template does not, as SmolLM2's, they
stand in the system message. What is generated is not constrained in this form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ordo.agent.dialogue import Encoded, Message

__all__ = ["ChatForm", "read_calls", "write_calls"]

_CALL = re.compile(r"<tool_call>\s*(.*?)\s*</tool_call>", re.DOTALL)
_TURN = "<|im_start|>{}\n{}<|im_end|>\n"
_TOOLS = (
    "\n\nYou have these tools, one JSON definition a line:\n<tools>\n{}\n</tools>\n"
    'Call one by saying <tool_call>\n{{"name": NAME, "arguments": OBJECT}}\n</tool_call>'
)


def write_calls(message: Message) -> str:
    """An assistant's message as text: its content, then its calls."""
    blocks = [message.get("content") or ""]
    for call in message.get("tool_calls") or ():
        function = call["function"]
        arguments = function.get("arguments") or {}
        if isinstance(arguments, str):
            arguments = json.loads(arguments)
        said = json.dumps({"name": function["name"], "arguments": arguments}, ensure_ascii=False)
        blocks.append(f"<tool_call>\n{said}\n</tool_call>")
    return "\n".join(block for block in blocks if block)


def read_calls(text: str) -> dict[str, Any]:
    """The assistant's message that ``text`` is. What is no call stays in its content, whatever it is."""
    calls: list[dict[str, Any]] = []

    def take(match: re.Match[str]) -> str:
        try:
            said = json.loads(match[1])
        except (ValueError, RecursionError):
            return match[0]
        if not isinstance(said, dict) or not isinstance(said.get("name"), str):
            return match[0]
        arguments = said.get("arguments", {})
        if not isinstance(arguments, dict):
            return match[0]
        calls.append({"type": "function", "function": {"name": said["name"], "arguments": arguments}})
        return ""

    content = _CALL.sub(take, text).strip()
    message: dict[str, Any] = {"role": "assistant", "content": content}
    return message | {"tool_calls": calls} if calls else message


def _content(message: Message) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


class ChatForm:
    """Dialogues as text of a Hugging Face tokenizer.

    Args:
        tokenizer: With ``<|im_end|>`` or another end of a turn as its ``eos_token``.
        thoughts: Whether what stands in ``<think>`` is kept of the dialogues to learn from.
    """

    name = "text"

    def __init__(self, tokenizer: Any, thoughts: bool = True) -> None:
        self.tokenizer = tokenizer
        self.thoughts = thoughts
        end = tokenizer.convert_tokens_to_ids("<|im_end|>")
        self.end: int = tokenizer.eos_token_id if end in (None, tokenizer.unk_token_id) else end
        self.pad: int = self.end if tokenizer.pad_token_id is None else tokenizer.pad_token_id
        self._knows_tools = "tools" in (getattr(tokenizer, "chat_template", None) or "")

    def grammar(self, messages: Sequence[Message], definitions: Any = None) -> None:
        """There is none: what is generated is not constrained."""
        return None

    def encode(
        self,
        messages: Sequence[Message],
        definitions: Sequence[Mapping[str, Any]] | None = None,
        ask: bool = False,
    ) -> Encoded:
        """Messages as ids; see :meth:`ordo.agent.dialogue.CompactForm.encode`.

        Args:
            messages: A dialogue, or its beginning.
            definitions: OpenAI function definitions of the tools, which the model is told of.
            ask: Whether the model is to go on.

        Raises:
            ValueError: The tokenizer's template changes what stands before when a dialogue goes on.
        """
        encoded, done = Encoded(), ""
        turns = [i for i, message in enumerate(messages) if message.get("role") == "assistant"]
        for turn in turns:
            before = self._render(messages[:turn], definitions, ask=True)
            after = self._render(messages[: turn + 1], definitions, ask=False)
            if not before.startswith(done) or not after.startswith(before):
                raise ValueError("the chat template rewrites what was said before")
            encoded.add(self._ids(before[len(done) :]), said=False)
            encoded.add(self._ids(after[len(before) :]), said=True)
            done = after
        encoded.add(self._ids(self._render(messages, definitions, ask)[len(done) :]), said=False)
        return encoded

    def decode(self, ids: Sequence[int], messages: Sequence[Message]) -> dict[str, Any]:
        """The message that a turn of the model is; what is no call stays in its content."""
        text = self.tokenizer.decode([token for token in ids if token not in (self.end, self.pad)])
        return read_calls(text)

    def _ids(self, text: str) -> list[int]:
        return self.tokenizer(text, add_special_tokens=False)["input_ids"] if text else []

    def _shown(self, message: Message) -> str:
        text = write_calls(message)
        return text if self.thoughts else re.sub(r"^<think>.*?</think>\n?", "", text, flags=re.DOTALL)

    def _render(self, messages: Sequence[Message], definitions: Any, ask: bool) -> str:
        if self._knows_tools:
            return self.tokenizer.apply_chat_template(
                list(messages), tools=definitions, add_generation_prompt=ask, tokenize=False
            )
        text = ""
        lines = "\n".join(json.dumps(definition) for definition in definitions or ())
        tools = _TOOLS.format(lines) if lines else ""
        if tools and (not messages or messages[0].get("role") != "system"):
            text += _TURN.format("system", tools.strip())
        for message in messages:
            role = message.get("role")
            if role == "system":
                text += _TURN.format(role, _content(message) + tools)
            elif role == "user":
                text += _TURN.format(role, _content(message))
            elif role == "tool":
                text += _TURN.format("user", f"<tool_response>\n{_content(message)}\n</tool_response>")
            elif role == "assistant":
                text += _TURN.format(role, self._shown(message))
            else:
                raise ValueError(f"there is no role '{role}'")
        return text + ("<|im_start|>assistant\n" if ask else "")
