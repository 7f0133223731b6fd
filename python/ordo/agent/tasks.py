"""Lines of trajectories files: dialogues to learn from, and the tasks that they begin with.

A line is ``{"version": 2, "program": URI, "package": …, "template": …, "messages": […], "tools": [OpenAI
function definitions, as TRL takes them], "source": {…}}``; those of version 1 have names of tools there.
What is before the model's first turn is the prompt of a task; ``source`` may say the
``file``, ``flags``, ``objective``, ``compiles`` and ``seconds`` that it was opened with.
"""

from __future__ import annotations

import gzip
import json
import os
import pathlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ordo.agent import exits, vocabulary
from ordo.agent.observe import facts_in

__all__ = ["Task", "read_lines", "task_of", "tool_names_of"]

VERSION = 2
_COMPILES = re.compile(r"(\d{1,6}) compiles")


@dataclass(frozen=True)
class Task:
    """A program to be made smaller in a dialogue."""

    program: str  #: its URI or path, as ``open_program`` takes it
    objective: str
    messages: tuple[dict[str, Any], ...]  #: the prompt; none: it is written when the program is opened
    tools: tuple[str, ...]  #: names of those that are offered
    flags: tuple[str, ...] = ()
    compiles: int = 100
    seconds: float = 60
    seed: int = 1
    model_opens: bool = False  #: the dialogue begins with open_program, said by the model


def read_lines(files: Iterable[str | os.PathLike[str]]) -> Iterator[dict[str, Any]]:
    """The dialogues in these files, in order; those that end in ``.gz`` are compressed.

    Raises:
        ValueError: A line is no JSON, of another version, or lacks something: says which.
    """
    for file in map(pathlib.Path, files):
        opener = gzip.open if file.suffix == ".gz" else open
        with opener(file, "rt", encoding="utf-8") as stream:
            for number, text in enumerate(stream, 1):
                try:
                    line = json.loads(text)
                except ValueError as error:
                    raise exits.Refused(exits.BAD_FILE, f"{file}:{number} is no JSON: {error}") from error
                if not isinstance(line, dict) or line.get("version") not in (1, VERSION):
                    raise exits.Refused(
                        exits.BAD_FILE, f"{file}:{number} is no dialogue of version 1 or {VERSION}"
                    )
                lacking = [key for key in ("program", "messages", "tools") if key not in line]
                if lacking:
                    raise exits.Refused(exits.BAD_FILE, f"{file}:{number} lacks {', '.join(lacking)}")
                yield line


def _calls(messages: Iterable[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for message in messages:
        for call in message.get("tool_calls") or ():
            arguments = call["function"].get("arguments") or {}
            if isinstance(arguments, str):
                arguments = json.loads(arguments)
            yield call["function"]["name"], arguments


def tool_names_of(line: dict[str, Any]) -> list[str]:
    """The names of the tools that a dialogue offers, of either version."""
    return [tool if isinstance(tool, str) else tool["function"]["name"] for tool in line["tools"]]


def task_of(line: dict[str, Any], seed: int = 1) -> Task:
    """The task that a dialogue begins with.

    What ``source`` does not say is taken from a call of ``open_program``, else from the facts in the prompt
    as ``ordo agent`` gives them, else from its words; else it is ``text_bytes``, 100 compiles and 60 seconds.

    Raises:
        ValueError: There is no objective of that name.
    """
    messages = line["messages"]
    turns = [i for i, message in enumerate(messages) if message.get("role") == "assistant"]
    prompt = messages[: turns[0]] if turns else messages
    words = " ".join(str(message.get("content") or "") for message in prompt)
    said = next((arguments for name, arguments in _calls(messages) if name == "open_program"), {})
    first = messages[turns[0]].get("tool_calls") or [] if turns else []
    facts = facts_in(words)[1]
    known = {"objective": facts.get("objective"), **(facts.get("left") or {}), **said}
    known |= line.get("source") or {}
    compiles = _COMPILES.search(words)
    objective = known.get("objective") or next(
        (name for name in vocabulary.SPACES if name in words), "text_bytes"
    )
    if objective not in vocabulary.SPACES:
        raise ValueError(f"there is no objective '{objective}'")
    return Task(
        program=str(known.get("file") or line["program"]),
        objective=objective,
        messages=tuple(prompt),
        tools=tuple(tool_names_of(line)),
        flags=tuple(known.get("flags") or ()),
        compiles=int(known.get("compiles") or (compiles[1] if compiles else 100)),
        seconds=float(known.get("seconds") or 60),
        seed=seed,
        model_opens=any(call["function"]["name"] == "open_program" for call in first),
    )
