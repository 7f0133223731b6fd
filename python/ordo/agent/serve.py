"""``python -m ordo.agent.serve MODEL``: a model that is asked in lines of JSON, as ``ordo agent`` does.

::

    < {"ordo_model": 1, "name": "shipped"}
    > {"messages": […], "tools": […], "seed": 1, "temperature": 0.7, "max_tokens": 128}
    < {"message": {"role": "assistant", "content": "…", "tool_calls": [{"id", "type": "function",
      "function": {"name", "arguments": "<JSON>"}}]},
      "usage": {"prompt_tokens", "completion_tokens", "flops"}}
    > {…, "propose": 16, "source": "…"}    with the one tool measure_sequence: what would be measured first
    < {"proposals": [{"sequence": ["gvn", …], "log_probability": -3.2}], "usage": {…}}
    < {"error": "…"}                       in place of a reply

Messages and tools are OpenAI's. What the model says and is no call is passed on as content. With a table of
tokens it says only what the grammar allows, unless ``"constrained": false`` is asked for;
``"repetition_penalty"`` is 1 unless told. What was computed of the last dialogue is kept for the next turn.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, TextIO

from ordo.agent import exits
from ordo.agent.dialogue import with_call_ids
from ordo.agent.generate import Continuation, Sampling
from ordo.agent.model import Agent, load
from ordo.agent.propose import MOST, propose

__all__ = ["Speaker", "serve"]

PROTOCOL = 1
_MOST_CONTEXT = 4096  # tokens of a dialogue
_MOST_NEW = 2048  # tokens of a turn


class Speaker:
    """Answers requests with a model."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._batch: Continuation | None = None

    def answer(self, request: Any) -> dict[str, Any]:
        """The answer to a request, which may be anything: what is wrong with it is an answer too."""
        try:
            return self._answer(_checked(request))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self._batch = None
            return {"error": f"{type(error).__name__}: {error}"}

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["propose"]:
            return self._propose(request)
        form, messages, tools = self._agent.form, request["messages"], request["tools"]
        encoded = form.encode(messages, tools, ask=True)
        ids = encoded.ids
        most = request["max_tokens"]
        if len(ids) + most > _MOST_CONTEXT:
            raise ValueError(f"the dialogue has {len(ids)} tokens, and {_MOST_CONTEXT - most} are allowed")
        batch = self._continue(ids)
        grammar = form.grammar(messages, tools) if request["constrained"] else None
        sampling = Sampling(request["temperature"], request["repetition_penalty"], most)
        before = batch.flops
        turns = [None if grammar is None else grammar.turn()]
        spoken = [token for token, mine in zip(ids, encoded.said) if mine]
        (said,) = batch.say(sampling, [request["seed"]], turns, [spoken])
        number = sum(message.get("role") == "assistant" for message in messages)
        message = with_call_ids(form.decode(said.ids, messages), number)
        for call in message.get("tool_calls", ()):
            function = call["function"]
            call["function"] = function | {"arguments": json.dumps(function["arguments"])}
        usage = {
            "prompt_tokens": len(ids),
            "completion_tokens": len(said.ids),
            "flops": batch.flops - before,
        }
        return {"message": message, "usage": usage}

    def _propose(self, request: dict[str, Any]) -> dict[str, Any]:
        (tool,) = request["tools"]
        sampling = Sampling(request["temperature"], request["repetition_penalty"], request["max_tokens"])
        said = propose(
            self._agent,
            request["messages"],
            tool,
            request["propose"],
            sampling,
            request["seed"],
            request["source"],
            _MOST_CONTEXT,
        )
        usage = {key: getattr(said, key) for key in ("prompt_tokens", "completion_tokens", "flops")}
        return {"proposals": [asdict(proposal) for proposal in said.proposals], "usage": usage}

    def _continue(self, ids: list[int]) -> Continuation:
        """The batch of one that has ``ids``: the last one, if the dialogue only went on."""
        batch = self._batch
        known = batch.ids[0] if batch is not None else []
        if batch is None or len(known) >= len(ids) or ids[: len(known)] != known:
            batch = self._batch = Continuation(self._agent.model, 1, self._agent.form.end)
            known = batch.ids[0]
        batch.add([ids[len(known) :]])
        return batch


def _checked(request: Any) -> dict[str, Any]:
    """A request with all its fields, of the right types and in their ranges."""
    if not isinstance(request, dict):
        raise ValueError("a request is an object")
    usual = {
        "tools": [],
        "seed": 1,
        "temperature": 1.0,
        "max_tokens": 256,
        "repetition_penalty": 1.0,
        "constrained": True,
        "propose": 0,
        "source": "",
    }
    whole = usual | {key: value for key, value in request.items() if value is not None}
    messages, tools = whole.get("messages"), whole["tools"]
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise ValueError("'messages' is a list of objects")
    if not isinstance(tools, list) or not all(isinstance(tool, dict) for tool in tools):
        raise ValueError("'tools' is a list of objects")
    limits = (("seed", 0, 2**63 - 1), ("max_tokens", 1, _MOST_NEW), ("propose", 0, MOST))
    for key, least, most in limits:
        value = whole[key]
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise ValueError(f"'{key}' is a whole number from {least} to {most}")
    for key, least, most in (("temperature", 0, 10), ("repetition_penalty", 0.1, 10)):
        value = whole[key]
        if not isinstance(value, (int, float)) or not least <= value <= most:
            raise ValueError(f"'{key}' is a number from {least} to {most}")
    if whole["propose"] and len(tools) != 1:
        raise ValueError("'propose' goes with one tool, measure_sequence")
    if not isinstance(whole["source"], str):
        raise ValueError("'source' is a text")
    return whole


def serve(speaker: Speaker, name: str, reader: TextIO, writer: TextIO) -> None:
    """Answers lines until there are no more."""

    def say(message: dict[str, Any]) -> None:
        writer.write(json.dumps(message, separators=(",", ":")) + "\n")
        writer.flush()

    say({"ordo_model": PROTOCOL, "name": name})
    for line in reader:
        if not line.strip():
            continue
        try:
            request = json.loads(line)
        except (ValueError, RecursionError) as error:
            say({"error": f"that is no JSON: {error}"})
            continue
        say(speaker.answer(request))


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line. Standard output belongs to the protocol."""
    parser = argparse.ArgumentParser("python -m ordo.agent.serve")
    parser.add_argument("model", help="hf:FOLDER, gguf:FILE or shipped")
    parser.add_argument("--device", default="cpu", help="cpu or cuda (cpu)")
    parser.add_argument("--threads", type=int, default=0, help="of PyTorch (all)")
    options = parser.parse_args(arguments)
    writer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print is not for Ordo
    import torch

    if options.threads:
        torch.set_num_threads(options.threads)
    with exits.telling("serve"):
        agent = load(options.model, options.device)
    reader = os.fdopen(os.dup(0), encoding="utf-8", errors="replace")
    serve(Speaker(agent), options.model, reader, writer)


if __name__ == "__main__":
    sys.exit(main())
