"""A model made ready to be trained, and written afterwards."""

from __future__ import annotations

import os
import pathlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit
from transformers import PreTrainedTokenizerFast

from ordo.agent import vocabulary, weights
from ordo.agent.chat import ChatForm
from ordo.agent.dialogue import CompactForm
from ordo.agent.model import TOKENS, WEIGHTS, Agent, compact, load_base
from ordo.agent.tokens import TokenTable, learn_pieces

__all__ = ["Trainee", "bf16_is_faster", "prepare"]


@dataclass
class Trainee:
    """A model in training."""

    agent: Agent
    tokenizer: Any  #: what trainers of transformers and TRL want: of the table, or the model's own

    def write(self, folder: str | os.PathLike[str], about: dict[str, Any]) -> None:
        """Writes what came of it, as :func:`ordo.agent.model.load` reads it (:mod:`ordo.agent.weights`)."""
        form, base = self.agent.form, self.agent.base
        assert base is not None
        if isinstance(form, CompactForm):
            weights.write(folder, self.agent.model, form.table, base, about)
            return
        model = self.agent.model
        plain = model.merge_and_unload() if hasattr(model, "merge_and_unload") else model
        plain.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)


def table_tokenizer(table: TokenTable) -> PreTrainedTokenizerFast:
    """A tokenizer of a table's names with spaces between them: trainers show dialogues with it."""
    words = Tokenizer(WordLevel(dict(table.ids), unk_token="frame:pad"))
    words.pre_tokenizer = WhitespaceSplit()
    return PreTrainedTokenizerFast(tokenizer_object=words, pad_token="frame:pad", eos_token="frame:end")


def _thoughts(lines: Iterable[dict[str, Any]]) -> Iterable[str]:
    for line in lines:
        for message in line["messages"]:
            if message.get("role") == "assistant" and message.get("content"):
                yield message["content"]


def prepare(
    name: str,
    lines: Iterable[dict[str, Any]] = (),
    form: str = "compact",
    rank: int = 16,
    alpha: float = 32,
    thoughts: bool = True,
    device: str = "cpu",
    seed: int = 1,
) -> Trainee:
    """A model, ready to be trained.

    Args:
        name: See :mod:`ordo.agent.model`. What was trained before goes on, with its table and its factors.
        lines: Dialogues; a new table gets pieces for what is thought in them.
        form: "compact", with a table, or "text".
        rank: Of LoRA factors; 0: all weights are trained.
        alpha: The factors are scaled by alpha / rank.
        thoughts: Whether thoughts are kept of the dialogues.
        device: Where it is trained.
        seed: Of chance, which new factors begin with.

    Raises:
        ValueError: The model has no tokenizer for text, or there is no such model or form.
        FileNotFoundError: Something of it is not there.
    """
    if form not in ("compact", "text"):
        raise ValueError(f"there is no form '{form}': it is compact or text")
    torch.manual_seed(seed)
    kind, _, rest = name.partition(":")
    folder = pathlib.Path(rest).expanduser() if kind == "hf" else pathlib.Path()
    if kind == "hf" and (folder / WEIGHTS).is_file():
        model, table, base = weights.resume_lora(folder) if rank else weights.read(folder)
    elif kind == "hf" and (folder / TOKENS).is_file():
        base, table = load_base(name), TokenTable.load(folder / TOKENS)
        model = weights.add_lora(base.model, rank, alpha) if rank else base.model
    elif form == "compact":
        base = load_base(name)
        known = learn_pieces(_thoughts(lines), base.tokenizer) if base.tokenizer is not None else []
        table = TokenTable.build(vocabulary.read_spaces(), known)
        model = compact(base, table)
        model = weights.add_lora(model, rank, alpha) if rank else model
    else:
        base = load_base(name)
        if base.tokenizer is None:
            raise ValueError(f"{name} has no tokenizer for text")
        model = weights.add_lora(base.model, rank, alpha, rows=False) if rank else base.model
        model.to(device)
        return Trainee(Agent(name, model, ChatForm(base.tokenizer, thoughts), base), base.tokenizer)
    model.to(device)
    return Trainee(Agent(name, model, CompactForm(table, thoughts), base), table_tokenizer(table))


def bf16_is_faster(model: Any, dialogues: Sequence[Sequence[int]]) -> bool:
    """Whether a step is faster with matrix products in bfloat16: one of each is timed, after one of each.

    Args:
        model: In training.
        dialogues: Ids, some of which are taken.
    """
    device = next(model.parameters()).device
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported()
    taken = list(dialogues)[:4]
    width = min(map(len, taken))
    ids = torch.tensor([list(dialogue)[:width] for dialogue in taken], device=device)

    def step(half: bool) -> float:
        start = time.perf_counter()
        with torch.autocast(device.type, torch.bfloat16, enabled=half):
            loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        model.zero_grad(set_to_none=True)
        return time.perf_counter() - start

    step(False), step(True)
    return min(step(True), step(True)) < 0.9 * min(step(False), step(False))
