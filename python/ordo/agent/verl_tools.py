"""Ordo's tools for verl's ``tool_agent``, which tools.yaml names; see :mod:`ordo.agent.export_verl`.

verl makes and releases an instance for each call and has no word for the end of a dialogue. So a program is
known by the dialogue's ``request_id``, and the oldest are forgotten when there are many.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from typing import Any
from uuid import uuid4

from verl.tools.base_tool import BaseTool
from verl.tools.schemas import ToolResponse

from ordo.agent.play import DialogueTools
from ordo.agent.rewards import Outcome
from ordo.agent.tasks import Task
from ordo.agent.tools import Server, ServerError
from ordo.agent.verl_reward import receipt

__all__ = ["OrdoTool"]

_MOST_DIALOGUES = 256

_server: Server | None = None
_dialogues: OrderedDict[str, tuple[DialogueTools, Outcome]] = OrderedDict()
_lock = asyncio.Lock()  # a server is asked by one at a time


class OrdoTool(BaseTool):
    """Any of Ordo's tools: which one, its schema says."""

    def __init__(self, config: dict, tool_schema: Any) -> None:
        super().__init__(config, tool_schema)
        self._opened: dict[str, dict[str, Any]] = {}

    async def create(
        self, instance_id: str | None = None, create_kwargs: dict[str, Any] | None = None, **_: Any
    ) -> tuple[str, ToolResponse]:
        """Remembers what the program is opened with."""
        made = instance_id or uuid4().hex
        self._opened[made] = create_kwargs or {}
        return made, ToolResponse()

    async def execute(
        self, instance_id: str, parameters: dict[str, Any], agent_data: Any = None, **_: Any
    ) -> tuple[ToolResponse, float, dict]:
        """Calls the tool on the dialogue's program."""
        async with _lock:
            answer = await asyncio.to_thread(self._call, agent_data.request_id, instance_id, parameters)
        return ToolResponse(text=json.dumps(answer, separators=(",", ":"))), 0.0, {}

    async def release(self, instance_id: str, **_: Any) -> None:
        """Forgets the call, not the dialogue."""
        self._opened.pop(instance_id, None)

    def _call(self, dialogue: str, instance: str, parameters: dict[str, Any]) -> dict[str, Any]:
        global _server
        try:
            if _server is None or not _server.running:
                _dialogues.clear()
                _server = Server()
            if dialogue not in _dialogues:
                _dialogues[dialogue] = _open(_server, self._opened[instance])
                while len(_dialogues) > _MOST_DIALOGUES:
                    _dialogues.popitem(last=False)
            tools, outcome = _dialogues[dialogue]
            answer = tools.call(self.name, parameters)
        except ServerError as error:
            return {"error": {"code": "failed", "message": str(error)}}
        if self.name != "submit_sequence" or not outcome.submitted:
            return answer
        outcome.turns = outcome.good_turns = max(1, outcome.turns)
        signed = answer | vars(outcome)
        return signed | {"receipt": receipt(signed)}


def _open(server: Server, given: dict[str, Any]) -> tuple[DialogueTools, Outcome]:
    outcome = Outcome()
    task = Task(
        program=given["file"],
        objective=given["objective"],
        messages=(),
        tools=tuple(definition["function"]["name"] for definition in server.definitions()),
        flags=tuple(given.get("flags") or ()),
        compiles=int(given["compiles"]),
        seconds=float(given["seconds"]),
        seed=int(given["seed"]),
    )
    tools = DialogueTools(server, task, outcome)
    answer = tools.open()
    if "error" in answer:
        raise ServerError(f"the program could not be opened: {answer['error']}")
    return tools, outcome
