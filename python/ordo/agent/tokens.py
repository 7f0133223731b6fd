"""The table of compact tokens: one for each action, frame of the protocol, name and bin of a number.

A pass written out is 15 to 25 tokens of a usual tokenizer, and a program's features 700. Here each is one, so
that a whole dialogue is 80 to 150 tokens. A token has a name, ``kind:value`` without spaces, such as
``action:gvn``, ``frame:call``, ``gain:0.05`` or ``feature:TotalInsts=257``; its id is its place in the table.
The table is saved beside the weights, which mean nothing without it.

What no name says is spelled with pieces of the base model's vocabulary, of which the table has the 256 bytes
and those that the demonstrations need. Spelling takes the longest piece that fits, so that it needs no
tokenizer, and any text comes back exactly.
"""

from __future__ import annotations

import bisect
import functools
import hashlib
import json
import os
import pathlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ordo.agent import exits, vocabulary

__all__ = ["TokenTable", "bins", "learn_pieces"]

VERSION = 1

#: ``pad`` comes first, so that it is 0. ``glue`` joins a name to the text before it, which a space does else.
FRAMES = (
    "pad end system user assistant result think unthink call text number key close glue "
    "list unlist object unobject true false null best accepted refused verified passed more"
).split()

#: Small whole numbers that are one token: places in sequences, counts of suggestions and the like.
INTEGERS = (*range(65), 80, 100, 120, 150, 200, 250, 300, 400, 500, 600, 800, 1000)

#: The k-th name or path that the dialogue has shown: a model repeats it without spelling.
POINTERS = 8


def _signed(bounds: Sequence[float]) -> list[float]:
    return [-bound for bound in reversed(bounds)] + [0] + list(bounds)


_POWERS = [2**k for k in range(1, 15)]

#: The least number of each bin, by kind. A number belongs to the last bin that is not above it; of those with
#: a sign, to that on the side of 0, so that a gain of -0.001 is -0.0005 and a small one is no change.
_BINS: dict[str, list[float]] = {
    "gain": _signed(
        [0.0005, 0.002, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 1]
    ),
    "saves": _signed([1, 2, 3, 5, 9, 17, 33, 65, 129, 257, 513, 1025]),
    "size": [0] + sorted({round(2 ** (k / 2)) for k in range(45)}),
    "left": [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512],
    "count": [0, 1, 2, 3, 5, 9, 17, 33, 65],
    "chance": [0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9],
}

#: Least count of a feature's bins: 1, 2, 3 to 4, 5 to 8 and so on. A count of 0 is no token.
_FEATURE_BINS = [1, 2] + [power + 1 for power in _POWERS[:-1]]


def bins(kind: str) -> list[float]:
    """The least number of each bin of ``kind``, a key of the table of bins or "feature"."""
    return list(_FEATURE_BINS if kind == "feature" else _BINS[kind])


def _bin(kind: str, number: float) -> float:
    bounds = bins(kind)
    if number < 0 and bounds[0] < 0:
        return -_bin(kind, -number)
    return bounds[max(0, bisect.bisect_right(bounds, number) - 1)]


@functools.cache
def _byte_letters() -> list[str]:
    """The letter that stands for each byte in vocabularies of GPT-2's kind, which have no white space."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters = {byte: chr(byte) for byte in shown}
    hidden = (byte for byte in range(256) if byte not in letters)
    letters.update({byte: chr(256 + k) for k, byte in enumerate(hidden)})
    return [letters[byte] for byte in range(256)]


@functools.cache
def _letter_bytes() -> dict[str, int]:
    return {letter: byte for byte, letter in enumerate(_byte_letters())}


def to_letters(text: str) -> str:
    """``text`` as a vocabulary of GPT-2's kind spells its bytes. Lone surrogates pass."""
    return "".join(_byte_letters()[byte] for byte in text.encode("utf-8", "surrogatepass"))


