"""``python -m ordo.agent.demonstrate -o FILE``: writes demonstrations for a language model to learn from.

::

    python -m ordo.agent.demonstrate -o ir.jsonl --programs 1500 --jobs 2
    python -m ordo.agent.demonstrate -o text.jsonl --objective text_bytes --trajectories 5000

Every number in them is the answer of a tool of a running ``ordo mcp``. Programs are modules of the dataset
``debian`` for training (``ordo dataset harvest``), from each package in turn; what is in another split, is
reserved, or is nearly the same as such a program is refused. A run that was stopped, or killed, goes on when
the same command is given again. FILE.card.md says what there is and where it came from.
"""

from __future__ import annotations

import argparse
import collections
import json
import pathlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from ordo.agent import exits, vocabulary
from ordo.agent.card import summary_of, write_card
from ordo.agent.demonstrations import Dialogue, Dropped, Store
from ordo.agent.similar import KeptAway, Similar, file_digest, package_of
from ordo.agent.teacher import Teacher
from ordo.agent.templates import TEMPLATES, demonstrate
from ordo.agent.tools import Server, ServerError, find_ordo

__all__ = ["Maker", "check_programs", "list_programs", "main", "round_robin"]

_MOST_PROGRAMS = 100  # that a server has opened before it is started anew: it keeps each of them
_BUDGETS = (50, 100, 100, 200)  # compiles of a dialogue
_SECONDS = 60.0  # of a dialogue
_TEACHER = (100000, 3600.0)  # its budget
_DIED = "the tool server"  # begins the reason why a program is left out
_MOST_DEATHS = 3  # one after the other
_TELL_S = 10.0  # between lines of progress


def list_programs(ordo: str, split: str, seed: int) -> list[str]:
    """The programs of a split of the dataset ``debian``, in an order that ``seed`` decides.

    Raises:
        ValueError: They cannot be listed; says why.
    """
    command = [ordo, "list", "programs", "debian", "--split", split, "--seed", str(seed), "--json"]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise exits.Refused(exits.UNAVAILABLE, f"{ordo} could not be started: {error}") from error
    if listed.returncode:
        code = listed.returncode if listed.returncode > 1 else exits.UNAVAILABLE
        raise exits.Refused(code, f"'{' '.join(command)}' failed: {listed.stderr.strip()}")
    return [entry["program"] for entry in json.loads(listed.stdout)]


def round_robin(programs: Iterable[str]) -> list[str]:
    """One of each package in turn, each package's in the order they have."""
    packages: dict[str, list[str]] = {}
    for program in programs:
        packages.setdefault(package_of(program), []).append(program)
    longest = max(map(len, packages.values()), default=0)
    return [those[turn] for turn in range(longest) for those in packages.values() if turn < len(those)]


def check_programs(programs: Iterable[str], listed: Iterable[str], kept_away: KeptAway) -> None:
    """Refuses what is not for training.

    Args:
        programs: Those that are asked for.
        listed: All of the split ``train``.
        kept_away: Knows the packages.

    Raises:
        ValueError: One is of another split, reserved, or in none.
    """
    allowed = set(listed)
    for program in programs:
        refusal = kept_away.refusal(program)
        if refusal is not None:
            raise ValueError(f"{program} is {refusal}: nothing may be learned from it")
        if program not in allowed:
            raise ValueError(f"{program} is not in the split 'train' of what was harvested")


@dataclass(frozen=True)
class Settings:
    """What decides the content of a file of demonstrations."""

    objective: str
    seed: int
    templates: tuple[str, ...]
    min_instructions: int
    max_instructions: int
    target_compiles: int


@dataclass
class Made:
    """What came of a program."""

    program: str
    lines: list[dict[str, Any]] = field(default_factory=list)
    left_out: str | None = None
    dropped: dict[str, str] = field(default_factory=dict)  #: why, by template
    seconds: float = 0.0

    def about(self) -> dict[str, Any]:
        """What the state says of it."""
        said: dict[str, Any] = {"seconds": round(self.seconds, 3)}
        said |= {"left_out": self.left_out} if self.left_out else {}
        return said | ({"dropped": self.dropped} if self.dropped else {})


