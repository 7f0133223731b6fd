"""What is known of programs for training, and which of them are like a new one.

Known are the best sequences of ``data/experience/debian.jsonl`` and ``data/knowledge/debian.json``. Programs
are alike where their Autophase counts before any pass are: the distance is Euclid's, of logarithms, each
scaled by how much it differs among the known programs. Leaving out each of 809 programs of the experience
with its package, the median gain of the 16 nearest has a rank correlation of 0.37 with its own for
``ir_instructions``, and 0.35 for ``text_bytes``: an estimate, and a rough one.
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordo.agent import exits, vocabulary

__all__ = ["KeptAway", "Known", "Neighbourhood", "Similar", "file_digest", "package_of", "splits_of_packages"]

NEIGHBOURS = 16

_INSTRUCTIONS = vocabulary.FEATURES.index("TotalInsts")
# As tests/conformance/reserved_test.cpp has them.
_SMALLEST, _NEAR, _NEAR_WITH_SAME_NAME = 50, 0.02, 0.06


@dataclass(frozen=True)
class Known:
    """The best that was found for a program."""

    program: str
    sequence: tuple[str, ...]
    gain: float  #: over the baseline, as a fraction


@dataclass(frozen=True)
class Neighbourhood:
    """The known programs that are most like one, the nearest first."""

    known: tuple[Known, ...]
    unusual: tuple[str, ...]  #: names of its counts that differ most from what is usual, the most first
    usual: dict[str, int]  #: what is usual of these

    @property
    def estimate(self) -> float:
        """What is to be gained: the median of what they gained. 0 if there are none."""
        return float(np.median([one.gain for one in self.known])) if self.known else 0.0

    @property
    def gained(self) -> int:
        """How many of them gained anything."""
        return sum(one.gain > 0 for one in self.known)

    def uses(self) -> Counter[str]:
        """In how many of their sequences each action stands, where something was gained."""
        return Counter(name for one in self.known if one.gain > 0 for name in dict.fromkeys(one.sequence))


def package_of(program: str) -> str:
    """``debian/zlib/inflate.c`` is of ``zlib``. What is not of a dataset of packages is of its own."""
    parts = program.split("/")
    return parts[1] if len(parts) > 2 else program


def file_digest(file: os.PathLike[str] | str) -> str:
    """SHA-256 of a file's bytes, in 16 letters: which one it was."""
    return hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest()[:16]


def splits_of_packages(datasets: pathlib.Path) -> dict[str, str]:
    """The split of each package in the manifest, or ``reserved``."""
    splits: dict[str, str] = {}
    text = (datasets / "debian.toml").read_text(encoding="utf-8")
    for block in text.split("[[package]]")[1:]:
        fields = dict(re.findall(r'^(\w+)\s*=\s*"([^"\n]*)"', block, re.MULTILINE))
        splits[fields["name"]] = "reserved" if "reserved" in fields else fields["split"]
    return splits


def _hashes(datasets: pathlib.Path) -> dict[str, str]:
    """The hash of the bitcode of each harvested module, by its program."""
    hashes, package = dict[str, str](), ""
    for line in (datasets / "debian.hashes").read_text(encoding="utf-8").splitlines():
        if not line.startswith(" "):
            package = line
        else:
            value, name = line.strip().split(" ", 1)
            hashes[f"debian/{package}/{name}"] = value
    return hashes


def _counts(datasets: pathlib.Path) -> dict[str, np.ndarray]:
    """Autophase before any pass, by hash of the bitcode."""
    lines = (datasets / "debian.autophase").read_text(encoding="utf-8").splitlines()
    words = (line.split() for line in lines)
    return {word[0]: np.array(word[1:], dtype=np.int64) for word in words}


class KeptAway:
    """Programs that nothing may be learned from, and what is nearly the same as one.

    Args:
        datasets: The folder with the manifest, hashes and counts.
    """

    def __init__(self, datasets: pathlib.Path) -> None:
        self.splits = splits_of_packages(datasets)
        hashes, counts = _hashes(datasets), _counts(datasets)
        kept = {
            name: counts[value]
            for name, value in hashes.items()
            if self.splits.get(package_of(name)) != "train" and value in counts
        }
        self._names = list(kept)
        self._counts = np.array(list(kept.values()), dtype=float).reshape(-1, len(vocabulary.FEATURES))

    def refusal(self, program: str) -> str | None:
        """Why nothing may be learned from a program, by its package; None if it may."""
        split = self.splits.get(package_of(program)) if program.startswith("debian/") else None
        if split == "train":
            return None
        where = "of no package of the manifest" if split is None else f"of the split '{split}'"
        return where if split != "reserved" else "reserved: its package is part of published benchmarks"

    def near(self, program: str, counts: np.ndarray) -> str | None:
        """The program kept away that one with these counts is a near-duplicate of, if there is one."""
        if counts[_INSTRUCTIONS] < _SMALLEST or not self._names:
            return None
        different = np.abs(self._counts - counts).sum(1)
        distances = different / np.maximum((self._counts + counts).sum(1), 1)
        large = self._counts[:, _INSTRUCTIONS] >= _SMALLEST
        for index in np.flatnonzero(large & (distances <= _NEAR_WITH_SAME_NAME)):
            same = _file_name(self._names[index]) == _file_name(program)
            if same or distances[index] <= _NEAR:
                return self._names[index]
        return None


