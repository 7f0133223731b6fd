"""A tool server that answers like ``ordo mcp`` in microseconds, and misbehaves on demand.

``python agent_server.py [BEHAVIOUR]``; what a sequence is worth is made up, but the same each time.
Behaviours: "dies" in the third call of a tool, "silent", "noise" (no JSON), "list" (answers that are no
objects), "chatty" (notifications and stale answers before each one).
"""

from __future__ import annotations

import importlib.util
import json
import pathlib
import sys
import time
from typing import Any

# The file alone: the package would take half a second to import.
SOURCE = pathlib.Path(__file__).resolve().parents[1] / "ordo" / "agent" / "vocabulary.py"
spec = importlib.util.spec_from_file_location("vocabulary", SOURCE)
assert spec is not None and spec.loader is not None
vocabulary = importlib.util.module_from_spec(spec)
spec.loader.exec_module(vocabulary)

SPACES = {objective: set(actions) for objective, actions in vocabulary.read_spaces().items()}
GOOD = ["sroa", "gvn", "instcombine<no-verify-fixpoint>", "simplifycfg"]


def gain(sequence: list[str]) -> float:
    """What a sequence saves: the more of the good ones, the more, and each other action costs."""
    good = len(set(sequence) & set(GOOD))
    return round(0.03 * good - 0.01 * (len(sequence) - good), 4)


class Program:
    """An opened program."""

    def __init__(self, arguments: dict[str, Any]) -> None:
        self.objective = arguments.get("objective", "text_bytes")
        self.compiles = arguments.get("compiles", 200)
        self.left = self.compiles
        self.best: list[str] = []
        self.submitted = False

    def measure(self, sequence: list[str]) -> dict[str, Any]:
        """A value, or an error."""
        for name in sequence:
            if name not in SPACES[self.objective]:
                return {"error": {"code": "not found", "message": f"no action '{name}'"}}
        if self.left < 1:
            return {"error": {"code": "budget used up", "message": "no compiles are left"}}
        self.left -= 1
        better = gain(sequence) > gain(self.best)
        if better:
            self.best = sequence
        return {
            "value": 100 * (1 - gain(sequence)),
            "gain": gain(sequence),
            "best": better,
            "length": len(sequence),
        }


def answer(programs: dict[str, Program], name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The result of a tool."""
    if name == "open_program":
        if not isinstance(arguments.get("file"), str) or "missing" in arguments["file"]:
            return {"error": {"code": "not found", "message": f"no program {arguments.get('file')}"}}
        handle = f"p{len(programs) + 1}"
        programs[handle] = program = Program(arguments)
        result: dict[str, Any] = {
            "program": handle,
            "name": arguments["file"],
            "objective": program.objective,
            "unoptimised": 150,
            "baseline": {"name": "clang-Oz", "value": 100},
            "best": {"sequence": ["clang-Oz"], "value": 100, "gain": 0},
        }
    else:
        handle = arguments.get("program") or f"p{len(programs)}"
        if handle not in programs:
            return {"error": {"code": "not found", "message": f"no program '{handle}' is open"}}
        program = programs[handle]
        if program.submitted:
            return {"error": {"code": "unsupported", "message": "it was submitted"}}
        sequence = arguments.get("sequence", program.best)
        if not isinstance(sequence, list):
            return {"error": {"code": "invalid argument", "message": "'sequence' is a list"}}
        if name == "get_features":
            result = {"features": {feature: 3 * i for i, feature in enumerate(vocabulary.FEATURES)}}
        elif name == "measure_sequence":
            result = program.measure(sequence)
        elif name == "search_sequences":
            result = {"sequence": [*sequence, *GOOD], "gain": gain([*sequence, *GOOD]), "value": 90}
            program.left -= 10
        elif name == "submit_sequence":
            program.submitted = True
            result = {
                "accepted": True,
                "sequence": sequence,
                "gain": max(0, gain(sequence)),
                "verified": True,
            }
        else:
            result = {"error": {"code": "unsupported", "message": f"no tool '{name}' here"}}
    cost = {"compiles": 1, "seconds": 0.01}
    return result | {"cost": cost, "left": {"compiles": max(0, program.left), "seconds": 60 - 0.01}}


def main() -> None:
    """Answers lines until there are no more."""
    behaviour = sys.argv[1] if len(sys.argv) > 1 else ""
    programs: dict[str, Program] = {}
    calls = 0
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        if message["method"] == "initialize":
            result: Any = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}
        elif message["method"] == "tools/list":
            functions = [vocabulary.definition(name)["function"] for name in vocabulary.tool_names()]
            result = {
                "tools": [
                    {k: f[k] for k in ("name", "description")} | {"inputSchema": f["parameters"]}
                    for f in functions
                ]
            }
        else:
            calls += 1
            if behaviour == "dies" and calls % 3 == 0:
                sys.exit("I fell over a bug")
            if behaviour == "silent":
                time.sleep(60)
            if behaviour == "noise":
                print("Loading plugin… done", flush=True)
                continue
            found = answer(programs, message["params"]["name"], message["params"]["arguments"])
            result = {"structuredContent": found, "content": [{"type": "text", "text": json.dumps(found)}]}
            result |= {"isError": True} if "error" in found else {}
            if behaviour == "list":
                result = {"content": [{"type": "text", "text": "[1, 2]"}]}
            if behaviour == "chatty":
                print(json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": {}}))
                print(json.dumps({"jsonrpc": "2.0", "id": message["id"] - 1, "result": {"stale": True}}))
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)


if __name__ == "__main__":
    main()
