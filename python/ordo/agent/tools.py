"""A client of the tool server: starts ``ordo mcp`` and asks it.

>>> with Server() as server:
...     opened = server.call("open_program", file="suite/crc32", objective="ir_instructions")
...     server.call("measure_sequence", program=opened["program"], sequence=["clang-Oz"])["gain"]
0.0

A tool that fails is an answer, ``{"error": {"code", "message"}, …}``; a server that dies, stays silent or
does not speak the protocol is an exception. One thread at a time.
"""

from __future__ import annotations

import json
import os
import pathlib
import queue
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import IO, Any

__all__ = ["Server", "ServerError", "find_ordo"]

_PROTOCOL = "2025-11-25"
_MOST_LINE = 1 << 24  # bytes of an answer


class ServerError(Exception):
    """The server is not there any more, or does not say what it should. Start another one."""


def find_ordo(path: str | os.PathLike[str] | None = None) -> str:
    """The program ``ordo``: ``path``, else ``$ORDO``, else beside this package, else of ``$PATH``.

    Raises:
        FileNotFoundError: There is none.
    """
    beside = pathlib.Path(__file__).resolve().parents[1] / "_native" / "bin" / "ordo"
    build = pathlib.Path(__file__).resolve().parents[3] / "build" / "release" / "bin" / "ordo"
    for place in (path, os.environ.get("ORDO")):
        if place:
            found = shutil.which(os.fspath(place))
            if found is None:
                raise FileNotFoundError(f"{os.fspath(place)} is no program that can be run")
            return found
    found = next((os.fspath(p) for p in (beside, build) if p.is_file()), None) or shutil.which("ordo")
    if found is None:
        raise FileNotFoundError("there is no program 'ordo'; the environment variable ORDO can say where")
    return found


class Server:
    """A tool server, started as a child of this process.

    Args:
        command: What starts it; None: ``ordo mcp`` with :func:`find_ordo`. A path: of ``ordo``.
        timeout_s: For an answer. A search can take as long as the budget of its program.
    """

    def __init__(
        self, command: Sequence[str] | str | os.PathLike[str] | None = None, timeout_s: float = 600
    ) -> None:
        self._command = (
            [find_ordo(command), "mcp"]
            if command is None or isinstance(command, (str, os.PathLike))
            else list(command)
        )
        self.timeout_s = timeout_s
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._errors: IO[bytes] | None = None
        self._asked = 0
        self._definitions: list[dict[str, Any]] = []
        self.opened = 0  #: programs since it was started, each of which it keeps
        self.start()

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def running(self) -> bool:
        """Whether it can be asked."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Starts it, again if it died. What was opened in another one is gone.

        Raises:
            ServerError: It could not be started, or is none.
        """
        self.close()
        self._errors = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
            )
        except OSError as error:
            self.close()
            raise ServerError(f"{self._command[0]} could not be started: {error}") from error
        # A queue of its own for each: a line of one that was ended must not be taken for an answer.
        self._lines = queue.Queue()
        self.opened = 0
        arguments = (self._process.stdout, self._lines)
        threading.Thread(target=_read_lines, args=arguments, daemon=True).start()
        client = {"name": "ordo-agent", "version": "1"}
        self._ask("initialize", protocolVersion=_PROTOCOL, capabilities={}, clientInfo=client)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        listed = self._ask("tools/list").get("tools")
        tools = listed if isinstance(listed, list) else [None]
        if not all(isinstance(tool, dict) and "name" in tool for tool in tools):
            raise self._broken("its list of tools is none")
        self._definitions = [
            {
                "type": "function",
                "function": {
                    "name": tool["name"],
                    "description": tool.get("description", ""),
                    "parameters": tool.get("inputSchema", {"type": "object"}),
                },
            }
            for tool in tools
        ]

    def definitions(self, names: Sequence[str] | None = None) -> list[dict[str, Any]]:
        """OpenAI function definitions of its tools, or of those of ``names`` that it has."""
        return [d for d in self._definitions if names is None or d["function"]["name"] in names]

    def call(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """What a tool answers: its result, or an object with ``error`` that says why there is none.

        Raises:
            ServerError: The server died, was silent for too long, or its answer is none. It is ended then;
                :meth:`start` starts another.
        """
        return self.call_with(name, arguments)

    def call_with(self, name: str, arguments: Any) -> dict[str, Any]:
        """As :meth:`call`, with the arguments as they came, whatever they are."""
        self.opened += name == "open_program"
        result = self._ask("tools/call", name=name, arguments=arguments)
        if "error" in result and "content" not in result:
            return result
        answer = result.get("structuredContent")
        if answer is None:
            content = result.get("content")
            text = content[0].get("text") if isinstance(content, list) and content else None
            try:
                answer = json.loads(text) if isinstance(text, str) else None
            except ValueError:
                answer = {"error": {"code": "failed", "message": text}} if result.get("isError") else None
        if not isinstance(answer, dict):
            raise self._broken(f"the answer of '{name}' is no object")
        return answer

    def close(self) -> None:
        """Ends it. It may be closed already."""
        process, self._process = self._process, None
        if process is not None:
            assert process.stdin is not None and process.stdout is not None
            try:
                process.stdin.close()
            except OSError:  # what was not sent yet cannot be any more
                pass
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._errors is not None:
            self._errors.close()
            self._errors = None

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._asked += 1
        self._send({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": parameters})
        while True:
            try:
                line = self._lines.get(timeout=self.timeout_s)
            except queue.Empty:
                raise self._broken(f"it did not answer '{method}' in {self.timeout_s:g} s") from None
            if line is None:
                raise self._broken(f"it ended instead of answering '{method}'")
            if len(line) >= _MOST_LINE:
                raise self._broken("an answer of it has no end")
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                raise self._broken(f"it says what is no JSON: {line[:80]!r}") from None
            # Notifications of progress, and answers to what was given up on, are not what is waited for.
            if not isinstance(message, dict) or message.get("id") != self._asked or "method" in message:
                continue
            if isinstance(message.get("result"), dict):
                return message["result"]
            error = message.get("error")
            if not isinstance(error, dict):
                raise self._broken(f"its answer to '{method}' is neither a result nor an error")
            # The server knows no such tool or cannot read its arguments: for a model an answer as any other.
            return {"error": {"code": "invalid argument", "message": str(error.get("message", ""))}}

    def _send(self, message: dict[str, Any]) -> None:
        if self._process is None or self._process.stdin is None:
            raise ServerError("the tool server is closed")
        try:
            self._process.stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._broken("it ended") from None

    def _broken(self, what: str) -> ServerError:
        """Ends the server; the error that says what is wrong with it and what it said last."""
        process, errors, said = self._process, self._errors, ""
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()
        if errors is not None:
            errors.seek(max(0, errors.seek(0, os.SEEK_END) - 2000))
            said = errors.read().decode("utf-8", "replace").strip()
        code = process.returncode if process is not None else None
        self.close()
        about = f"the tool server '{' '.join(self._command)}' (exit code {code}): {what}"
        return ServerError(f"{about}\n{said}" if said else about)


def _read_lines(stream: IO[bytes], lines: queue.Queue[bytes | None]) -> None:
    """Puts the lines of ``stream`` into ``lines``, and None at its end."""
    with stream:
        while line := stream.readline(_MOST_LINE):
            lines.put(line)
            if len(line) >= _MOST_LINE:
                break
    lines.put(None)
