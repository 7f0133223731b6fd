"""The engines of this process: workers of LLVM or of MLIR, shared by all environments on them."""

from __future__ import annotations

import os
import pathlib
import subprocess
import threading
from typing import Any

from ordo import _core

_lock = threading.Lock()
_engines: dict[str, _core.Engine] = {}  # by worker program
_pid: int | None = None


def _after_fork() -> None:
    """In a process forked from ours: another thread may have had the lock, which nobody opens here."""
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)


def engine(worker: str = "") -> _core.Engine:
    """The engine, started on first use; a process forked from ours gets one of its own.

    ``worker`` names one of Ordo's own worker programs other than LLVM's, ``ordo-mlir-worker``.

    Set ``ORDO_MEMORY_MIB`` (2048) and ``ORDO_STEP_SECONDS`` (60) before the first use to limit what one
    pass may take, and ``ORDO_REMEMBER_CRASHES=1`` to share the crash ledger between processes: which
    passes are masked then depends on what happened before, so it is off by default. ``ORDO_WORKER`` is the
    worker program of a backend other than LLVM (docs/recipes/add-a-backend.md).
    """
    global _pid
    with _lock:
        if _pid != os.getpid():
            _engines.clear()
            _pid = os.getpid()
        if worker not in _engines:
            prefix = pathlib.Path(__file__).parent / "_native"
            program = str(prefix / "bin" / worker) if worker else os.environ.get("ORDO_WORKER", "")
            if worker and not pathlib.Path(program).exists():
                raise _core.Error(
                    f"{worker} is not beside this package: in Ordo's sources './ordo mlir schedule"
                    " mlir/matmul/64x64x64' installs MLIR and builds it, for the package of './ordo python';"
                    " wheels have none (docs/mlir.md, 'For training')"
                )
            try:
                _engines[worker] = _core.start(
                    prefix=str(prefix.resolve()),
                    memory_mib=int(os.environ.get("ORDO_MEMORY_MIB", "2048")),
                    step_seconds=float(os.environ.get("ORDO_STEP_SECONDS", "60")),
                    remember_crashes=os.environ.get("ORDO_REMEMBER_CRASHES", "0") == "1",
                    worker=program,
                )
            except _core.Error as error:
                missing = missing_libraries(prefix / "bin" / "ordo-worker")
                if not missing:
                    raise
                raise _core.Error(
                    f"LLVM workers cannot start without {', '.join(missing)}; install LLVM 22.1"
                    " (Debian's package libllvm22) or install Ordo again where it is"
                ) from error
        return _engines[worker]


def missing_libraries(program: pathlib.Path) -> list[str]:
    """The shared libraries that a program needs and that the dynamic linker does not find."""
    try:
        listing = subprocess.run(
            [program], env=os.environ | {"LD_TRACE_LOADED_OBJECTS": "1"}, capture_output=True, text=True
        ).stdout
    except OSError:
        return []
    return sorted({line.split()[0] for line in listing.splitlines() if line.endswith("not found")})


def info() -> dict[str, Any]:
    """What the backend is (``version``, ``target``) and what it measures (``metrics``)."""
    return engine().info


def stats() -> dict[str, int]:
    """How many workers this process has started, and how many of them died or were replaced."""
    return engine().stats


def datasets() -> list[dict[str, Any]]:
    """All datasets: name, pattern of their URIs, summary, and what keeps them from being used here."""
    engine()
    return _core.datasets()


def programs(
    dataset: str, limit: int | None = None, *, seed: int | None = None, split: str = "all"
) -> list[str]:
    """URIs of the programs of a dataset or of what is under a URI: ``suite``, ``dir:corpus``, ``csmith``.

    With a ``seed`` a random sample of ``limit`` of them. ``split`` is all, train, validation or test.
    """
    engine()
    return _core.programs(dataset, limit, seed, split)


def functions(program: str, *, evaluation: bool = False) -> list[str]:
    """URIs of the functions of a program, ``suite/chess#play``: each is a program of its own for an episode.

    Calls are inlined first, so that a function is what choices by function begin with; names are those that the
    linker sees.
    """
    return _core.functions(engine(), program, evaluation)
