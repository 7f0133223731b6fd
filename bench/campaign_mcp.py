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
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from campaign_mcp_box import SECRET, Box
from campaign_mcp_fuzzer import Fuzzer
from campaign_mcp_requests import FLAGS, MARKS, Requests
from campaign_mcp_server import Server

ROOT = Path(__file__).resolve().parents[1]
EVERYTHING = 10000  # messages; from there on all of clang's options are tried


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
