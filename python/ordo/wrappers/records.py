"""Records of what happened, for people and for offline learners."""

from __future__ import annotations

import json
import math
import os
import sqlite3
import time
import uuid
from pathlib import Path
from typing import Any

import gymnasium

from ordo.wrappers._base import OrdoWrapper


class _Record(OrdoWrapper):
    """Collects what a step and an episode were, and calls `_write` with it."""

    def __init__(self, env: gymnasium.Env, **arguments: Any):
        super().__init__(env, **arguments)
        self._run = uuid.uuid4().hex
        self._episode = 0
        self._begin({})

    def _begin(self, info: dict[str, Any]) -> None:
        self._steps = 0
        self._return = 0.0
        self._program = info.get("program", "")
        self._names: list[str] = []
        self._metric = info.get("metric", math.nan)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """A new episode. One that was not finished is recorded as ``abandoned``."""
        if self._steps:
            self._end("abandoned")
        observation, info = self.env.reset(seed=seed, options=options)
        self._begin(info)
        return observation, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """A step, which is recorded; the last one of an episode with the episode."""
        result = self.env.step(action)
        _, reward, terminated, truncated, info = result
        self._steps += 1
        self._return += float(reward)
        self._metric = info["metric"]
        name = self._name(action)
        self._names.append(name)
        self._write(
            "step",
            {
                "run": self._run,
                "episode": self._episode,
                "step": self._steps,
                "program": self._program,
                "action": name,
                "reward": float(reward),
                "metric": _number(info["metric"]),
                "status": info["status"],
                "changed": bool(info["changed"]),
                "ending": info["ending"],
            },
        )
        if terminated or truncated:
            self._end(info["ending"] or ("truncated" if truncated else "terminated"))
        return result

    def close(self) -> None:
        """Ends the record and closes the environment."""
        if self._steps:
            self._end("abandoned")
        self._finish()
        super().close()

    def _end(self, ending: str) -> None:
        self._write(
            "episode",
            {
                "run": self._run,
                "episode": self._episode,
                "program": self._program,
                "steps": self._steps,
                "return": self._return,
                "metric": _number(self._metric),
                "ending": ending,
                "actions": self._names,
                "time": time.time(),
            },
        )
        self._episode += 1
        self._steps = 0

    def _name(self, action: Any) -> str:
        try:
            return self.actions[int(action)]
        except TypeError:  # a pair of HierarchicalActions
            return " ".join(str(int(part)) for part in action)

    def _forked(self, copy: Any) -> None:
        copy._run = uuid.uuid4().hex
        copy._names = list(self._names)

    def _write(self, kind: str, row: dict[str, Any]) -> None:
        raise NotImplementedError

    def _finish(self) -> None:
        raise NotImplementedError


class LogToJsonl(_Record):
    """Appends one line of JSON for each step and one for each episode to a file.

    Each line is one ``write`` in append mode, so several processes may share the file, and a process that is
    killed leaves whole lines. Lines have ``kind`` ("step" or "episode"), ``run`` (the environment),
    ``episode``, ``program``, and of a step ``step``, ``action``, ``reward``, ``metric``, ``status``,
    ``changed``, ``ending``; of an episode ``steps``, ``return``, ``metric``, ``ending``, ``actions`` and
    ``time`` (seconds since 1970).

    Args:
        env: The environment.
        path: The file.
        steps: Whether to write the steps too.
    """

    def __init__(self, env: gymnasium.Env, path: str | os.PathLike[str], *, steps: bool = True):
        super().__init__(env, path=path, steps=steps)
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._steps_too = steps

    def _write(self, kind: str, row: dict[str, Any]) -> None:
        if kind == "step" and not self._steps_too:
            return
        line = json.dumps({"kind": kind, **row}, allow_nan=False) + "\n"
        # Opened for each line: what is open would be shared with forked processes and copies of this wrapper.
        fd = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            os.write(fd, line.encode())
        finally:
            os.close(fd)

    def _finish(self) -> None:
        pass


class LogToSqlite(_Record):
    """Writes a row for each step and one for each episode into a SQLite database.

    The tables ``steps`` and ``episodes`` have the fields of :class:`LogToJsonl`, ``actions`` as a JSON list.
    Steps are written with their episode, in one transaction: whoever reads sees whole episodes, and a process
    that is killed loses at most the one under way. The database is in WAL mode, so several processes may
    write.

    Args:
        env: The environment.
        path: The database; its folder has to be on a local disk, as WAL demands.
        steps: Whether to write the steps too.
        timeout_s: How long to wait for other writers.
    """

    def __init__(
        self,
        env: gymnasium.Env,
        path: str | os.PathLike[str],
        *,
        steps: bool = True,
        timeout_s: float = 60.0,
    ):
        super().__init__(env, path=path, steps=steps, timeout_s=timeout_s)
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._steps_too = steps
        self._timeout_s = timeout_s
        self._pending: list[dict[str, Any]] = []
        self._database: sqlite3.Connection | None = None
        self._pid = 0
        self._connect()

    def _connect(self) -> sqlite3.Connection:
        # SQLite forbids the use of a connection in a forked process, which therefore opens one of its own.
        if self._database is None or self._pid != os.getpid():
            self._database = sqlite3.connect(
                self.path, timeout=self._timeout_s, isolation_level=None, check_same_thread=False
            )
            self._pid = os.getpid()
            self._use_wal(self._database)
            self._database.execute("PRAGMA synchronous=NORMAL")
            self._database.executescript(_SCHEMA)
        return self._database

    def _use_wal(self, database: sqlite3.Connection) -> None:
        """Waits for others itself: where the journal's mode changes, SQLite does not, whatever its timeout."""
        end_s = time.monotonic() + self._timeout_s
        while True:
            try:
                database.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError:
                if time.monotonic() > end_s:
                    raise
                time.sleep(0.01)

    def _write(self, kind: str, row: dict[str, Any]) -> None:
        if kind == "step":
            if self._steps_too:
                self._pending.append(row)
            return
        database = self._connect()
        database.execute("BEGIN IMMEDIATE")
        try:
            database.executemany(_STEP, self._pending)
            database.execute(_EPISODE, row | {"actions": json.dumps(row["actions"])})
            database.execute("COMMIT")
        except BaseException:
            database.execute("ROLLBACK")
            raise
        self._pending = []

    def _finish(self) -> None:
        if self._database is not None and self._pid == os.getpid():
            self._database.close()
        self._database = None

    def _forked(self, copy: Any) -> None:
        super()._forked(copy)
        copy._pending = [row | {"run": copy._run} for row in self._pending]
        copy._database = None


_SCHEMA = """
CREATE TABLE IF NOT EXISTS steps (
  run TEXT, episode INTEGER, step INTEGER, program TEXT, action TEXT, reward REAL, metric REAL,
  status TEXT, changed INTEGER, ending TEXT, PRIMARY KEY (run, episode, step)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS episodes (
  run TEXT, episode INTEGER, program TEXT, steps INTEGER, return REAL, metric REAL, ending TEXT,
  actions TEXT, time REAL, PRIMARY KEY (run, episode)) WITHOUT ROWID;
"""
_STEP = (
    "INSERT INTO steps VALUES"
    " (:run, :episode, :step, :program, :action, :reward, :metric, :status, :changed, :ending)"
)
_EPISODE = (
    "INSERT INTO episodes VALUES"
    " (:run, :episode, :program, :steps, :return, :metric, :ending, :actions, :time)"
)


def _number(value: Any) -> float | None:
    number = float(value)
    return number if math.isfinite(number) else None
