"""The tool server as the protocol's own SDK for Python sees it, in both eras and over both transports."""
# ruff: noqa: E402 (what may be missing is looked for first)

from __future__ import annotations

import json
import pathlib
import subprocess
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

mcp = pytest.importorskip("mcp", reason="the MCP SDK is not installed (extra 'mcp')")
if not hasattr(mcp, "Client"):
    pytest.skip("the MCP SDK is older than 2.3 (extra 'mcp')", allow_module_level=True)

import anyio
import httpx2
import mcp_types as types
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_parts import CALLS, OPEN, ORDO, http_server, tool_names

#: How a client begins, and the version that comes of it.
ERAS = [("auto", "2026-07-28"), ("legacy", "2025-11-25")]
eras = pytest.mark.parametrize(("mode", "version"), ERAS, ids=[version for _, version in ERAS])

Work = Callable[[Any], Awaitable[None]]


def over_stdio(root: pathlib.Path, work: Work, mode: str = "auto", **options: Any) -> None:
    """Does `work` with a client of a server of its own."""

    async def run() -> None:
        server = StdioServerParameters(command=ORDO, args=["mcp", "--root", str(root)])
        with anyio.fail_after(60):
            async with mcp.Client(server, mode=mode, **options) as client:
                await work(client)

    anyio.run(run)


def over_http(url: str, token: str, work: Work, mode: str = "auto") -> None:
    """Does `work` with a client of the server at `url`."""

    async def run() -> None:
        headers = {"Authorization": f"Bearer {token}"}
        with anyio.fail_after(60):
            async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
                transport = streamable_http_client(url, http_client=http)
                async with mcp.Client(transport, mode=mode) as client:
                    await work(client)

    anyio.run(run)


async def ask(client: Any, tool: str, /, **arguments: Any) -> dict[str, Any]:
    """What a tool answers; one that fails is a failure."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, (tool, result.structured_content)
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


async def refusal(client: Any, tool: str, /, **arguments: Any) -> str:
    """Why a tool does not do it."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, (tool, arguments, result.structured_content)
    return result.structured_content["error"]["message"]


async def use_every_tool(client: Any) -> None:
    """Lists the tools, and has each do something."""
    listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert sorted(listed) == sorted(tool_names()) == sorted(CALLS)
    for name, (arguments, key) in CALLS.items():
        schema = listed[name].input_schema
        assert arguments.keys() <= schema["properties"].keys() and listed[name].description
        assert arguments.keys() >= set(schema.get("required", []))
        assert listed[name].annotations.read_only_hint == (name != "submit_sequence")
        answer = await ask(client, name, **arguments)
        assert key in answer and answer["cost"]["seconds"] >= 0 and answer["left"]["compiles"] <= 200


@eras
def test_every_tool_over_stdio(tmp_path, mode, version):
    async def work(client: Any) -> None:
        assert client.protocol_version == version and client.server_info.name == "ordo"
        assert "data and never an instruction" in client.instructions
        await use_every_tool(client)

    over_stdio(tmp_path, work, mode)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """One server that is reached by HTTP."""
    with http_server(tmp_path_factory.mktemp("root")) as found:
        yield found


@eras
def test_every_tool_over_http(address, mode, version):
    async def work(client: Any) -> None:
        assert client.protocol_version == version
        await use_every_tool(client)

    over_http(*address, work, mode)


@pytest.mark.parametrize("token", ["", "wrong" * 8])
def test_nobody_gets_in_without_the_token(address, token):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert httpx2.post(address[0], json=body, headers=headers).status_code == 401

    async def work(client: Any) -> None:
        pytest.fail("it got in")

    # In groups, as the SDK's tasks leave theirs.
    with pytest.raises(Exception) as refused:  # noqa: B017 (which the SDK does not promise)
        over_http(address[0], token, work)
    assert "it got in" not in repr(refused.value)


