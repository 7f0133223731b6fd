"""The tool server as the MCP Inspector's command line sees it, which `./ordo test` gets with npm."""

from __future__ import annotations

import functools
import json
import os
import pathlib
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from mcp_parts import CALLS, ORDO, http_server, tool_names

#: Where `./ordo test` puts it; Node.js too, if the system's is older than 22.
INSTALLED = pathlib.Path(
    os.environ.get("ORDO_INSPECTOR", pathlib.Path(__file__).resolve().parents[3] / "build" / "inspector")
)
LAUNCHER = INSTALLED / "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"


@functools.cache
def node() -> str | None:
    """A Node.js that is new enough, or None."""
    for found in [*INSTALLED.glob("node_modules/node-linux-*/bin/node"), shutil.which("node")]:
        if found is None:
            continue
        version = subprocess.run([found, "--version"], capture_output=True, text=True).stdout.lstrip("v")
        if version.split(".")[0].isdigit() and int(version.split(".")[0]) >= 22:
            return str(found)
    return None


@pytest.fixture(autouse=True)
def inspector_is_there() -> None:
    """Says what is missing."""
    if not LAUNCHER.exists():
        pytest.skip(f"the MCP Inspector is not installed in {INSTALLED}")
    if node() is None:
        pytest.skip("the MCP Inspector needs Node.js 22")


def inspect(*arguments: str, home: pathlib.Path) -> dict[str, Any]:
    """What its command line prints. Its settings are in `home`."""
    program = node()
    assert program is not None
    command = [program, str(LAUNCHER), "--cli", "--quiet", *arguments]
    environment = os.environ | {"HOME": str(home)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
    assert done.returncode == 0, (arguments, done.stdout, done.stderr)
    return json.loads(done.stdout)


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_it_lists_the_tools_and_finds_no_fault_in_their_schemas(tmp_path, era):
    server = [ORDO, "mcp", "--root", str(tmp_path), "--protocol-era", era]
    listed = inspect(*server, "--method", "tools/list", "--strict", home=tmp_path)
    assert sorted(tool["name"] for tool in listed["tools"]) == sorted(tool_names())


def call_of(name: str) -> list[str]:
    """Arguments that have it use a tool."""
    return ["--method", "tools/call", "--tool-name", name, "--tool-args-json", json.dumps(CALLS[name][0])]


def test_it_uses_one_in_the_earlier_era(tmp_path):
    opened = inspect(ORDO, "mcp", "--root", str(tmp_path), *call_of("open_program"), home=tmp_path)
    assert opened["structuredContent"]["name"] == "crc32"


def test_it_uses_every_tool(tmp_path):
    root = tmp_path / "root"
    root.mkdir()

    # Each is a process and a connection of its own: programs stay open between them.
    with http_server(root) as (url, token):
        server = ["--server-url", url, "--header", f"Authorization: Bearer {token}"]

        def use(name: str) -> None:
            answer = inspect(*server, "--protocol-era", "modern", *call_of(name), home=tmp_path)
            assert not answer["isError"] and CALLS[name][1] in answer["structuredContent"], (name, answer)

        first, *between, last = CALLS
        use(first)
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(use, between))
        use(last)
