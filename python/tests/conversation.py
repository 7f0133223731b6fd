"""Ordo's side of a method, for tests of the other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any


class Conversation:
    """`python -m MODULE WHAT`, spoken to as Ordo does."""

    def __init__(self, module: str, what: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, what],
            env=os.environ | {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    @classmethod
    def of_function(cls, target: str) -> Conversation:
        """With a function of a file."""
        return cls("ordo.methods", target)

    def say(self, message: dict[str, Any]) -> None:
        """Sends a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def hear(self) -> Any:
        """The next line, or None at the end."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def end(self) -> tuple[int, str]:
        """Closes its input; its exit code and what it said on standard error."""
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors
