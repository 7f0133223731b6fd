"""The `ordo mcp` of the campaign: the process, what is expected of it, and what comes."""

import json
import os
import queue
import re
import subprocess
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from campaign_mcp_box import SECRET, Box

PATIENCE = 120  # seconds for a reply


class Server:
    """The process, what is expected of it, and what comes."""

    def __init__(self, ordo: Path, box: Box, log: Any = None) -> None:
        """Starts it."""
        self.box, self.log = box, log
        keep = {
            name: os.environ[name]
            for name in ("PATH", "LANG", "LD_LIBRARY_PATH", "ASAN_OPTIONS")
            if name in os.environ
        }
        environment = keep | {
            "HOME": str(box.home),
            "TMPDIR": str(box.temp),
            "ORDO_CACHE": str(box.home / "cache"),
        }
        self.errors = (box.base.parent / f"{box.base.name}.stderr").open("w+b")
        self.process = subprocess.Popen(
            [str(ordo), "mcp", "--root", str(box.root)],
            cwd=box.root,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
        )
        self.lines: queue.Queue[bytes | None] = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()
        self.owed: Counter[Any] = Counter()  # replies by id
        self.maybe: set[Any] = set()  # ids that were taken back
        self.nulls = 0  # replies without an id that are owed
        self.loose = 0  # messages of which nothing is known
        self.stray = 0  # replies to no id, beyond those owed
        self.faults: list[str] = []
        self.replies: Counter[str] = Counter()
        self.sent = 0
        self.wants_roots: list[Any] = []

    def read(self) -> None:
        """Collects its lines, for as long as there are any."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def fault(self, what: str) -> None:
        """Something is wrong."""
        self.faults.append(what)
        print("FAULT: " + what[:1000], flush=True)

    def send(self, line: bytes) -> None:
        """A message, which has no newline."""
        assert self.process.stdin is not None
        self.sent += 1
        if self.log:
            self.log.write(line + b"\n")
        try:
            self.process.stdin.write(line + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # which the next look at its lines finds out

    def waiting(self) -> int:
        """How many replies are owed."""
        return sum(count for key, count in self.owed.items() if key not in self.maybe) + max(self.nulls, 0)

    def take(self, timeout: float) -> bool:
        """Looks at what it says. False if it says nothing in time, or has ended."""
        try:
            line = self.lines.get(timeout=timeout)
        except queue.Empty:
            return False
        if line is None:
            self.lines.put(None)
            return False
        if SECRET.encode() in line:
            self.fault(f"a reply has what the canary says: {line!r}")
        try:
            message = json.loads(line.decode(), parse_constant=lambda name: float("bad " + name))
        except ValueError as error:
            self.fault(f"a line is no JSON ({error}): {line[:300]!r}")
            return True
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            self.fault(f"no JSON-RPC: {line[:300]!r}")
        elif "method" in message:
            self.take_request(message)
        else:
            self.take_reply(message, line)
        return True

    def take_request(self, message: dict[str, Any]) -> None:
        """What it asks or tells."""
        self.replies[message["method"]] += 1
        if message["method"] == "roots/list" and isinstance(message.get("id"), str):
            self.wants_roots.append(message["id"])
        elif message["method"] != "notifications/progress" or "id" in message:
            self.fault(f"it says {message}")

    def take_reply(self, message: dict[str, Any], line: bytes) -> None:
        """Counts it, and looks at its form."""
        key = message.get("id")
        form = message.keys() == {"jsonrpc", "id", "result"} and isinstance(message["result"], dict)
        if "error" in message:
            error = message["error"]
            form = message.keys() == {"jsonrpc", "id", "error"} and isinstance(error, dict)
            form = form and type(error.get("code")) is int and isinstance(error.get("message"), str)
            self.replies[f"error {error['code']}" if form else "?"] += 1
        else:
            self.replies["result"] += 1
        if not form or (key is not None and type(key) not in (str, int)):
            self.fault(f"no reply as JSON-RPC has it: {line[:300]!r}")
            return
        if key is None:
            if self.nulls > 0:
                self.nulls -= 1
            else:
                self.stray += 1
        elif self.owed[key] > 0:
            self.owed[key] -= 1
            if self.owed[key] == 0:
                del self.owed[key]
        elif key in self.maybe:
            self.fault(f"more than one reply to {key!r}")
        else:
            self.stray += 1
        if "structuredContent" in message.get("result", {}):
            self.take_answer(message["result"], line)

    def take_answer(self, result: dict[str, Any], line: bytes) -> None:
        """Of a tool."""
        answer = result["structuredContent"]
        if json.loads(result["content"][0]["text"]) != answer or result["isError"] != ("error" in answer):
            self.fault(f"an answer is not what its text says: {line[:300]!r}")
        if not {"cost", "left"} <= answer.keys():
            self.fault(f"an answer without its cost: {line[:300]!r}")
        if result["isError"]:
            self.replies[f"tool: {answer['error']['code']}"] += 1

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """A request of its own, when nothing else is under way: what it replies."""
        self.sent += 1
        key = f"ask-{self.sent}"
        self.send(json.dumps({"jsonrpc": "2.0", "id": key, "method": method, "params": params}).encode())
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            line = self.lines.get(timeout=PATIENCE)
            if line is None:
                raise SystemExit(f"the server ended: {self.last_words()}")
            if SECRET.encode() in line:
                asked = f"{method} {json.dumps(params)[:200]}"
                self.fault(f"a reply to {asked} has what the canary says: {line[:2000]!r}")
            message = json.loads(line)
            if message.get("id") == key:
                return message
        raise SystemExit(f"no reply to {method}")

    def tool(self, name: str, **arguments: Any) -> dict[str, Any]:
        """What a tool answers."""
        return self.ask("tools/call", {"name": name, "arguments": arguments})["result"]["structuredContent"]

    def last_words(self) -> str:
        """The end of its standard error, and how it ended."""
        code = self.process.poll()
        self.errors.seek(0)
        return f"exit {code}; {self.errors.read().decode(errors='replace')[-2000:]}"

    def memory(self) -> int:
        """Bytes of it and its processes; what they share counts once."""
        total, todo = 0, [self.process.pid]
        while todo:
            pid = todo.pop()
            try:
                found = re.search(r"^Pss: *(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)
                total += int(found[1]) * 1024 if found else 0
                for task in Path(f"/proc/{pid}/task").iterdir():
                    todo += map(int, (task / "children").read_text().split())
            except (OSError, IndexError):
                continue
        return total

    def end(self) -> None:
        """Closes its input, and waits for it."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        if code != 0:
            self.fault(f"it ended otherwise than by the end of its input: {self.last_words()}")
        self.errors.close()
        Path(self.errors.name).unlink()