def _file_name(program: str) -> str:
    return program.rpartition("/")[2].partition("@")[0]


class Similar:
    """The known programs, and their counts.

    Args:
        objective: What is to be made less.
        experience: A file of docs/formats/experience.md.
        knowledge: One of docs/formats/knowledge.md, or None.
        datasets: Has the counts of programs whose experience has no states.

    Raises:
        ValueError: The experience is of programs that nothing may be learned from, or is none.
    """

    def __init__(
        self,
        objective: str,
        experience: os.PathLike[str] | str,
        knowledge: os.PathLike[str] | str | None,
        kept_away: KeptAway,
        datasets: pathlib.Path,
    ) -> None:
        actions = set(vocabulary.read_spaces()[objective])
        hashes, shipped = _hashes(datasets), _counts(datasets)
        known: dict[str, Known] = {}
        counts: dict[str, np.ndarray] = {}
        found = [*_runs(experience, objective), *(_mined(knowledge, objective) if knowledge else ())]
        for one, own in found:
            refusal = kept_away.refusal(one.program)
            if refusal is not None:
                raise ValueError(f"{experience} has {one.program}, which is {refusal}")
            own = shipped.get(hashes.get(one.program, "")) if own is None else own
            usable = one.sequence and actions.issuperset(one.sequence)
            better = one.program not in known or one.gain > known[one.program].gain
            if own is not None and better and (usable or one.gain <= 0):
                known[one.program], counts[one.program] = one, own
        self.known = list(known.values())
        self._counts = np.array([counts[one.program] for one in self.known], dtype=float)
        self._counts = self._counts.reshape(-1, len(vocabulary.FEATURES))
        logs = np.log1p(self._counts)
        self._mean = logs.mean(0) if self.known else np.zeros(len(vocabulary.FEATURES))
        self._scale = logs.std(0) + 1e-9 if self.known else np.ones(len(vocabulary.FEATURES))
        self._places = (logs - self._mean) / self._scale
        self._packages = np.array([package_of(one.program) for one in self.known])

    def of(self, program: str, counts: np.ndarray, most: int = NEIGHBOURS) -> Neighbourhood:
        """Those of other packages that are most like ``program``, copies of it left out.

        Args:
            program: Its name says its package.
            counts: Its Autophase before any pass.
            most: So many.
        """
        place = (np.log1p(counts) - self._mean) / self._scale
        distances = np.sqrt(((self._places - place) ** 2).sum(1))
        # What would be its own experience under another name tells more than there is to know.
        same = (self._packages == package_of(program)) | (self._counts == counts).all(1)
        order = [int(i) for i in np.argsort(distances, kind="stable") if not same[i]][:most]
        odd = [int(i) for i in np.argsort(-np.abs(place), kind="stable")[:3]]
        usual = {vocabulary.FEATURES[i]: round(float(np.expm1(self._mean[i]))) for i in odd}
        return Neighbourhood(
            tuple(self.known[i] for i in order), tuple(vocabulary.FEATURES[i] for i in odd), usual
        )


def _runs(file: os.PathLike[str] | str, objective: str) -> Iterator[tuple[Known, np.ndarray | None]]:
    """The best of each run for the objective, with the counts that the file itself has."""
    with pathlib.Path(file).open(encoding="utf-8") as stream:
        header: dict[str, Any] = json.loads(stream.readline() or "{}")
        if header.get("format") != 1 or "actions" not in header:
            raise exits.Refused(exits.BAD_FILE, f"{file} is no experience of format 1")
        names, baseline = header["actions"], header["baseline"]
        kinds = [observation["name"] for observation in header.get("observations", ())]
        for line in stream:
            if not line.endswith("\n"):
                return  # torn
            run = json.loads(line)
            if run.get("objective") != objective or not run.get("best"):
                continue
            before, best = run["references"][baseline].get(objective), run["best"][0]
            if not before:
                continue
            own = None
            if "autophase" in kinds and best.get("states"):
                state = run["states"][best["states"][0]]
                own = np.array(state[kinds.index("autophase")], dtype=np.int64)
            gain = (before - best["values"][objective]) / before
            yield Known(run["uri"], tuple(names[i] for i in best["actions"]), gain), own


def _mined(file: os.PathLike[str] | str, objective: str) -> Iterator[tuple[Known, None]]:
    """The programs of a file of knowledge, if it is of this objective."""
    mined = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
    if mined.get("objective") == objective:
        for program in mined["programs"]:
            yield Known(program["uri"], tuple(program["best"]), program["gain"]), None
