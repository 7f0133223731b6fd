"""What the caller gave, looked at before the native module does: errors that name the argument."""

from __future__ import annotations

import difflib
import operator
import os
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np


def integer(name: str, value: Any, least: int = 0, most: int = 2**63 - 1) -> int:
    """An int, also NumPy's, but no bool: from ``least`` to ``most``."""
    if isinstance(value, np.ndarray) and value.size == 1:
        value = value.item()
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is an int, not {_shown(value)}")
    if not least <= number <= most:
        raise ValueError(f"{name} is {least} to {most}, not {number}")
    return number


def seconds(name: str, value: Any) -> float:
    """A time of more than none."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name} is a number of seconds, not {_shown(value)}")
    if not 0 < float(value) < float("inf"):
        raise ValueError(f"{name} is more than 0, not {value}")
    return float(value)


def flag(name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is True or False, not {_shown(value)}")
    return bool(value)


def text(name: str, value: Any) -> str:
    """A str, or a path of files."""
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{name} is a str, not {_shown(value)}")
    return os.fspath(value)


def texts(name: str, value: Any) -> list[str]:
    """A str, or several."""
    if isinstance(value, (str, os.PathLike)):
        return [text(name, value)]
    if not isinstance(value, Sequence) or isinstance(value, bytes):
        raise TypeError(f"{name} is a str or a list of them, not {_shown(value)}")
    return [text(f"{name}[{i}]", one) for i, one in enumerate(value)]


def numbers(name: str, value: Any, dtype: Any) -> np.ndarray:
    """A one-dimensional array of integers, as the native module takes it."""
    array = np.asarray(value)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} are integers, not {array.dtype}")
    if array.ndim != 1:
        raise ValueError(f"{name} are one-dimensional, one for each environment, not of shape {array.shape}")
    return np.ascontiguousarray(array, dtype)


def options(config: type[Any], given: dict[str, Any]) -> None:
    """Refuses options that ``config``, a dataclass, does not have."""
    known = [field.name for field in fields(config) if field.init]
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            guess = f"; did you mean {near[0]}?" if near else "."
            raise TypeError(f"there is no option {name}{guess} There are {', '.join(known)}")


def _shown(value: Any) -> str:
    shown = repr(value)
    return f"{type(value).__name__} {shown if len(shown) <= 60 else shown[:57] + '...'}"
