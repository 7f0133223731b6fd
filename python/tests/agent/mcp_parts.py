"""What tests of the tool server share: the program, its tools, and a server that is reached by HTTP."""

from __future__ import annotations

import contextlib
import pathlib
import re
import secrets
import subprocess
from collections.abc import Iterator
from typing import Any

from ordo.agent import vocabulary
from ordo.agent.tools import find_ordo

ORDO = find_ordo()
OPEN = {"file": "suite/crc32", "objective": "ir_instructions", "compiles": 200, "seconds": 60}

#: Each tool with arguments that have it do something, and a key of what it answers. `open_program` comes
#: first and `submit_sequence` last: nothing can be measured after it. What is timed has the baseline's code,
#: for which no run is needed.
CALLS: dict[str, tuple[dict[str, Any], str]] = {
    "open_program": (OPEN, "unoptimised"),
    "get_features": ({"sequence": ["sroa"]}, "features"),
    "list_actions": ({"filter": "inline", "limit": 3}, "actions"),
    "suggest_actions": ({"sequence": [], "count": 3}, "choices"),
    "measure_sequence": ({"sequence": ["sroa", "gvn"]}, "value"),
    "edit_sequence": ({"sequence": ["sroa"], "edits": [{"op": "insert", "at": 1, "action": "gvn"}]}, "value"),
    "explain_sequence": ({"sequence": ["sroa", "gvn"]}, "parts"),
    "search_sequences": ({"compiles": 10, "method": "random"}, "sequence"),
    "get_remarks": ({"sequence": ["inline"], "limit": 2}, "remarks"),
    "diff_ir": ({"sequence": ["sroa"], "at": 0}, "parts"),
    "time_sequence": ({"sequence": ["clang-Oz"], "seconds": 2}, "verdict"),
    "check_sequence": ({"sequence": ["sroa"], "seconds": 0.1}, "ok"),
    "submit_sequence": ({}, "accepted"),
}


def tool_names() -> list[str]:
    """Those of the contract."""
    return vocabulary.tool_names()


@contextlib.contextmanager
def http_server(folder: pathlib.Path) -> Iterator[tuple[str, str]]:
    """`ordo mcp --http` with `folder` as its root: its address and token. It is ended afterwards."""
    token, token_file = secrets.token_hex(16), folder.parent / f"{folder.name}.token"
    token_file.write_text(token + "\n")
    command = [ORDO, "mcp", "--http", "--root", str(folder), "--token-file", str(token_file)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            said = ""
            for line in server.stderr:
                said += line
                if found := re.search(r"serving (http://\S+)", line):
                    yield found[1], token
                    break
            else:
                raise AssertionError(f"the server ended: {said}")
        finally:
            server.terminate()
        assert server.wait(20) in (0, 130, 143, -15), server.returncode
