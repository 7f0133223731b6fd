"""The names there are: features, tools with what they take, and the words of the protocol.

The tools are those of ``ordo mcp``, which is asked for its own definitions where there is one; these here
are for what works without it: the table of tokens, the grammar and tests.
"""

from __future__ import annotations

import os
import pathlib
from typing import Any

#: Autophase's 56 counts, in the order of src/policy/attribution.cpp (a test compares them).
FEATURES = (
    "BBNumArgsHi BBNumArgsLo onePred onePredOneSuc onePredTwoSuc oneSuccessor twoPred twoPredOneSuc twoEach "
    "twoSuccessor morePreds BB03Phi BBHiPhi BBNoPhi BeginPhi BranchCount returnInt CriticalCount NumEdges "
    "const32Bit const64Bit numConstZeroes numConstOnes UncondBranches binaryConstArg NumAShrInst NumAddInst "
    "NumAllocaInst NumAndInst BlockMid BlockLow NumBitCastInst NumBrInst NumCallInst NumGetElementPtrInst "
    "NumICmpInst NumLShrInst NumLoadInst NumMulInst NumOrInst NumPHIInst NumRetInst NumSExtInst "
    "NumSelectInst NumShlInst NumStoreInst NumSubInst NumTruncInst NumXorInst NumZExtInst TotalBlocks "
    "TotalInsts TotalMemInst TotalFuncs ArgsPhi testUnary"
).split()

#: The file of data/spaces with the actions for an objective.
SPACES = {"ir_instructions": "size", "text_bytes": "text"}

#: Why a tool has no result.
ERRORS = (
    *("invalid argument", "not found", "budget used up", "failed", "unsupported", "corrupt", "unavailable"),
    *("internal error", "cancelled", "other"),
)

#: What an experiment about run time says.
VERDICTS = ("faster", "slower", "no difference shown", "void")

#: The longest sequence that tools take, in actions.
MAX_LENGTH = 60


def _integer(least: int, most: int = 2**53) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most}


def _one_of(*words: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(words)}


_TEXT: dict[str, Any] = {"type": "string"}
_SECONDS = {"type": "number", "minimum": 0}
_SEQUENCE = {"type": "array", "items": _TEXT, "maxItems": MAX_LENGTH}
_EDIT = {
    "type": "object",
    "properties": {
        "op": _one_of("insert", "remove", "replace", "move", "parameters"),
        "at": _integer(0, MAX_LENGTH),
        "action": _TEXT,
        "to": _integer(0, MAX_LENGTH),
        "parameters": _TEXT,
    },
    "required": ["op", "at"],
}
_ON = {"program": _TEXT, "sequence": _SEQUENCE}

#: What a tool does, what it takes, and what may not be left out.
_TOOLS: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "open_program": (
        "Opens a program to be made smaller.",
        {
            "file": _TEXT,
            "flags": {"type": "array", "items": _TEXT},
            "objective": _one_of(*SPACES),
            "compiles": _integer(1),
            "seconds": _SECONDS,
            "seed": _integer(0),
        },
        ("file",),
    ),
    "get_features": ("Counts what is in the program after a sequence.", _ON, ()),
    "list_actions": (
        "Lists actions, what each does and when it helps.",
        {"program": _TEXT, "filter": _TEXT, "limit": _integer(1, 200)},
        (),
    ),
    "measure_sequence": ("Applies a sequence and says what it is worth.", _ON, ()),
    "edit_sequence": (
        "Edits a sequence and measures what comes of it.",
        _ON | {"edits": {"type": "array", "items": _EDIT, "maxItems": 16}},
        ("edits",),
    ),
    "explain_sequence": ("Says what leaving out each action would cost.", _ON, ()),
    "suggest_actions": ("Says what the small policy would do next.", _ON | {"count": _integer(1, 20)}, ()),
    "search_sequences": (
        "Searches from a sequence with a budget of compiles.",
        _ON | {"compiles": _integer(1), "method": _TEXT, "seed": _integer(0)},
        (),
    ),
    "get_remarks": (
        "Says what passes did and missed.",
        _ON | {"pass": _TEXT, "limit": _integer(1, 200)},
        (),
    ),
    "diff_ir": (
        "Shows what one action of a sequence changes.",
        _ON | {"at": _integer(0, MAX_LENGTH)},
        ("at",),
    ),
    "time_sequence": ("Times the program against the baseline.", _ON | {"seconds": _SECONDS}, ()),
    "check_sequence": ("Checks that the program still does the same.", _ON | {"seconds": _SECONDS}, ()),
    "submit_sequence": ("Ends: this sequence is the answer.", _ON | {"folder": _TEXT}, ()),
}

#: Strings that are arguments or results often enough to be tokens of their own.
WORDS = (
    *SPACES,
    *("insert", "remove", "replace", "move", "parameters"),
    *("policy", "evolutionary", "graph_genetic", "random", "coreset"),
    *("passed", "missed", "analysis", "failure", ""),
)


def definition(name: str) -> dict[str, Any]:
    """An OpenAI function definition of a tool of the contract. ``KeyError`` if there is no such tool."""
    description, properties, required = _TOOLS[name]
    parameters = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    function = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


def tool_names() -> list[str]:
    """Every tool of the contract, in its order."""
    return list(_TOOLS)


def argument_names() -> list[str]:
    """Every name of an argument, also of the fields of an edit, each once."""
    names = [name for _, properties, _ in _TOOLS.values() for name in properties]
    return list(dict.fromkeys([*names, *_EDIT["properties"]]))


def data_folder() -> pathlib.Path:
    """The folder ``data`` of this installation, or of the sources.

    Raises:
        FileNotFoundError: There is neither; the environment variable ``ORDO_DATA`` can say where it is.
    """
    package = pathlib.Path(__file__).resolve().parents[1]
    given = os.environ.get("ORDO_DATA")
    places = [pathlib.Path(given)] if given else []
    places += [package.parents[1] / "data", package / "_native" / "share" / "ordo"]
    for place in places:
        if (place / "spaces").is_dir():
            return place
    raise FileNotFoundError(f"there is no folder 'spaces' in any of {', '.join(map(str, places))}")


def read_space(name: str, folder: pathlib.Path | None = None) -> list[str]:
    """The actions of the space ``name`` (docs/formats/space.md), in its order."""
    file = (folder or data_folder()) / "spaces" / f"{name}.txt"
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def read_spaces(folder: pathlib.Path | None = None) -> dict[str, list[str]]:
    """The actions for each objective."""
    return {objective: read_space(name, folder) for objective, name in SPACES.items()}
