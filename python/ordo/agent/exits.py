"""How commands end that fail: with the exit codes of docs/exit-codes.md, as those of ``ordo`` do."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator

from ordo.agent.tools import ServerError

__all__ = ["BAD_FILE", "INTERRUPTED", "MISUSED", "NOT_FOUND", "UNAVAILABLE", "Ended", "Refused", "telling"]

MISUSED, BAD_FILE, NOT_FOUND, UNAVAILABLE, INTERRUPTED = 64, 65, 66, 69, 130


class Refused(ValueError):
    """What cannot be done, with the exit code that a command ends with for it."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.exit_code = code


class Ended(SystemExit):
    """The end of a command that failed: its text is why, which was said on standard error."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code = code
        print(why, file=sys.stderr, flush=True)


def _code_of(error: Exception) -> int:
    if isinstance(error, FileNotFoundError):
        return NOT_FOUND
    if isinstance(error, (OSError, ServerError)):
        return UNAVAILABLE
    if isinstance(error, (json.JSONDecodeError, UnicodeDecodeError)):
        return BAD_FILE
    return getattr(error, "exit_code", MISUSED)


@contextlib.contextmanager
def telling(command: str) -> Iterator[None]:
    """Ends the command, and says why, where its work raises what is no fault of Ordo's own.

    Raises:
        Ended: ValueError, OSError or ServerError was raised.
    """
    try:
        yield
    except (ValueError, OSError, ServerError) as error:
        raise Ended(_code_of(error), f"ordo.agent.{command}: {error}") from error
