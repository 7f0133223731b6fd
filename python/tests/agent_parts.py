"""What the agent's tests share: a table, a random source of dialogues, and the fake server's command."""

from __future__ import annotations

import functools
import json
import pathlib
import random
import sys
from typing import Any

from ordo.agent import vocabulary
from ordo.agent.tokens import TokenTable

HERE = pathlib.Path(__file__).resolve().parent

#: Starts the fake tool server; a behaviour can be added.
SERVER = [sys.executable, str(HERE / "agent_server.py")]

#: Definitions of all tools of the contract.
DEFINITIONS = [vocabulary.definition(name) for name in vocabulary.tool_names()]


@functools.cache
def table() -> TokenTable:
    """The table that is shipped, but for learnt pieces."""
    return TokenTable.build(vocabulary.read_spaces(), ["Ġsaves", "Ġthe", "Ġinstructions"])


def call(name: str, **arguments: Any) -> dict[str, Any]:
    """A call of a tool, as messages have it."""
    return {"type": "function", "function": {"name": name, "arguments": arguments}}


def said(content: str = "", *calls: dict[str, Any]) -> dict[str, Any]:
    """A message of the model."""
    message: dict[str, Any] = {"role": "assistant", "content": content}
    return message | ({"tool_calls": list(calls)} if calls else {})


def told(**result: Any) -> dict[str, Any]:
    """A message of a tool."""
    return {"role": "tool", "content": json.dumps(result)}


def random_text(rng: random.Random) -> str:
    """Text with names in it, in all neighbourhoods, and letters of all kinds."""
    names = table().spaces["text_bytes"]
    parts = [" ", "  ", ".", "(", ")", "-", "x", "é", "\n", "\t", "\x00", "漢", "\U0001f600", "<think>", "12"]
    parts += [rng.choice(names) for _ in range(8)] + ["measure_sequence", " saves", " the"]
    return "".join(rng.choice(parts) for _ in range(rng.randrange(12)))


def random_value(rng: random.Random, depth: int = 0) -> Any:
    """Any JSON value."""
    simple: list[Any] = [
        *(None, True, False, "", "insert", "suite/crc32", random_text(rng)),
        *(rng.randrange(-5, 70), rng.randrange(-(10**12), 10**12), rng.uniform(-1e3, 1e3), 1e-30),
        rng.choice(table().spaces["ir_instructions"]),
    ]
    if depth == 3 or rng.random() < 0.7:
        return rng.choice(simple)
    inner = [random_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return inner if rng.random() < 0.5 else {random_text(rng) or "at": value for value in inner}


def random_turn(rng: random.Random) -> dict[str, Any]:
    """A message of a model, of any kind."""
    content = f"<think>{random_text(rng)}</think>" if rng.random() < 0.6 else ""
    content = content + random_text(rng) if rng.random() < 0.4 else content
    calls = []
    for _ in range(rng.randrange(3)):
        keys = rng.sample([*vocabulary.argument_names(), "surprise", "a b"], rng.randrange(4))
        calls.append(call(rng.choice(vocabulary.tool_names()), **{key: random_value(rng) for key in keys}))
    return said(content, *calls)


def example(objective: str = "ir_instructions", sequence: list[str] | None = None) -> dict[str, Any]:
    """A line of a trajectories file: features, a measurement, an edit and a submission."""
    chosen = sequence or ["sroa", "gvn", "simplifycfg"]
    left = {"left": {"compiles": 90, "seconds": 50}, "cost": {"compiles": 1, "seconds": 0.1}}
    features = {name: 3 * i for i, name in enumerate(vocabulary.FEATURES)}
    prompt = f"Make the program suite/crc32, opened as p1, smaller: {objective}, 100 compiles."
    messages = [
        {"role": "system", "content": "You make programs smaller with tools."},
        {"role": "user", "content": prompt},
        said("<think>look first</think>", call("get_features")),
        told(features=features, **left),
        said("<think>gvn saves 12</think>", call("measure_sequence", sequence=chosen[:-1])),
        told(value=94, gain=0.06, best=True, length=2, **left),
        said(
            "",
            call("edit_sequence", edits=[{"op": "insert", "at": len(chosen) - 1, "action": chosen[-1]}]),
        ),
        told(sequence=chosen, value=91, gain=0.09, best=True, length=3, **left),
        said("<think>enough</think>", call("submit_sequence", sequence=chosen)),
        told(accepted=True, gain=0.09, verified=True, **left),
    ]
    return {
        "version": 1,
        "program": "suite/crc32",
        "package": "suite",
        "template": "rich",
        "messages": messages,
        "tools": vocabulary.tool_names(),
        "source": {},
    }
