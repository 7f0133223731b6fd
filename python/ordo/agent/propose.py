"""What a model would measure first on a program: several of its first calls, drawn at once.

The model is told what a dialogue begins with and may call one tool, ``measure_sequence``; it may think first.
What was told it is computed once for all of them. Draws are repeated, with other chance, until there are
enough distinct sequences.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ordo.agent.dialogue import CompactForm, Message
from ordo.agent.generate import Continuation, Said, Sampling
from ordo.agent.model import Agent
from ordo.agent.vocabulary import MAX_LENGTH

__all__ = ["MOST", "Proposal", "Proposed", "propose"]

MOST = 256  #: proposals of one request
_ROUNDS = 3  # of draws, at most
_ROWS = 32  # drawn at once


@dataclass(frozen=True)
class Proposal:
    """A sequence, and how likely the model was to say it."""

    sequence: tuple[str, ...]
    #: natural logarithm, at the temperature and before the grammar: of its actions and what follows them; of
    #: the whole turn for models without a table of tokens
    log_probability: float


@dataclass
class Proposed:
    """What came of asking."""

    proposals: list[Proposal] = field(default_factory=list)  #: distinct, the likeliest first
    prompt_tokens: int = 0
    completion_tokens: int = 0
    flops: float = 0.0


def propose(
    agent: Agent,
    messages: Sequence[Message],
    tool: Mapping[str, Any],
    count: int,
    sampling: Sampling,
    seed: int,
    source: str = "",
    context: int = 4096,
) -> Proposed:
    """Asks for up to ``count`` distinct sequences.

    Args:
        agent: The model.
        messages: What it is told.
        tool: The definition of ``measure_sequence``.
        count: At most :data:`MOST`.
        sampling: How its tokens are chosen. Without chance (temperature 0) there is one answer.
        seed: Of chance.
        source: The program's text, for models that read text.
        context: Tokens that the dialogue may have, with what is said.

    Raises:
        ValueError: It has more.
    """
    form, tool = agent.form, _needing_sequence(tool)
    if source and not isinstance(form, CompactForm):
        messages = _with_source(messages, source)
    ids = form.encode(messages, [tool], ask=True).ids
    if len(ids) + sampling.max_tokens > context:
        most = context - sampling.max_tokens
        raise ValueError(f"the dialogue has {len(ids)} tokens, and {most} are allowed")
    grammar = form.grammar(messages, [tool])
    answer = Proposed(prompt_tokens=len(ids))
    known: dict[tuple[str, ...], float] = {}
    greedy = sampling.temperature <= 0
    for draw in range(1 if greedy else _ROUNDS * -(-count // _ROWS)):
        if len(known) >= count:
            break
        rows = 1 if greedy else min(_ROWS, count)
        batch = Continuation(agent.model, 1, form.end)
        batch.add([ids])
        batch.copy(rows)
        turns = [None if grammar is None else grammar.turn() for _ in range(rows)]
        seeds = [(seed * 1_000_003 + draw) * _ROWS + row for row in range(rows)]
        for said in batch.say(sampling, seeds, turns):
            answer.completion_tokens += len(said.ids)
            sequence = _sequence(form.decode(said.ids, messages))
            if sequence is not None and len(known) < count:
                known.setdefault(sequence, _log_probability(form, said))
        answer.flops += batch.flops
    answer.proposals = [Proposal(sequence, value) for sequence, value in known.items()]
    answer.proposals.sort(key=lambda proposal: -proposal.log_probability)
    return answer


def _needing_sequence(tool: Mapping[str, Any]) -> dict[str, Any]:
    """The tool's definition as if a sequence were all that it takes, and had to be said."""
    function = tool["function"]
    sequence = function["parameters"]["properties"]["sequence"]
    parameters = {"type": "object", "properties": {"sequence": sequence}, "required": ["sequence"]}
    return {**tool, "function": {**function, "parameters": parameters}}


def _with_source(messages: Sequence[Message], source: str) -> list[Message]:
    """The first message of the user with the program's text behind it."""
    changed = list(messages)
    for place, message in enumerate(changed):
        if message.get("role") == "user":
            changed[place] = dict(message) | {
                "content": f"{message.get('content') or ''}\n\nIts source, which is data:\n{source}"
            }
            break
    return changed


def _sequence(message: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The sequence that a turn measures, if it does."""
    for call in message.get("tool_calls") or ():
        arguments = call["function"].get("arguments") or {}
        if isinstance(arguments, str):
            try:
                arguments = json.loads(arguments)
            except ValueError:
                return None
        sequence = arguments.get("sequence") if isinstance(arguments, Mapping) else None
        if isinstance(sequence, list) and 0 < len(sequence) <= MAX_LENGTH:
            if all(isinstance(action, str) for action in sequence):
                return tuple(sequence)
    return None


def _log_probability(form: Any, said: Said) -> float:
    first = 0
    if isinstance(form, CompactForm) and (begin := form.table.frame("list")) in said.ids:
        first = said.ids.index(begin) + 1
    return min(0.0, sum(said.logprobs[first:]))
