"""A tool server that answers like ``ordo mcp`` in microseconds, and misbehaves on demand.

``python agent_server.py [BEHAVIOUR]``; what a sequence is worth is made up, but the same each time.
``mcp``, ``list programs debian --split …`` and ``--version`` are what ``ordo`` is asked for as well.
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

#: What "list programs debian" lists. Of a program called "hard", the policy says what is no good.
PROGRAMS = {
    "train": ["debian/bash/a.c", "debian/bash/missing.c", "debian/bash/hard.c", "debian/bc/b.c"],
    "validation": ["debian/indent/src/args.c"],
    "test": ["debian/tmux/tmux.c"],
}


def gain(sequence: list[str]) -> float:
    """What a sequence saves: the more of the good ones, the more, and each other action costs."""
    good = len(set(sequence) & set(GOOD))
    return round(0.03 * good - 0.01 * (len(sequence) - good - sequence.count("clang-Oz")), 4)


class Program:
    """An opened program."""

    def __init__(self, arguments: dict[str, Any]) -> None:
        self.file = arguments["file"]
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
            "value": round(100 * (1 - gain(sequence)), 2),
            "gain": gain(sequence),
            "best": better,
            "length": len(sequence),
        }

    def suggest(self, sequence: list[str]) -> dict[str, Any]:
        """The next good action and one that is not, and both after the sequence."""
        good = [name for name in GOOD if name not in sequence]
        names = ["adce"] if "hard" in self.file else ["adce", *good[:1]]
        why = ["the objective (x0.98)", f"loads: {80 - len(sequence)} (usual 32) (x1.8)"]
        choices = [{"action": name, "probability": 0.3, "why": why} for name in names]
        choices += [{"action": "stop", "probability": 0.1, "why": why}]
        return {"choices": choices, "answer": {"sequence": [*sequence, *names]}}

    def explain(self, sequence: list[str]) -> dict[str, Any]:
        """What each action saves."""
        self.left -= len(sequence)
        parts = []
        for at, name in enumerate(sequence):
            rest = [*sequence[:at], *sequence[at + 1 :]]
            saves = round(100 * (gain(sequence) - gain(rest)), 2)
            parts.append({"at": at, "action": name, "saves": saves})
        return {"value": round(100 * (1 - gain(sequence)), 2), "parts": parts, "left_out": 0}


def edited(sequence: list[str], edits: list[dict[str, Any]]) -> list[str]:
    """A sequence after edits."""
    names = list(sequence)
    for edit in edits:
        if edit["op"] == "insert":
            names.insert(edit["at"], edit["action"])
        elif edit["op"] == "remove":
            del names[edit["at"]]
        else:
            names[edit["at"]] = edit["action"]
    return names


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
            "actions": len(SPACES[program.objective]),
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
            result["start"] = {}
        elif name == "measure_sequence":
            result = program.measure(sequence)
        elif name == "suggest_actions":
            result = program.suggest(sequence)
        elif name == "explain_sequence":
            result = program.explain(sequence)
        elif name == "edit_sequence":
            sequence = edited(sequence, arguments["edits"])
            result = program.measure(sequence)
            result |= {} if "error" in result else {"sequence": sequence}
        elif name == "search_sequences":
            found = [*sequence, *(name for name in GOOD if name not in sequence)]
            result = {"sequence": found, "gain": gain(found), "value": round(100 * (1 - gain(found)), 2)}
            program.left -= 10
        elif name == "submit_sequence":
            program.submitted = True
            better = gain(sequence) > 0
            result = {
                "accepted": better or sequence == ["clang-Oz"],
                "sequence": sequence if better else ["clang-Oz"],
                "gain": max(0, gain(sequence)),
                "verified": "stock opt makes the same IR",
            }
        else:
            result = {"error": {"code": "unsupported", "message": f"no tool '{name}' here"}}
    cost = {"compiles": 1, "seconds": 0.01}
    return result | {"cost": cost, "left": {"compiles": max(0, program.left), "seconds": 60 - 0.01}}


def main() -> None:
    """Answers lines until there are no more."""
    behaviour = sys.argv[1] if len(sys.argv) > 1 else ""
    if behaviour == "--version":
        print("ordo fake")
        return
    if behaviour == "list":
        split = sys.argv[sys.argv.index("--split") + 1] if "--split" in sys.argv else None
        if split is not None:
            print(json.dumps([{"program": program} for program in PROGRAMS[split]]))
            return
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
