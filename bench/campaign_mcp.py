#!/usr/bin/env python3
"""Sends fuzzed requests to one `ordo mcp`, and looks what comes of it.

    ./ordo campaign mcp [N] [--seed N] [--json FILE] [--rounds N] [--log FILE]

First known attacks: programs, flags and folders that lead outside of the roots, one after the other, with all
that they let a client get at; if N is large, all options of clang's --help too. Then N messages, many at a
time: valid requests of each tool and method, the same with wrong types, unknown fields and huge or deeply
nested values, paths outside wherever a path or a flag may stand, requests that are taken back, ids that are
there twice, answers to nothing, and bytes that are no JSON at all.

The server must not end. Each request with an id gets one reply, or none if it was taken back; what comes is
JSON-RPC. No reply and no file below the roots has what a canary outside of them says, nothing outside
changes, and memory stays bounded. A round trip of a request that needs no compile is timed, too.
"""

import argparse
import json
import os
import queue
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from campaign_mcp_box import SECRET, Box
from campaign_mcp_requests import FLAGS, MARKS, Requests

ROOT = Path(__file__).resolve().parents[1]
MOST_MEMORY = 1 << 30  # bytes, of the server with its processes
MOST_MESSAGE = 1 << 20  # bytes
EVERYTHING = 10000  # messages; from there on all of clang's options are tried
PATIENCE = 120  # seconds for a reply
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


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


