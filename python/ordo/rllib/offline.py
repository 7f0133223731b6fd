"""Parquet for RLlib's offline algorithms, read by the process that learns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow.parquet
from ray.rllib.algorithms.algorithm_config import AlgorithmConfig
from ray.rllib.env import INPUT_ENV_SPACES
from ray.rllib.offline.offline_data import OfflineData
from ray.rllib.offline.offline_prelearner import OfflinePreLearner
from ray.rllib.policy.sample_batch import MultiAgentBatch, SampleBatch
from ray.rllib.utils import unflatten_dict


class InMemory(OfflineData):
    """Batches of rows by chance, of data that fits into memory.

    RLlib's own reader is a pipeline of processes, each of which takes longer to start than such data to learn
    from. Columns and what is made of them are the same.
    """

    def __init__(self, config: AlgorithmConfig):
        self.config = config
        self.iter_batches_kwargs: dict[str, Any] = {}
        table = pyarrow.parquet.read_table(config.input_[0])
        self._columns = {name: np.array(table[name].to_pylist()) for name in table.column_names}
        for name in ("obs", "new_obs"):
            self._columns[name] = self._columns[name].astype(np.float32)
        self._chance = np.random.default_rng(config.seed)
        self._prelearner: OfflinePreLearner | None = None

    def sample(self, num_samples: int, return_iterator: bool = False, num_shards: int = 1) -> MultiAgentBatch:
        """A batch, with advantages by the learner's values of now. Called by RLlib."""
        if self._prelearner is None:
            self._prelearner = OfflinePreLearner(
                config=self.config, spaces=self.spaces[INPUT_ENV_SPACES], module_spec=self.module_spec
            )
        self._prelearner._module.set_state(self.learner_handles[0].module.get_state())
        there = len(self._columns["t"])
        rows = self._chance.choice(there, min(num_samples, there), replace=False)
        batch = self._prelearner({name: column[rows] for name, column in self._columns.items()})
        modules = {name: SampleBatch(data) for name, data in unflatten_dict(batch).items()}
        return MultiAgentBatch(modules, env_steps=len(rows))