class Maker:
    """Makes the demonstrations of programs, with a tool server for each thread that asks it to.

    Args:
        command: Starts a tool server; a path: of ``ordo``.
        settings: What to make.
        similar: What is known.
        kept_away: What must not be learned from.
    """

    def __init__(
        self, command: Sequence[str] | str, settings: Settings, similar: Similar, kept_away: KeptAway
    ) -> None:
        self._command, self._settings = command, settings
        self._similar, self._kept_away = similar, kept_away
        self._own = threading.local()
        self._servers: list[Server] = []
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Lets what is being made end at its next call."""
        self._stopped.set()

    def close(self) -> None:
        """Ends the servers. Nothing may be made any more."""
        for server in self._servers:
            server.close()

    def make(self, program: str) -> Made:
        """The demonstrations of a program. KeyboardInterrupt after :meth:`stop`."""
        start = time.monotonic()
        made = Made(program)
        for attempt in (1, 2):
            try:
                made = self._made(program)
                break
            except Dropped as reason:
                made = Made(program, left_out=str(reason))
                break
            except ServerError as error:
                if attempt == 2:
                    made = Made(program, left_out=f"{_DIED}: {error}"[:300])
        made.seconds = time.monotonic() - start
        return made

    def _server(self) -> Server:
        if self._stopped.is_set():
            raise KeyboardInterrupt
        server = getattr(self._own, "server", None)
        if server is None:
            server = self._own.server = Server(self._command)
            self._servers.append(server)
        elif not server.running or server.opened > _MOST_PROGRAMS:
            server.start()
        return server

    def _open(self, program: str, compiles: int, seconds: float) -> Dialogue:
        settings = self._settings
        return Dialogue(
            self._server(),
            program,
            settings.objective,
            compiles,
            seconds,
            settings.seed,
            self._stopped.is_set,
        )

    def _made(self, program: str) -> Made:
        settings, made = self._settings, Made(program)
        # A server that is started anew forgets what is open: here, and not between.
        if self._server().opened > _MOST_PROGRAMS - 1 - len(settings.templates):
            self._server().start()
        teacher = Teacher(
            self._open(program, *_TEACHER),
            (settings.min_instructions, settings.max_instructions),
            settings.target_compiles,
        )
        near = self._kept_away.near(program, teacher.counts)
        if near is not None:
            raise Dropped(f"it is nearly the same as {near}, which is kept away")
        teacher.similar = self._similar.of(program, teacher.counts)
        package = package_of(program)
        for number, template in enumerate(settings.templates):
            seed = f"{settings.seed}/{settings.objective}/{program}/{template}"
            budget = _BUDGETS[(sum(program.encode()) + settings.seed + number) % len(_BUDGETS)]

            def start(budget: int = budget) -> Dialogue:
                return self._open(program, budget, _SECONDS)

            try:
                talk = demonstrate(template, teacher, start, seed)
            except Dropped as reason:
                made.dropped[template] = str(reason)
                continue
            if talk is not None:
                made.lines.append(talk.line(package, template))
        return made


def _in_order(make: Callable[[str], Made], programs: Sequence[str], jobs: int) -> Iterator[Made]:
    """What comes of each program, in their order, some of them at once."""
    pool = ThreadPoolExecutor(jobs)
    try:
        waiting: collections.deque[Future[Made]] = collections.deque()
        for program in programs:
            waiting.append(pool.submit(make, program))
            if len(waiting) >= 2 * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m ordo.agent.demonstrate", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("programs_named", metavar="PROGRAM", nargs="*", help="only these (debian/…)")
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path, metavar="FILE.jsonl")
    parser.add_argument("--objective", choices=tuple(vocabulary.SPACES), default="ir_instructions")
    parser.add_argument("--programs", type=int, metavar="N", help="at most so many (all)")
    parser.add_argument("--trajectories", type=int, metavar="N", help="stop when there are so many")
    parser.add_argument("--seed", type=int, default=1, help="of the order, of tools and of chance (1)")
    parser.add_argument("--jobs", type=int, default=1, help="programs at once (1)")
    parser.add_argument("--templates", default=",".join(TEMPLATES), help=f"({','.join(TEMPLATES)})")
    parser.add_argument("--min-instructions", type=int, default=30, help="of a program (30)")
    parser.add_argument("--max-instructions", type=int, default=2000, help="of a program (2000)")
    parser.add_argument("--target-compiles", type=int, default=60, help="of the search for edits (60)")
    parser.add_argument("--experience", type=pathlib.Path, help="(data/experience/debian.jsonl)")
    parser.add_argument("--knowledge", type=pathlib.Path, help="(data/knowledge/debian.json)")
    parser.add_argument("--ordo", help="the program ordo ($ORDO, else the one found)")
    parser.add_argument("--server", nargs="+", help="another command that starts a tool server")
    parser.add_argument("--json", action="store_true", help="a summary on standard output, as JSON")
    return parser


def _chosen(options: argparse.Namespace, ordo: str, kept_away: KeptAway) -> list[str]:
    listed = list_programs(ordo, "train", options.seed)
    if options.programs_named:
        check_programs(options.programs_named, listed, kept_away)
        programs = list(dict.fromkeys(options.programs_named))
    else:
        # What the manifest says now, if it says otherwise than when it was harvested.
        programs = round_robin(program for program in listed if kept_away.refusal(program) is None)
    if not programs:
        raise exits.Refused(
            exits.NOT_FOUND, "there are no programs for training: 'ordo dataset harvest --all' gets them"
        )
    return programs[: options.programs]


def _run(options: argparse.Namespace) -> tuple[dict[str, Any], bool]:
    """Makes what is asked for; a summary, and whether it was interrupted."""
    wanted = options.templates.split(",")
    unknown = [name for name in wanted if name not in TEMPLATES]
    if unknown:
        raise ValueError(f"there is no template '{unknown[0]}'; there are {', '.join(TEMPLATES)}")
    ordo, data = find_ordo(options.ordo), vocabulary.data_folder()
    experience = options.experience or data / "experience" / "debian.jsonl"
    knowledge = options.knowledge or data / "knowledge" / "debian.json"
    kept_away = KeptAway(data / "datasets")
    programs = _chosen(options, ordo, kept_away)
    similar = Similar(options.objective, experience, knowledge, kept_away, data / "datasets")
    settings = Settings(
        options.objective,
        options.seed,
        tuple(name for name in TEMPLATES if name in wanted),
        options.min_instructions,
        options.max_instructions,
        options.target_compiles,
    )
    version = subprocess.run([ordo, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    known = vars(settings) | {
        "version": version,
        "experience": file_digest(experience),
        "knowledge": file_digest(knowledge),
    }
    store = Store(options.output, known)
    maker = Maker(options.server or ordo, settings, similar, kept_away)
    interrupted = False
    try:
        _make_all(store, maker, programs, options)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        maker.stop()
        maker.close()
        store.settle()
        summary = summary_of(store, options.output)
        write_card(options.output, summary, store.settings, _command())
        store.close()
    return summary | {"interrupted": interrupted}, interrupted


def _command() -> str:
    return " ".join(["python -m ordo.agent.demonstrate", *sys.argv[1:]])


def _make_all(store: Store, maker: Maker, programs: list[str], options: argparse.Namespace) -> None:
    enough = options.trajectories or sys.maxsize
    finished = store.finished
    wanted = [program for program in programs if program not in finished]
    done, begun, told, first = len(programs) - len(wanted), time.monotonic(), 0.0, store.count
    if done:
        print(f"{done} programs are finished, with {first} trajectories", file=sys.stderr, flush=True)
    if store.count >= enough:
        return
    deaths = 0
    for made in _in_order(maker.make, wanted, options.jobs):
        deaths = deaths + 1 if (made.left_out or "").startswith(_DIED) else 0
        if deaths >= _MOST_DEATHS:
            raise ServerError(f"{deaths} programs, one after the other: {made.left_out}")
        store.add(made.program, made.lines, made.about())
        done += 1
        now = time.monotonic()
        if now - told >= _TELL_S or done == len(programs):
            told = now
            each = (now - begun) / max(1, store.count - first)
            line = f"{done}/{len(programs)} programs, {store.count} trajectories, {each:.2f} s each"
            print(line, file=sys.stderr, flush=True)
        if store.count >= enough:
            return


def _interrupt(*_: Any) -> None:
    # Once is enough: what follows takes seconds, and must not be interrupted.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    options = _parser().parse_args(arguments)
    heard: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        heard = {number: signal.signal(number, _interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with exits.telling("demonstrate"):
            try:
                summary, interrupted = _run(options)
            except BlockingIOError as error:
                raise BlockingIOError(f"another process writes {options.output}") from error
    except KeyboardInterrupt:  # before there was anything to keep
        raise SystemExit(exits.INTERRUPTED) from None
    finally:
        for number, handler in heard.items():
            signal.signal(number, handler)
    if options.json:
        print(json.dumps(summary))
    if interrupted:
        print("interrupted: the same command goes on", file=sys.stderr)
        raise SystemExit(exits.INTERRUPTED)


if __name__ == "__main__":
    main()