def all_options() -> list[str]:
    """Each option that clang's help has, with %s for a value if it has one."""
    shown = subprocess.run(["clang-22", "--help-hidden"], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^  (-[^\s<,]*)((?: ?<[^>]*>)?)", shown, re.M)
    return [
        name + re.sub("<.*>", "%s", value) for name, value in found if name.strip("-") and "%" not in name
    ]


def attacks(server: Server, box: Box, flags: list[str]) -> dict[str, int]:
    """Known attacks, one after the other; what each lets a client get at is looked at."""
    counts: Counter[str] = Counter()
    for file, needs in box.hostile.items():
        attack(server, box, counts, {"file": file, "flags": needs})
    fine = {"", ".", "suite/..", f"{box.root}/small.c/../../outside/canary.c"}
    for path in box.outside_paths():
        attack(server, box, counts, {"file": path})
        folder = server.tool("submit_sequence", folder=path, sequence=[])
        counts["folders"] += 1
        why = folder.get("error", {}).get("message", "it was written to")
        if not re.search("outside of the roots|is no folder", why) and path not in fine:
            server.fault(f"the folder {path!r}: {why}")
    leads = [box.outside / "canary", box.outside, box.root / "load.so", box.outside / "written"]
    for flag in flags:
        for path in map(str, leads if "%s" in flag else leads[:1]):
            words = flag.replace("%s", path).split(" ")
            # Of many options that --help has a path is no file, but some word or other.
            attack(server, box, counts, {"file": "small.c", "flags": words}, may_open=flag not in FLAGS)
    shown = [server.tool("open_program", file="chat.ll", objective="ir_instructions")]
    shown.append(server.tool("diff_ir", sequence=["sroa"], at=0))
    shown.append(server.tool("get_remarks", sequence=["inline"]))
    shown.append(server.tool("check_sequence", seconds=0.1))
    shown.append(server.tool("open_program", file="bad.c"))
    for mark in MARKS:
        if mark in json.dumps(shown):
            server.fault(f"text of a program has {mark!r} in it: {json.dumps(shown)[:2000]}")
    for fault in box.faults():
        server.fault(fault)
    return counts


def attack(
    server: Server, box: Box, counts: Counter[str], arguments: dict[str, Any], may_open: bool = False
) -> None:
    """Opens a program, which may be allowed; if it can be, uses what there is to see of it."""
    counts["programs"] += 1
    opened = server.tool("open_program", **arguments, objective="ir_instructions", compiles=5, seconds=5)
    if "error" in opened:
        return
    counts["opened"] += 1
    words = [arguments["file"], *arguments.get("flags", [])]
    if any(str(box.outside) in word and not word.startswith("-D") for word in words) and not may_open:
        server.fault(f"it opens {arguments}")
    if arguments["file"] != "small.c":
        out = box.root / "out" / f"a{counts['opened']}"
        out.mkdir()
        for tool, more in (
            ("get_remarks", {}),
            ("check_sequence", {"seconds": 0.1}),
            ("submit_sequence", {"folder": str(out)}),
        ):
            server.tool(tool, sequence=["clang-Oz"], **more)
        for file in out.iterdir():
            if SECRET.encode() in file.read_bytes():
                server.fault(f"{arguments} gets what the canary says into {file.name}")
        shutil.rmtree(out)


class Fuzzer:
    """Sends messages, so many at a time, and keeps the books."""

    def __init__(self, server: Server, requests: Requests, rng: random.Random) -> None:
        """Of one server."""
        self.server, self.requests, self.rng = server, requests, rng
        self.roots_rng = random.Random(rng.random())
        self.count = 0
        self.kinds: Counter[str] = Counter()
        self.recent: list[Any] = []  # ids

    def key(self) -> Any:
        """An id that is nobody else's."""
        self.count += 1
        return self.rng.choice(
            [
                f"r{self.count}",
                self.count,
                self.count,
                -self.count,
                f"r{self.count}\u0000é",
                2**62 + self.count,
                f"{'i' * 300}{self.count}",
            ]
        )

    def request(self, method: Any, params: Any, modern: bool | None = None) -> bytes:
        """A request as a line, whose reply is owed."""
        key = self.key()
        if self.recent and self.rng.random() < 0.02:
            key = self.rng.choice(self.recent)  # again
            self.kinds["an id again"] += 1
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": key, "method": method, "params": params}
        if isinstance(params, dict) and (self.rng.random() < 0.4 if modern is None else modern):
            meta: dict[str, Any] = dict(MODERN)
            if self.rng.random() < 0.1:
                meta[self.rng.choice(list(meta))] = self.requests.anything()
            if self.rng.random() < 0.2:
                meta["progressToken"] = self.rng.choice([key, 1, "x", self.requests.anything()])
            message["params"] = params | {
                "_meta": meta if self.rng.random() < 0.97 else self.requests.anything()
            }
        if self.rng.random() < 0.05:
            message[self.requests.text()[:20] or "x"] = self.requests.anything()
            message |= {"jsonrpc": "2.0", "id": key, "method": method}
        line = self.encoded(message)
        if len(line) <= MOST_MESSAGE:
            self.owe(key)
        else:
            self.server.nulls += 1  # nobody looks for an id in it
        return line

    def encoded(self, message: Any) -> bytes:
        """As JSON, in one of its spellings."""
        text = json.dumps(message, ensure_ascii=self.rng.random() < 0.7, allow_nan=False)
        return text.encode("utf-8", "surrogatepass" if self.rng.random() < 0.0 else "replace")

    def owe(self, key: Any) -> None:
        """A reply to this."""
        self.server.owed[key] += 1
        self.recent = [*self.recent[-30:], key]

    def notification(self) -> bytes:
        """No reply is owed to it. It may take others back."""
        rng, method = (
            self.rng,
            self.rng.choice(
                ["notifications/cancelled"] * 5
                + [
                    "notifications/initialized",
                    "notifications/roots/list_changed",
                    "notifications/x",
                    "$/cancelRequest",
                    "",
                ]
            ),
        )
        params: Any = {
            "requestId": rng.choice([*self.recent[-8:], "none", -1, None, [], self.requests.anything()]),
            "reason": self.requests.text(),
        }
        if method == "notifications/cancelled" and type(params["requestId"]) in (str, int):
            self.server.maybe.add(params["requestId"])
        if method != "notifications/cancelled":
            params = rng.choice([{}, {"x": self.requests.anything()}])
        return self.encoded({"jsonrpc": "2.0", "method": method, "params": params})

    def broken(self) -> bytes:
        """No message, or not quite: one reply is owed, without an id or with it."""
        rng, key = self.rng, self.key()
        good = {"jsonrpc": "2.0", "id": key, "method": "ping"}
        with_id, without = True, False
        message, owes = rng.choice(
            [
                (good | {"id": None}, without),
                (good | {"id": 1.5}, without),
                (good | {"id": [1]}, without),
                (good | {"id": {}}, without),
                (good | {"id": True}, without),
                (good | {"id": 10**30}, without),
                ([good], without),
                ([], without),
                ([good, good], without),
                ("ping", without),
                (7, without),
                (None, without),
                (good | {"jsonrpc": "1.0"}, with_id),
                (good | {"jsonrpc": 2.0}, with_id),
                ({"id": key, "method": "ping"}, with_id),
                (good | {"method": 3}, with_id),
                (good | {"method": None}, with_id),
                (good | {"params": []}, with_id),
                (good | {"params": "x"}, with_id),
                (good | {"params": None}, with_id),
                ({"jsonrpc": "2.0", "id": key}, with_id),
                ({"jsonrpc": "2.0", "id": key, "result": 1, "error": 1}, with_id),
                ({"jsonrpc": "2.0"}, without),
                ({}, without),
            ]
        )
        if owes:
            self.owe(key)
        else:
            self.server.nulls += 1
        return self.encoded(message)

    def noise(self) -> bytes:
        """Bytes that are no JSON, or too much of it: one reply is owed, without an id."""
        rng = self.rng
        self.server.nulls += 1
        depth = rng.choice([33, 100, 10000, 200000])
        return rng.choice(
            [
                lambda: b"[" * depth,
                lambda: b'{"a":' * depth,
                lambda: (
                    b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":'
                    + b"[" * depth
                    + b"]" * depth
                    + b"}}"
                ),
                lambda: b"{" + b",".join(b'"%d":1' % i for i in range(3000)) + b"}",
                lambda: b"A" * rng.choice([10, 1 << 16, (1 << 20) + 2]),
                lambda: b'{"jsonrpc":"2.0","id":"%s","method":"ping"}' % (b"x" * (1 << 20)),
                lambda: b'{"jsonrpc":"2.0","id":"a\xff\xfe","method":"ping"}',
                lambda: b'{"jsonrpc":"2.0","id":"\xed\xa0\x80","method":"ping"}',
                lambda: b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}',
                lambda: b"\x00",
                lambda: b"nul",
                lambda: b"{'id': 1}",
                lambda: b'{"id":NaN}',
                lambda: b"Content-Length: 10",
                lambda: b"GET / HTTP/1.1",
                lambda: b"{}}",
                lambda: b'{"jsonrpc":"2.0","id":1,"method":"ping"',
                lambda: b"\xff" * 100,
                lambda: b"\xc0\xaf" * 10,
                lambda: b'"' * 99,
                lambda: b'{"id":1e999}x',
                lambda: b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1' + b"0" * 400 + b"}}",
            ]
        )()

    def loose(self) -> bytes:
        """A request with some bytes changed, of which nobody knows what it is."""
        rng = self.rng
        # Not of a tool that takes long with other arguments.
        tool = rng.choice(["list_actions", "measure_sequence", "get_features", "edit_sequence", "diff_ir"])
        params = {"name": tool, "arguments": self.requests.valid(tool)}
        self.server.loose += 1
        data = bytearray(
            json.dumps(
                {"jsonrpc": "2.0", "id": f"loose-{self.count}", "method": "tools/call", "params": params}
            ).encode()
        )
        for _ in range(rng.choice([1, 1, 2, 5])):
            at, kind = rng.randrange(len(data)), rng.randrange(4)
            if kind == 0:
                data[at] ^= 1 << rng.randrange(8)
            elif kind == 1:
                del data[at : at + rng.choice([1, 1, 9])]
            elif kind == 2:
                data[at:at] = rng.choice(
                    [b'"', b"{", b"}", b",", b"\\", b"\\u0000", rng.randbytes(3), data[at : at + 20]]
                )
            else:
                data[at] = rng.randrange(256)
            if not data:
                data = bytearray(b"x")
        return bytes(data).replace(b"\n", b" ")

    def answer_roots(self) -> Iterator[bytes]:
        """To what the server asks: mostly the root, else something hostile, or nothing of use."""
        while self.server.wants_roots:
            # With chance of its own: when it is asked is not the same in each run.
            key, rng, box = self.server.wants_roots.pop(), self.roots_rng, self.requests.box
            uri = rng.choice(
                [box.root.as_uri()] * 6
                + [
                    "file:///",
                    box.outside.as_uri(),
                    box.root.as_uri() + "/../outside",
                    f"file://{box.root}/links",
                    "file:///%2e%2e/",
                    "http://x/",
                ]
            )
            result: Any = {"roots": [{"uri": uri}, {"uri": box.root.as_uri()}]}
            if rng.random() < 0.2:
                result = {
                    "roots": [
                        {"uri": box.root.as_uri()},
                        rng.choice([None, 7, [], {"uri": 7}, {"uri": "%"}, "file:///"]),
                    ]
                }
            yield self.encoded({"jsonrpc": "2.0", "id": key, "result": result})

    def message(self) -> bytes:
        """The next one."""
        rng, requests = self.rng, self.requests
        draw = rng.random()
        cheap = [
            "list_actions",
            "measure_sequence",
            "edit_sequence",
            "time_sequence",
            "submit_sequence",
            "check_sequence",
            "explain_sequence",
        ]
        slow = ["get_features", "suggest_actions", "get_remarks", "diff_ir", "search_sequences"]
        choices: list[tuple[float, str, Callable[[], bytes]]] = [
            (0.17, "method", lambda: self.request(*requests.method())),
            (0.15, "tool", lambda: self.call(rng.choice(cheap))),
            (0.035, "slow tool", lambda: self.call(rng.choice(slow))),
            (0.02, "open", lambda: self.call("open_program")),
            (0.21, "mutated tool", lambda: self.mutated()),
            (0.14, "attack", lambda: self.request(*requests.attack())),
            (0.06, "notification", self.notification),
            (0.08, "broken", self.broken),
            (0.06, "noise", self.noise),
            (0.04, "loose", self.loose),
            (
                0.02,
                "answer to nothing",
                lambda: self.encoded(
                    {"jsonrpc": "2.0", "id": rng.choice(["roots-1", "x", 1]), "result": requests.anything()}
                ),
            ),
            (0.008, "blank", lambda: rng.choice([b"", b" ", b"\r", b"\t "])),
            (1.0, "ping", lambda: self.request("ping", {})),
        ]
        for share, kind, make in choices:
            if draw < share:
                self.kinds[kind] += 1
                return make()
            draw -= share
        raise AssertionError

    def call(self, tool: str) -> bytes:
        """A valid call."""
        return self.request("tools/call", {"name": tool, "arguments": self.requests.valid(tool)})

    def mutated(self) -> bytes:
        """A call that is not."""
        tool = self.rng.choice(list(self.requests.schemas))
        arguments = self.requests.mutated(tool)
        if not isinstance(arguments, dict):
            return self.request("tools/call", {"name": tool, "arguments": arguments})
        return self.request(
            "tools/call",
            {"name": tool, "arguments": arguments}
            | ({} if self.rng.random() < 0.95 else {"task": {"ttl": 1}}),
        )

    def run(self, count: int, window: int = 24) -> dict[str, Any]:
        """Sends so many messages."""
        server, highest, samples = self.server, 0, []
        every = max(count // 40, 200)
        for i in range(count):
            server.send(self.message())
            for line in self.answer_roots():
                server.send(line)
            while server.take(0):
                pass
            last = time.monotonic()
            while server.waiting() >= window:
                if server.take(1):
                    last = time.monotonic()
                elif server.process.poll() is not None or time.monotonic() - last > PATIENCE:
                    return self.give_up(samples)
                for line in self.answer_roots():
                    server.send(line)
            if i % every == every - 1:
                samples.append(server.memory())
                highest = max(highest, samples[-1])
                if highest > MOST_MEMORY:
                    server.fault(f"it takes {highest >> 20} MiB")
                    return {"memory": samples}
                for fault in self.requests.box.faults():
                    server.fault(fault)
                if server.faults and len(server.faults) > 20:
                    break
            if sys.stderr.isatty() and i % 500 == 0:
                print(f"\r{i}/{count}, {len(server.faults)} faults ", end="", file=sys.stderr, flush=True)
        # All that comes before this was answered, or is owed for good.
        last = time.monotonic()
        while server.waiting() > 0 and time.monotonic() - last < PATIENCE:
            if server.take(1):
                last = time.monotonic()
            if server.process.poll() is not None:
                return self.give_up(samples)
            for line in self.answer_roots():
                server.send(line)
        while server.take(0.3):
            pass
        self.settle()
        return {"memory": samples}

    def give_up(self, samples: list[int]) -> dict[str, Any]:
        """It has ended, or says nothing any more."""
        ended = self.server.process.poll() is not None
        owed = [key for key in self.server.owed if key not in self.server.maybe][:5]
        self.server.fault(
            f"the server {'ended' if ended else f'does not reply to {owed}'}: {self.server.last_words()}"
        )
        return {"memory": samples}

    def settle(self) -> None:
        """What was owed and never came, or came and was not owed."""
        server = self.server
        for key, count in server.owed.items():
            if key not in server.maybe:
                server.fault(f"{count} replies to {str(key)[:80]!r} never came")
        if server.nulls > 0:
            server.fault(f"{server.nulls} replies without an id never came")
        if server.stray > server.loose:
            server.fault(f"{server.stray} replies to nothing, and only {server.loose} messages were unclear")


def round_trips(server: Server, rounds: int) -> dict[str, tuple[float, float]]:
    """Median and 99th percentile in ms of requests that need no compile: from writing one to its reply."""
    server.tool("open_program", file="small.c", objective="ir_instructions")
    server.tool("measure_sequence", sequence=["sroa"])
    found = {}
    for name, method, params in (
        ("ping", "ping", {}),
        ("tools/list", "tools/list", {}),
        ("list_actions", "tools/call", {"name": "list_actions", "arguments": {}}),
        (
            "measure_sequence, known",
            "tools/call",
            {"name": "measure_sequence", "arguments": {"sequence": ["sroa"]}},
        ),
    ):
        times = []
        for _ in range(rounds):
            began = time.perf_counter()
            server.ask(method, params)
            times.append((time.perf_counter() - began) * 1e3)
        found[name] = (statistics.median(times), sorted(times)[int(len(times) * 0.99)])
    return found


def main() -> int:
    """The exit status: 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="ordo campaign mcp", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("count", nargs="?", type=int, default=100000, help="how many messages [100000]")
    parser.add_argument("--seed", type=int, default=1, help="other messages for another number [1]")
    parser.add_argument(
        "--rounds", type=int, default=1000, help="of each request whose round trip is timed [1000]"
    )
    parser.add_argument("--json", help="a file for what was found")
    parser.add_argument("--log", help="a file for what is sent")
    arguments = parser.parse_args()
    ordo = Path(os.environ.get("ORDO", ROOT / "build/release/bin/ordo")).absolute()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="ordo-campaign-") as name:
        box = Box(Path(name).resolve() / "box")
        log = open(arguments.log, "wb") if arguments.log else None  # noqa: SIM115 (as long as the server)
        server = Server(ordo, box, log)
        tools = server.ask("tools/list", {})["result"]["tools"]
        trips = round_trips(server, arguments.rounds)
        known = attacks(server, box, FLAGS + (all_options() if arguments.count >= EVERYTHING else []))
        attacked = time.monotonic()
        rng = random.Random(arguments.seed)
        fuzzer = Fuzzer(server, Requests(rng, box, tools), rng)
        first = server.memory()
        run = fuzzer.run(arguments.count) if arguments.count else {"memory": []}
        server.end()
        for fault in box.faults():
            server.fault(fault)
        left = [str(path) for path in box.temp.iterdir()]
        if left:
            server.fault(f"files that are left: {left[:5]}")
    seconds = time.monotonic() - attacked
    for what, (median, most) in trips.items():
        print(
            f"round trip of {what}: median {median:.2f} ms, 99th percentile {most:.2f} ms (wanted: at most 3)"
        )
    tried = (
        f"{known['programs']} programs, of which {known['opened']} may be opened, {known['folders']} folders"
    )
    print(f"known attacks: {tried}, in {attacked - began:.0f} s")
    memory = [first, *run["memory"]]
    print(f"memory: {first >> 20} MiB before, at most {max(memory) >> 20}, {memory[-1] >> 20} at the end")
    print("sent: " + ", ".join(f"{n} {what}" for what, n in fuzzer.kinds.most_common()))
    print("came: " + ", ".join(f"{n} {what}" for what, n in server.replies.most_common()))
    print(
        f"{arguments.count} messages in {seconds:.0f} s, seed {arguments.seed}: {len(server.faults)} faults"
    )
    if arguments.json:
        result = {
            "messages": arguments.count,
            "seed": arguments.seed,
            "seconds": round(seconds),
            "round_trips_ms": trips,
            "attacks": known,
            "memory": memory,
            "sent": fuzzer.kinds,
            "came": server.replies,
            "faults": server.faults,
        }
        Path(arguments.json).write_text(json.dumps(result, indent=1) + "\n")
    return 1 if server.faults else 0


if __name__ == "__main__":
    sys.exit(main())