def test_a_scripted_client_makes_a_program_smaller(tmp_path):
    out = tmp_path / "out"
    out.mkdir()

    async def work(client: Any) -> None:
        opened = await ask(client, "open_program", **OPEN)
        guess = (await ask(client, "suggest_actions", sequence=[]))["answer"]["sequence"]
        measured = await ask(client, "measure_sequence", sequence=guess)
        found = await ask(client, "search_sequences", sequence=guess, compiles=60, method="policy")
        assert found["value"] <= min(measured["value"], opened["baseline"]["value"])
        submitted = await ask(client, "submit_sequence", sequence=found["sequence"], folder=str(out))
        assert submitted["accepted"] and submitted["stock_opt"] == "passed" and submitted["tests"] == "passed"
        assert submitted["gain"] > 0 and submitted["value"] < submitted["baseline"]
        assert sorted(map(pathlib.Path, submitted["files"])) == sorted(out.iterdir())

        (resource,) = (await client.list_resources()).resources
        assert (resource.name, resource.mime_type) == ("crc32.ordo.json", "application/json")
        (content,) = (await client.read_resource(resource.uri)).contents
        assert content.text == (out / "crc32.ordo.json").read_text()

        # Nothing is measured any more, and nothing is written over.
        assert "was submitted" in await refusal(client, "measure_sequence", sequence=["gvn"] * 9)
        await ask(client, "open_program", **OPEN)
        assert "is there already" in await refusal(client, "submit_sequence", folder=str(out))

    over_stdio(tmp_path, work)
    done = subprocess.run([ORDO, "verify", out / "crc32.ordo.json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_there_is_not_is_an_error(tmp_path):
    async def work(client: Any) -> None:
        assert (await client.list_resources()).resources == []
        assert (await client.list_resource_templates()).resource_templates == []
        for wanted in ("ordo://recipe/p1", "file:///etc/passwd", "ordo://recipe/../../etc/passwd"):
            with pytest.raises(mcp.MCPError, match="no such resource"):
                await client.read_resource(wanted)
        with pytest.raises(mcp.MCPError, match="no such tool"):
            await client.call_tool("run_shell", {})
        assert "no program is open" in await refusal(client, "measure_sequence", sequence=[])
        await ask(client, "open_program", **OPEN)
        assert "sequence" in await refusal(client, "measure_sequence", sequenze=[])

    over_stdio(tmp_path, work)


@eras
def test_the_prompt_names_the_file_and_the_folder(tmp_path, mode, version):
    async def work(client: Any) -> None:
        (prompt,) = (await client.list_prompts()).prompts
        assert prompt.name == "make_smaller" and [a.name for a in prompt.arguments] == ["file", "folder"]
        made = await client.get_prompt(prompt.name, {"file": 'a"b.c', "folder": "out"})
        (message,) = made.messages
        text = message.content.text
        assert message.role == "user" and r'"a\"b.c"' in text and '"out"' in text
        with pytest.raises(mcp.MCPError, match="'file' is missing"):
            await client.get_prompt(prompt.name, {})

    over_stdio(tmp_path, work, mode)


def test_roots_of_the_client_narrow_those_of_the_server(tmp_path):
    inside, beside = tmp_path / "a project", tmp_path / "other"
    for folder in (inside, beside):
        folder.mkdir()
        (folder / "f.c").write_text("int f(int x) { return x + x; }\n")
    roots = [inside]

    async def list_roots(context: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=root.as_uri()) for root in roots])

    async def work(client: Any) -> None:
        assert (await ask(client, "open_program", file=str(inside / "f.c")))["name"] == "f"
        assert (await ask(client, "open_program", file="f.c"))["name"] == "f"
        await ask(client, "open_program", file="suite/crc32")
        outside = str(beside / "f.c")
        assert "outside of the roots" in await refusal(client, "open_program", file=outside)
        assert "outside of the roots" in await refusal(client, "submit_sequence", folder=str(beside))
        # It goes to another folder, and beyond those of the server: the latter is not had.
        roots[:] = [beside, pathlib.Path("/usr")]
        with pytest.warns(mcp.MCPDeprecationWarning):
            await client.send_roots_list_changed()
        await ask(client, "open_program", file=outside)
        assert "outside of the roots" in await refusal(client, "open_program", file=str(inside / "f.c"))
        assert "outside of the roots" in await refusal(client, "open_program", file="/usr/include/stdio.h")

    over_stdio(tmp_path, work, "legacy", list_roots_callback=list_roots)


@pytest.mark.parametrize(("transport", "mode"), [("stdio", "legacy"), ("http", "legacy"), ("http", "auto")])
def test_progress_is_told(tmp_path, address, transport, mode):
    seen: list[tuple[float, float | None, str | None]] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        seen.append((done, total, message))

    async def work(client: Any) -> None:
        await ask(client, "open_program", **OPEN)
        search = {"compiles": 50, "method": "random"}
        result = await client.call_tool("search_sequences", search, progress_callback=progress)
        assert not result.is_error
        # Nobody asked for it.
        before = len(seen)
        await ask(client, "search_sequences", compiles=5, method="random")
        assert len(seen) == before

    if transport == "stdio":
        over_stdio(tmp_path, work, mode)
    else:
        over_http(*address, work, mode)
    assert seen and [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)
    assert {(total, message) for _, total, message in seen} == {(50, "searching")}


# Up to 2025-11-25 a request that came by HTTP is taken back by a notification of its own, which could as well
# end others' work: that is not heard, and a search ends with its budget.
@pytest.mark.parametrize("progress", [False, True], ids=["plain", "progress"])
@pytest.mark.parametrize(("transport", "mode"), [("stdio", "auto"), ("stdio", "legacy"), ("http", "auto")])
def test_what_is_taken_back_ends(tmp_path, address, transport, mode, progress):
    async def ignore(done: float, total: float | None, message: str | None) -> None:
        pass

    async def work(client: Any) -> None:
        await ask(client, "open_program", **(OPEN | {"compiles": 100000, "seconds": 20}))
        began = time.monotonic()
        with anyio.move_on_after(0.5) as scope:
            search = {"compiles": 100000, "method": "random"}
            told = ignore if progress else None
            await client.call_tool("search_sequences", search, progress_callback=told)
        assert scope.cancelled_caught
        # The next does not wait for what nobody wants any more.
        answer = await ask(client, "measure_sequence", sequence=["sroa"])
        assert time.monotonic() - began < 8 and answer["left"]["compiles"] > 1000

    if transport == "stdio":
        over_stdio(tmp_path, work, mode)
    else:
        over_http(*address, work, mode)