def from_letters(letters: str) -> str:
    """The text that :func:`to_letters` made ``letters`` of. What is no UTF-8 is shown as such."""
    data = bytes(_letter_bytes()[letter] for letter in letters)
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "backslashreplace")


def learn_pieces(texts: Iterable[str], tokenizer: Any, most: int = 1000, least_uses: int = 3) -> list[str]:
    """The pieces of a Hugging Face byte-level ``tokenizer`` that ``texts`` use most, at most ``most``."""
    uses = Counter(piece for text in texts for piece in tokenizer.tokenize(text))
    known = _letter_bytes()
    wanted = [
        piece
        for piece, count in sorted(uses.items(), key=lambda item: (-item[1], item[0]))
        if count >= least_uses and len(piece) > 1 and all(letter in known for letter in piece)
    ]
    return wanted[:most]


class TokenTable:
    """Names of tokens with their ids, and numbers and texts as tokens.

    Args:
        names: All names, in the order of their ids; see :meth:`build`.
        spaces: The actions for each objective.
    """

    def __init__(self, names: Sequence[str], spaces: dict[str, list[str]]) -> None:
        self.names = list(names)
        self.spaces = {objective: list(actions) for objective, actions in spaces.items()}
        self.ids = {name: i for i, name in enumerate(self.names)}
        if len(self.ids) != len(self.names):
            raise ValueError("a token stands twice in the table")
        for name in self.names:
            if ":" not in name or any(letter.isspace() for letter in name):
                raise ValueError(f"'{name}' is no name of a token")
        self._kinds = [name.partition(":")[0] for name in self.names]
        self._values = [name.partition(":")[2] for name in self.names]
        self._longest = max((len(v) for k, v in zip(self._kinds, self._values) if k == "piece"), default=1)
        # Names inside of text: whole words only, the longest first.
        spelled = {v: i for i, (k, v) in enumerate(zip(self._kinds, self._values)) if k in ("action", "tool")}
        self._spelled = spelled
        ways = "|".join(re.escape(name) for name in sorted(spelled, key=len, reverse=True))
        self._finder = re.compile(rf"(?<![\w.<>;/+-])(?:{ways})(?![\w<>;/+-]|\.\w)")

    @classmethod
    def build(
        cls, spaces: dict[str, list[str]], pieces: Iterable[str] = (), tools: Iterable[str] = ()
    ) -> TokenTable:
        """The table for these actions, with ``pieces`` of a vocabulary (:func:`learn_pieces`).

        Args:
            spaces: The actions for each objective.
            pieces: Longer than a byte; bytes are always there.
            tools: Further ones than those of the contract.
        """
        names = [f"frame:{frame}" for frame in FRAMES]
        names += [f"tool:{tool}" for tool in dict.fromkeys([*vocabulary.tool_names(), *tools])]
        names += [f"key:{key}" for key in vocabulary.argument_names()]
        names += [f"word:{word}" for word in dict.fromkeys(vocabulary.WORDS)]
        names += [f"error:{code.replace(' ', '-')}" for code in vocabulary.ERRORS]
        names += [f"verdict:{verdict.replace(' ', '-')}" for verdict in vocabulary.VERDICTS]
        names += [f"integer:{number}" for number in INTEGERS]
        names += [f"that:{k}" for k in range(POINTERS)]
        names += [f"{kind}:{bound}" for kind, bounds in _BINS.items() for bound in bounds]
        names += [f"feature:{name}={least}" for name in vocabulary.FEATURES for least in _FEATURE_BINS]
        actions = (action for space in spaces.values() for action in space)
        names += [f"action:{action}" for action in dict.fromkeys(actions)]
        names += [f"piece:{piece}" for piece in dict.fromkeys([*_byte_letters(), *pieces])]
        return cls(names, spaces)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def digest(self) -> str:
        """SHA-256 of the names: weights say which table they were trained with."""
        return hashlib.sha256("\n".join(self.names).encode("utf-8", "surrogatepass")).hexdigest()

    def kind(self, token: int) -> str:
        """What is before the colon: "action", "frame", …."""
        return self._kinds[token]

    def value(self, token: int) -> str:
        """What is behind the colon."""
        return self._values[token]

    def of_kind(self, *kinds: str) -> list[int]:
        """The ids of these kinds."""
        return [token for token, kind in enumerate(self._kinds) if kind in kinds]

    def frame(self, name: str) -> int:
        """The id of a frame."""
        return self.ids[f"frame:{name}"]

    def find(self, kind: str, value: str) -> int | None:
        """The id of ``kind:value``, if there is one."""
        return self.ids.get(f"{kind}:{value}")

    def binned(self, kind: str, number: float) -> int:
        """The token for a number of ``kind``: a fraction, a count or bytes, as the bins say."""
        return self.ids[f"{kind}:{_bin(kind, number)}"]

    def feature(self, name: str, count: float) -> int | None:
        """The token for a feature, or None if there is none of it or no such feature."""
        return self.ids.get(f"feature:{name}={_bin('feature', count)}") if count >= 1 else None

    def spell(self, text: str) -> list[int]:
        """``text`` as tokens: names of actions and tools whole, the rest in pieces.

        A name stands for itself with the space before it, as most have one; ``glue`` says that it has none.
        """
        tokens: list[int] = []
        done = 0
        for match in self._finder.finditer(text):
            before = text[done : match.start()]
            spaced = before.endswith(" ")
            tokens += self._pieces(before[:-1] if spaced else before)
            tokens += [] if spaced else [self.frame("glue")]
            tokens.append(self._spelled[match.group()])
            done = match.end()
        return tokens + self._pieces(text[done:])

    def unspell(self, tokens: Iterable[int]) -> str:
        """The text that :meth:`spell` made ``tokens`` of. ``ValueError`` if they are no text."""
        letters, glued = "", False
        for token in tokens:
            kind, value = self._kinds[token], self._values[token]
            if kind == "piece":
                letters += value
            elif kind in ("action", "tool"):
                letters += to_letters(value if glued else " " + value)
            elif value != "glue":
                raise ValueError(f"{self.names[token]} is no text")
            glued = value == "glue" and kind == "frame"
        return from_letters(letters)

    def _pieces(self, text: str) -> list[int]:
        letters = to_letters(text)
        tokens, at = [], 0
        while at < len(letters):
            for length in range(min(self._longest, len(letters) - at), 0, -1):
                token = self.ids.get(f"piece:{letters[at : at + length]}")
                if token is not None:
                    break
            else:
                raise ValueError("the table lacks the pieces for single bytes")
            tokens.append(token)
            at += length
        return tokens

    def render(self, tokens: Iterable[int]) -> str:
        """Tokens as legible text: their names with spaces between them."""
        return " ".join(self.names[token] for token in tokens)

    def parse(self, text: str) -> list[int]:
        """The tokens that :meth:`render` made ``text`` of. ``KeyError`` names one that there is not."""
        return [self.ids[name] for name in text.split(" ") if name]

    def save(self, file: os.PathLike[str] | str) -> None:
        """Writes the table as JSON, whole or not at all."""
        target = pathlib.Path(file)
        content = {"ordo_tokens": VERSION, "spaces": self.spaces, "names": self.names}
        beside = target.with_name(target.name + ".new")
        beside.write_text(json.dumps(content, indent=0, ensure_ascii=True), encoding="utf-8")
        os.replace(beside, target)

    @classmethod
    def load(cls, file: os.PathLike[str] | str) -> TokenTable:
        """Reads what :meth:`save` wrote.

        Raises:
            ValueError: It is no table, or of another version.
        """
        content = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
        if not isinstance(content, dict) or content.get("ordo_tokens") != VERSION:
            raise exits.Refused(exits.BAD_FILE, f"{file} is no table of tokens of version {VERSION}")
        return cls(content["names"], content["spaces"])
