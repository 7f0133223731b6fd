"""``python -m ordo.cluster ADDRESS PREFIX DATA SCRATCH``: packets of ``ordo`` on standard input, to Ray.

The lines are those of ``src/cluster/cluster.cpp``. Ray schedules, moves contents, notices what is lost and
runs it again; all that is done here is to say what there is to run. At the end of the input, or with the
death of ``ordo``, all of it ends.
"""

from __future__ import annotations

import collections
import hashlib
import io
import json
import os
import pathlib
import queue
import sys
import threading
import time
import zipfile
from typing import Any, TextIO

import ray
import ray.cloudpickle

from ordo.cluster import node

ray.cloudpickle.register_pickle_by_value(node)

#: What a packet is run with. `ordo eval` and others start with these beside them.
_PROGRAMS = ("ordo", "ordo-worker", "ordo-differ", "ordo-capture")
#: How often a packet may be disturbed, or lose its machine.
_TRIES = 20
_SECONDS = 2.0  # between two looks at the machines


@ray.remote(num_cpus=1, max_retries=_TRIES, retry_exceptions=[node.Disturbed])
def _work(packet: node.Work, contents: dict[str, Any]) -> tuple[str, int, str, bytes | None]:
    """Runs on a machine. ``contents`` are references, so that only what is missing there moves."""
    code, words, output = node.work(packet, lambda digest: ray.get(contents[digest]))
    return ray.get_runtime_context().get_node_id(), code, words, output


class Store:
    """Contents in Ray's object store, each once."""

    def __init__(self) -> None:
        self._references: dict[str, Any] = {}
        self._known: dict[tuple[str, int, int], str] = {}  # by path, size and time

    def put(self, content: bytes) -> str:
        """Its hash."""
        digest = hashlib.sha256(content).hexdigest()
        if digest not in self._references:
            self._references[digest] = ray.put(content)
        return digest

    def put_file(self, path: str) -> str:
        """The hash of what it holds."""
        status = os.stat(path)
        key = path, status.st_size, status.st_mtime_ns
        if key not in self._known:
            self._known[key] = self.put(pathlib.Path(path).read_bytes())
        return self._known[key]

    def references(self, digests: set[str]) -> dict[str, Any]:
        """For a packet."""
        return {digest: self._references[digest] for digest in digests}


def bundle(prefix: pathlib.Path, data: pathlib.Path) -> bytes:
    """The programs and what they read, as an archive that depends on the contents only."""
    files = {f"bin/{name}": prefix / "bin" / name for name in _PROGRAMS}
    for folder, _, names in os.walk(data, followlinks=True):
        for name in names:
            path = pathlib.Path(folder, name)
            files[f"share/ordo/{path.relative_to(data)}"] = path
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, path in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


class Counter:
    """Which machine has done how much, and which are there."""

    def __init__(self) -> None:
        self._done: collections.Counter[str] = collections.Counter()
        self._names: dict[str, str] = {}

    def add(self, identity: str) -> str:
        """Another packet of that machine, whose name is returned."""
        self._done[identity] += 1
        return self._names.get(identity, identity)

    def report(self) -> dict[str, Any]:
        """The line of what there is."""
        slots, words = 0, []
        for one in sorted(ray.nodes(), key=lambda one: (one["NodeName"], one["NodeID"])):
            name, done = one["NodeName"], self._done[one["NodeID"]]
            self._names[one["NodeID"]] = name
            processors = int(one["Resources"].get("CPU", 0)) if one["Alive"] else 0
            slots += processors
            if processors:
                words.append(f"{name} {done} done on {processors}")
            elif done:
                words.append(f"{name} {done} done, gone")
        return {"slots": slots, "nodes": "; ".join(words)}


def _own_output() -> TextIO:
    """The standard output, for us alone: Ray writes there, too, when it loses a machine."""
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return own


_OUT = _own_output()


def _say(**line: Any) -> None:
    print(json.dumps(line), file=_OUT, flush=True)


def _listen(lines: queue.SimpleQueue[str]) -> None:
    for line in sys.stdin:
        lines.put(line)
    lines.put("")


def _submit(line: str, programs: str, store: Store, under_way: dict[Any, tuple[int, bool]]) -> None:
    told = json.loads(line)
    inputs = {name: store.put_file(path) for name, path in told["inputs"].items()}
    packet = node.Work(programs, told["arguments"], inputs, told["environment"], told["output"])
    away = {digest for name, digest in inputs.items() if not os.path.isabs(name)} | {programs}
    under_way[_work.remote(packet, store.references(away))] = told["packet"], told["output"].endswith("/")


def _arrive(reference: Any, number: int, folder: bool, counter: Counter, scratch: pathlib.Path) -> None:
    try:
        identity, code, words, output = ray.get(reference)
    except ray.exceptions.RayError as error:
        _say(packet=number, lost=str(error).strip().splitlines()[-1])
        return
    place = ""
    if output is not None:
        place = str(scratch / str(number))
        if folder:
            with zipfile.ZipFile(io.BytesIO(output)) as archive:
                archive.extractall(place)
        else:
            pathlib.Path(place).write_bytes(output)
    _say(packet=number, node=counter.add(identity), code=code, words=words, output=place)


def main() -> int:
    """Serves until the end of the input."""
    address, prefix, data, scratch = sys.argv[1], *map(pathlib.Path, sys.argv[2:5])
    ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    store, counter = Store(), Counter()
    programs = store.put(bundle(prefix, data))
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=[lines], daemon=True).start()
    under_way: dict[Any, tuple[int, bool]] = {}  # number, and whether a folder comes back
    looked = 0.0
    while True:
        if time.monotonic() - looked > _SECONDS:
            _say(**counter.report())
            looked = time.monotonic()
        try:
            while line := lines.get(block=not under_way, timeout=_SECONDS):
                _submit(line, programs, store, under_way)
                if lines.empty():
                    break
            else:
                return 0
        except queue.Empty:
            pass
        if under_way:
            for reference in ray.wait(list(under_way), timeout=0.5)[0]:
                _arrive(reference, *under_way.pop(reference), counter, scratch)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, ConnectionError, RuntimeError) as error:
        sys.exit(f"ordo: {str(error).strip().splitlines()[0]}")
