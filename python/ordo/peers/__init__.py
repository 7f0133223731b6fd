"""Other tuners, as installed from PyPI and unmodified, on Ordo's programs: ``ordo eval --methods peer/NAME``.

A peer is a module of this package with a function ``search(task)`` (:mod:`ordo.methods`). It says how a
sequence of passes is put to the tuner, which is all that may favour or harm it: everything else is the
tuner's own default. ``./ordo peers`` installs what they need; docs/recipes/add-a-peer.md says how to add one.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

from ordo.methods import Task

__all__ = ["load", "names"]


def names() -> list[str]:
    """The peers there are, installed or not."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))


def load(name: str) -> Callable[[Task], Any]:
    """The search of a peer.

    Raises:
        SystemExit: There is no such peer, or the library that it drives is not installed.
    """
    if name not in names():
        raise SystemExit(f"there is no peer '{name}'; known: {', '.join(names())}")
    try:
        return importlib.import_module(f"ordo.peers.{name}").search
    except ModuleNotFoundError as error:
        raise SystemExit(f"peer/{name} needs the package '{error.name}', which is not installed") from error
