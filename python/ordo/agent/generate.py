"""Many dialogues continued at once, with what was computed of them kept.

Rows of a batch grow by chunks: what the user and tools said, of different lengths, and the model's own
tokens, one at a time. Columns that are not a row's own are masked, so that each row is computed as if it were
alone, but for rounding. Chance is each row's own too: the same seed says the same in any batch, up to that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from transformers import DynamicCache

from ordo.agent.grammar import Turn

__all__ = ["Continuation", "Sampling", "Said"]


@dataclass(frozen=True)
class Sampling:
    """How tokens are chosen."""

    temperature: float = 1.0  #: 0: the likeliest
    repetition_penalty: float = 1.0  #: on what the model said in this dialogue (Keskar et al. 2019)
    max_tokens: int = 128  #: of a turn


@dataclass
class Said:
    """A turn of the model."""

    ids: list[int] = field(default_factory=list)
    #: natural logarithms of the probabilities at the temperature, before any mask and penalty
    logprobs: list[float] = field(default_factory=list)
    ended: bool = False  #: or it was cut off


class Continuation:
    """A batch of dialogues with a model.

    Args:
        model: A causal model, in evaluation mode.
        rows: How many dialogues.
        end: The token that ends a turn.
    """

    def __init__(self, model: Any, rows: int, end: int) -> None:
        self._model = model
        self._end = end
        self._device = next(model.parameters()).device
        self._cache = DynamicCache(config=model.config)
        self._mask = torch.zeros(rows, 0, dtype=torch.long, device=self._device)
        #: What each row's tokens are so far: those computed, and those that are to be.
        self.ids: list[list[int]] = [[] for _ in range(rows)]
        self._pending: list[list[int]] = [[] for _ in range(rows)]
        self.flops = 0.0  #: floating-point operations so far, estimated

    def add(self, chunks: Sequence[Sequence[int]]) -> None:
        """Adds tokens to each row, which others said."""
        for ids, pending, chunk in zip(self.ids, self._pending, chunks, strict=True):
            ids.extend(chunk)
            pending.extend(chunk)

    def keep(self, rows: Sequence[int]) -> None:
        """Goes on with these rows only, in this order."""
        chosen = torch.tensor(rows, dtype=torch.long, device=self._device)
        if self._mask.shape[1]:
            self._cache.batch_select_indices(chosen)
        self._mask = self._mask[chosen]
        self.ids = [list(self.ids[row]) for row in rows]
        self._pending = [list(self._pending[row]) for row in rows]

    @torch.inference_mode()
    def copy(self, rows: int) -> None:
        """Goes on with so many copies of the only row, of which all but the last token are computed once.

        Args:
            rows: At least 1. The row has a token that is not computed yet.
        """
        ((*before, last),) = self._pending
        if before and rows > 1:
            self._pending = [before]
            self._compute()
            self._pending = [[last]]
        self.keep([0] * rows)

    @torch.inference_mode()
    def say(
        self,
        sampling: Sampling,
        seeds: Sequence[int],
        turns: Sequence[Turn | None] | None = None,
        history: Sequence[Sequence[int]] | None = None,
    ) -> list[Said]:
        """Lets the model speak in each row until its turn ends.

        Args:
            sampling: How tokens are chosen.
            seeds: Of chance, one for each row.
            turns: Grammars that say what may follow; None: anything may, for all or for a row.
            history: What the model said in each row before, for the penalty.

        Returns:
            One for each row. Its tokens are part of the row.
        """
        rows = len(self.ids)
        chance = [np.random.Generator(np.random.PCG64(seed)) for seed in seeds]
        walks = list(turns) if turns is not None else [None] * rows
        spoken = [set(past) for past in history] if history is not None else [set() for _ in range(rows)]
        said = [Said() for _ in range(rows)]
        logits = self._compute()
        for _ in range(sampling.max_tokens):
            for row, answer in enumerate(said):
                if answer.ended:
                    continue
                walk = walks[row]
                legal = walk.legal() if walk is not None else None
                token, logprob = _choose(logits[row], sampling, chance[row], legal, spoken[row])
                answer.ids.append(token)
                answer.logprobs.append(logprob)
                answer.ended = token == self._end
                spoken[row].add(token)
                if walk is not None:
                    walk.push(token)
                self.ids[row].append(token)
                self._pending[row].append(token)
            if all(answer.ended or len(answer.ids) == sampling.max_tokens for answer in said):
                break
            logits = self._compute([row for row, answer in enumerate(said) if not answer.ended])
        return said

    def _compute(self, rows: Sequence[int] | None = None) -> np.ndarray:
        """Computes what is pending of these rows, or of all; logits of what follows, [rows, tokens]."""
        chunks = [p if rows is None or row in rows else [] for row, p in enumerate(self._pending)]
        width = max(1, max(map(len, chunks)))
        count = len(chunks)
        ids = torch.zeros(count, width, dtype=torch.long)
        mask = torch.zeros(count, width, dtype=torch.long)
        for row, chunk in enumerate(chunks):
            if chunk:
                ids[row, width - len(chunk) :] = torch.tensor(chunk)
                mask[row, width - len(chunk) :] = 1
        ids, mask = ids.to(self._device), mask.to(self._device)
        places = (self._mask.sum(1, keepdim=True) + mask.cumsum(1) - 1).clamp(min=0)
        self._mask = torch.cat([self._mask, mask], dim=1)
        output = self._model(
            input_ids=ids,
            attention_mask=self._mask,
            position_ids=places,
            cache=self._cache,
            use_cache=True,
            logits_to_keep=1,
        )
        self.flops += flops(self._model, count * width, self._mask.shape[1], count)
        for row, chunk in enumerate(chunks):
            if chunk:
                self._pending[row] = []
        return output.logits[:, -1].float().cpu().numpy()


def _choose(
    logits: np.ndarray,
    sampling: Sampling,
    chance: np.random.Generator,
    legal: np.ndarray | None,
    spoken: set[int],
) -> tuple[int, float]:
    """A token, and the logarithm of its probability before mask and penalty."""
    scale = sampling.temperature if sampling.temperature > 0 else 1.0
    plain = logits.astype(np.float64) / scale
    plain -= plain.max() + np.log(np.exp(plain - plain.max()).sum())
    scores = logits.astype(np.float64)
    if sampling.repetition_penalty != 1.0 and spoken:
        seen = list(spoken)
        penalty = sampling.repetition_penalty
        scores[seen] = np.where(scores[seen] > 0, scores[seen] / penalty, scores[seen] * penalty)
    if legal is not None:
        scores = np.where(legal, scores, -np.inf)
    if sampling.temperature <= 0:
        token = int(scores.argmax())
    else:
        weights = np.exp((scores - scores.max()) / sampling.temperature)
        sums = weights.cumsum()
        token = int(np.searchsorted(sums, chance.random() * sums[-1], side="right"))
        token = min(token, int(np.flatnonzero(weights)[-1]))  # rounding
    return token, float(plain[token])


def flops(model: Any, tokens: int, context: int, outputs: int) -> float:
    """Floating-point operations of a forward pass: two for each weight and token, and attention's.

    Args:
        model: A Llama-like model.
        tokens: Computed, padding included.
        context: Tokens that each looks at.
        outputs: For how many of them logits are computed.
    """
    config = model.config
    rows = model.get_output_embeddings().weight.shape[0]
    width, layers = config.hidden_size, config.num_hidden_layers
    heads = config.num_key_value_heads / config.num_attention_heads
    matrices = layers * width * (2 * width + 2 * width * heads + 3 * config.intermediate_size)
    return 2 * matrices * tokens + 4 * layers * width * context * tokens + 2 * width * rows * outputs
