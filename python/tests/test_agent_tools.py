"""The client of the tool server, against one that answers like Ordo's and misbehaves on demand."""

from __future__ import annotations

import sys
import time

import pytest
from agent_parts import SERVER

from ordo.agent import vocabulary
from ordo.agent.tools import Server, ServerError, find_ordo


def test_programs_are_opened_by_handle_and_asked():
    with Server(SERVER) as server:
        one = server.call("open_program", file="suite/crc32", objective="ir_instructions", compiles=5)
        two = server.call("open_program", file="suite/wc", objective="text_bytes")
        assert (one["program"], two["program"]) == ("p1", "p2")
        measured = server.call("measure_sequence", program="p1", sequence=["sroa", "gvn"])
        assert measured["gain"] == 0.06 and measured["left"]["compiles"] == 4
        assert server.call("measure_sequence", program="p2", sequence=[])["left"]["compiles"] == 199
        submitted = server.call("submit_sequence", program="p1", sequence=["sroa"])
        assert submitted["accepted"] and submitted["gain"] == 0.03


def test_a_tool_that_fails_is_an_answer():
    with Server(SERVER) as server:
        assert server.call("open_program", file="missing.c")["error"]["code"] == "not found"
        assert server.call("measure_sequence", sequence=[])["error"]["code"] == "not found"
        server.call("open_program", file="a.c")
        assert server.call("time_sequence")["error"]["code"] == "unsupported"


def test_definitions_are_the_servers():
    with Server(SERVER) as server:
        assert [d["function"]["name"] for d in server.definitions()] == vocabulary.tool_names()
        (only,) = server.definitions(["submit_sequence", "no such"])
        assert only == vocabulary.definition("submit_sequence")


def test_a_server_that_dies_is_an_error_and_can_be_restarted():
    with Server([*SERVER, "dies"]) as server:
        server.call("open_program", file="a.c")
        server.call("measure_sequence", sequence=[])
        with pytest.raises(ServerError, match=r"(?s)exit code 1.*I fell over a bug"):
            server.call("measure_sequence", sequence=[])
        assert not server.running
        with pytest.raises(ServerError, match="closed"):
            server.call("measure_sequence", sequence=[])
        server.start()
        assert server.running and server.call("open_program", file="a.c")["program"] == "p1"


@pytest.mark.parametrize(
    ("behaviour", "complaint"),
    [("noise", "no JSON"), ("list", "no object"), ("silent", "did not answer 'tools/call' in 0.2 s")],
)
def test_a_server_that_does_not_speak_is_ended(behaviour, complaint):
    with Server([*SERVER, behaviour]) as server:
        server.timeout_s = 0.2 if behaviour == "silent" else 30
        start = time.monotonic()
        with pytest.raises(ServerError, match=complaint):
            server.call("open_program", file="a.c")
        assert not server.running and time.monotonic() - start < 20


def test_what_is_not_the_answer_is_passed_over():
    with Server([*SERVER, "chatty"]) as server:
        assert server.call("open_program", file="a.c")["program"] == "p1"


def test_a_program_that_is_no_server_is_an_error():
    with pytest.raises(ServerError, match="could not be started"):
        Server(["/no/such/program"])
    with pytest.raises(ServerError, match="ended"):
        Server([sys.executable, "-c", "pass"])
    with pytest.raises(ServerError, match="list of tools"):
        Server([sys.executable, "-c", LYING])


LYING = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"tools": 3}}), flush=True)
"""


def test_closing_is_final_and_may_be_repeated():
    server = Server(SERVER)
    server.close()
    server.close()
    assert not server.running


def test_the_program_is_found_where_it_is_said_to_be(tmp_path, monkeypatch):
    program = tmp_path / "ordo"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert find_ordo(program) == str(program)
    monkeypatch.setenv("ORDO", str(program))
    assert find_ordo() == str(program)
    monkeypatch.setenv("ORDO", str(tmp_path / "none"))
    with pytest.raises(FileNotFoundError, match="no program that can be run"):
        find_ordo()
