"""Messages for the `ordo mcp` of the campaign, many at a time, and the books of what is owed for them."""

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from campaign_mcp_requests import Requests
from campaign_mcp_server import PATIENCE, Server

MOST_MEMORY = 1 << 30  # bytes, of the server with its processes
MOST_MESSAGE = 1 << 20  # bytes
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


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
