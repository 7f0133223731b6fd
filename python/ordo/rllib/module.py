"""Our networks (docs/formats/weights.md) as a module of RLlib."""

from __future__ import annotations

import copy
from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import (
    TARGET_NETWORK_ACTION_DIST_INPUTS,
    InferenceOnlyAPI,
    TargetNetworkAPI,
    ValueFunctionAPI,
)
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

#: A logit so small that its action has no part in the softmax, and that sums of it are finite.
ILLEGAL = -1e9


class Block(nn.Module):
    """h + down(relu(up(norm(h))))."""

    def __init__(self, hidden: int):
        super().__init__()
        self.norm = nn.LayerNorm(hidden)
        self.up = nn.Linear(hidden, hidden)
        self.down = nn.Linear(hidden, hidden)

    def forward(self, h: torch.Tensor) -> torch.Tensor:
        """Of rows of hidden numbers."""
        return h + self.down(torch.relu(self.up(self.norm(h))))


class Network(nn.Module):
    """Features to logits and a value; its ``state_dict()`` is what the format has, name by name."""

    def __init__(self, architecture: str, inputs: int, hidden: int, blocks: int, actions: int):
        super().__init__()
        if architecture not in ("residual", "linear"):
            raise ValueError(f"no architecture '{architecture}'; there are residual and linear")
        self.residual = architecture == "residual"
        if self.residual:
            self.input = nn.Linear(inputs, hidden)
            self.blocks = nn.ModuleList(Block(hidden) for _ in range(blocks))
            self.norm = nn.LayerNorm(hidden)
        width = hidden if self.residual else inputs
        self.logits = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)
        # It begins with no preference, as one of ours does.
        for head in (self.logits, self.value):
            nn.init.zeros_(head.weight)
            nn.init.zeros_(head.bias)

    def body(self, features: torch.Tensor) -> torch.Tensor:
        """What both heads see."""
        if not self.residual:
            return features
        h = self.input(features)
        for block in self.blocks:
            h = block(h)
        return self.norm(h)


class PolicyModule(TorchRLModule, ValueFunctionAPI, TargetNetworkAPI, InferenceOnlyAPI):
    """Rows of :class:`ordo.rllib.sight.PolicyVectorEnv` to logits and values.

    ``model_config`` has the network's ``architecture``, ``hidden`` and ``blocks``, how many of a row are
    ``features``, and ``about``, what its file will say. The mask reaches the logits only; batches stay as
    they are.
    """

    def setup(self) -> None:
        """Called by RLlib."""
        options = self.model_config
        self._features = options["features"]
        self.network = Network(
            options["architecture"],
            options["features"],
            options["hidden"],
            options["blocks"],
            int(self.action_space.n),
        )
        if weights := options.get("weights"):
            self.network.load_state_dict({name: torch.tensor(values) for name, values in weights.items()})

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        hidden = self.network.body(batch[Columns.OBS][..., : self._features])
        logits = self._legal(self.network.logits(hidden), batch)
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.EMBEDDINGS: hidden}

    def _forward_exploration(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        # Runners keep all that comes back with the episode, and nobody reads embeddings there.
        with torch.no_grad():
            return {Columns.ACTION_DIST_INPUTS: self._forward(batch)[Columns.ACTION_DIST_INPUTS]}

    def _legal(self, logits: torch.Tensor, batch: dict[str, Any]) -> torch.Tensor:
        legal = batch[Columns.OBS][..., self._features :] > 0
        # Of an empty row, which learners pad with, all are legal, so that nothing is divided by 0.
        return torch.where(legal | ~legal.any(-1, keepdim=True), logits, ILLEGAL)

    def compute_values(self, batch: dict[str, Any], embeddings: torch.Tensor | None = None) -> torch.Tensor:
        """What each state is worth; for learners."""
        if embeddings is None:
            embeddings = self.network.body(batch[Columns.OBS][..., : self._features])
        return self.network.value(embeddings).squeeze(-1)

    def get_non_inference_attributes(self) -> list[str]:
        """What runners need not have."""
        return ["_old"]

    def make_target_networks(self) -> None:
        """For APPO: what the network was a while ago."""
        self._old = copy.deepcopy(self.network).requires_grad_(False)

    def get_target_network_pairs(self) -> list[tuple[nn.Module, nn.Module]]:
        """For APPO."""
        return [(self.network, self._old)]

    def forward_target(self, batch: dict[str, Any]) -> dict[str, Any]:
        """For APPO: the logits of a while ago."""
        hidden = self._old.body(batch[Columns.OBS][..., : self._features])
        return {TARGET_NETWORK_ACTION_DIST_INPUTS: self._legal(self._old.logits(hidden), batch)}
