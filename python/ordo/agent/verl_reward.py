"""The reward that verl asks for: of what the tools said of the submission, signed so that the model cannot.

verl gives a reward function the whole dialogue as text, in which the model could write what a tool would have
said. So the tool's answer to a submission has a receipt, which is made with ``$ORDO_RECEIPT_KEY``.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
from typing import Any

from ordo.agent.rewards import Outcome, Weights, parts

__all__ = ["compute_score", "receipt"]

_ANSWER = re.compile(r"<tool_response>\s*(\{.*?\})\s*</tool_response>", re.DOTALL)


def receipt(answer: dict[str, Any]) -> str:
    """What signs a tool's answer, but for its field "receipt". ``KeyError`` if there is no key."""
    text = json.dumps({key: value for key, value in answer.items() if key != "receipt"}, sort_keys=True)
    return hmac.new(os.environ["ORDO_RECEIPT_KEY"].encode(), text.encode(), hashlib.sha256).hexdigest()


def compute_score(
    data_source: str, solution_str: str, ground_truth: str, extra_info: dict[str, Any] | None = None
) -> dict[str, float]:
    """The reward of a dialogue: "score", and its parts (:mod:`ordo.agent.rewards`).

    Of the form it knows only what the submission shows: whether there was one, and of what was measured.

    Args:
        data_source: "ordo".
        solution_str: What followed the prompt, the tools' answers included.
        ground_truth: Not needed: there is no known best.
        extra_info: Of the task.
    """
    outcome = Outcome(turns=1)
    for match in _ANSWER.finditer(solution_str):
        try:
            answer = json.loads(match[1])
        except (ValueError, RecursionError):
            continue
        signed = answer.get("receipt")
        if not isinstance(signed, str) or not hmac.compare_digest(signed.encode(), receipt(answer).encode()):
            continue
        known = {key: answer[key] for key in vars(outcome) if key in answer}
        outcome = Outcome(**known)
    found = parts(outcome, Weights())
    return {"score": sum(found.values()), **found}
