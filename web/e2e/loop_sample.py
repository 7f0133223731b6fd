"""Writes the store of a loop (docs/formats/loop-store.md) beside FOLDER/loop.toml."""

import json
import random
import re
import sqlite3
import sys
import time
from pathlib import Path

SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE experiment (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, candidate TEXT NOT NULL,
  baseline TEXT NOT NULL, probability REAL, policy TEXT NOT NULL, toolchain TEXT NOT NULL,
  state TEXT NOT NULL, outcome TEXT, cause TEXT NOT NULL, artifact TEXT NOT NULL, hash TEXT NOT NULL,
  staged REAL, staged_error REAL, restarts INTEGER NOT NULL, created REAL NOT NULL, changed REAL NOT NULL);
CREATE TABLE transition (experiment TEXT, number INTEGER, before TEXT, after TEXT, cause TEXT, at REAL,
  PRIMARY KEY (experiment, number)) WITHOUT ROWID;
CREATE TABLE window (experiment TEXT, begin REAL, seen TEXT, PRIMARY KEY (experiment, begin)) WITHOUT ROWID;
CREATE TABLE reward (experiment TEXT PRIMARY KEY, value REAL, error REAL, censored INTEGER, verdict TEXT,
  why TEXT, inputs TEXT, whole TEXT, computed REAL) WITHOUT ROWID;
CREATE TABLE spending (at REAL PRIMARY KEY, requests REAL, bad REAL) WITHOUT ROWID;
INSERT INTO meta VALUES ('format', '1'), ('production', 'fast'), ('mode', 'explore');
"""
STATES = ["proposed", "built", "verified", "staged", "warmup", "ramp", "observe"]
ENDS = ["promoting", "ended", "rewarded", "closed"]


def window(begin: float, speed: float, share: float, gap: str, rng: random.Random) -> str:
    """What is seen in 30 seconds where the canary takes `speed` times as long."""

    def arm(factor: float) -> dict[str, object]:
        base = factor * (1 + rng.uniform(-0.03, 0.03))
        cells = [(0.010, 0.015, 300), (0.015, 0.025, 120), (0.025, 0.040, 30), (0.040, 0.080, 6)]
        latency = [[low * base, high * base, count] for low, high, count in cells]
        return {"latency": latency, "errors": 0, "redispatches": 0, "up": True, "reset": False}

    seen = {"begin": begin, "end": begin + 30, "share": share, "gap": gap}
    return json.dumps(seen | {"control": arm(1), "canary": arm(speed)})


def main(folder: Path) -> None:
    """Three experiments, and an hour of spending."""
    rng, now = random.Random(1), time.time()
    settings = folder / "loop.toml"
    text = re.sub(r"(?m)^candidates = .*$", 'candidates = ["fast", "large", "new"]', settings.read_text())
    settings.write_text(text)
    store = re.search(r'(?m)^store = "(.*)"', text)
    toolchain = re.search(r'(?m)^toolchain = "(.*)"', text)
    with sqlite3.connect(folder / (store[1] if store else "loop.sqlite")) as data:
        data.executescript(SCHEMA)
        for number, (name, candidate, outcome, speed) in enumerate(
            [("a1", "fast", "promoted", 0.9), ("b2", "large", "rolled back", 1.4), ("c3", "new", "", 0.98)]
        ):
            began = now - 3600 * (3 - number)
            walk = STATES + (ENDS if outcome else [])
            row = (
                name,
                candidate,
                "" if number == 0 else "fast",
                0.4,
                "1",
                toolchain[1] if toolchain else "",
            )
            end = (walk[-1], outcome or None, "as seen", "", "", 0.04, 0.01, 0, began, began + 900)
            data.execute(f"INSERT INTO experiment VALUES (NULL{', ?' * 16})", row + end)
            for i, (before, after) in enumerate(zip(walk, walk[1:])):
                data.execute(
                    "INSERT INTO transition VALUES (?, ?, ?, ?, ?, ?)",
                    (name, i, before, after, "", began + 60 * i),
                )
            for i in range(40):
                at, share, gap = (
                    began + 30 * i,
                    [0.01, 0.05, 0.1][min(i // 5, 2)],
                    "no scrape" if i == 20 else "",
                )
                data.execute(
                    "INSERT INTO window VALUES (?, ?, ?)", (name, at, window(at, speed, share, gap, rng))
                )
        reward = [
            ("a1", 0.105, 0.012, 0, "promote", "speed +0.105"),
            ("b2", -0.33, 0.02, 1, "reject", "the guard saw harm"),
        ]
        for name, value, error, censored, verdict, why in reward:
            data.execute(
                "INSERT INTO reward VALUES (?, ?, ?, ?, ?, ?, ?, '{}', ?)",
                (name, value, error, censored, verdict, why, "0" * 32, now - 1000),
            )
        data.executemany(
            "INSERT INTO spending VALUES (?, ?, ?)", [(now - 60 * i, 9000, 3 + i % 5) for i in range(60)]
        )
    data.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
