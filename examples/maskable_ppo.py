"""MaskablePPO of sb3-contrib on the native vector environment.

    ./ordo python --with sb3 examples/maskable_ppo.py

Prints the mean return of the first and of the last tenth of the training episodes: of a policy that still
explores, on the programs it is trained on. That it rises says that something is learned, and no more.
"""

from __future__ import annotations

import argparse

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from ordo.sb3 import SB3VecEnv

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument(
    "--programs", nargs="+", default=["suite/crc32", "suite/wc", "suite/base64", "suite/life"]
)
parser.add_argument("--steps", type=int, default=20_000)
parser.add_argument("--envs", type=int, default=4)
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()
torch.set_num_threads(1)  # the cores are for the compilers


class Returns(BaseCallback):
    """Collects the return of every episode."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[float] = []

    def _on_step(self) -> bool:
        self.all += [info["episode"]["r"] for info in self.locals["infos"] if "episode" in info]
        return True


env = SB3VecEnv(
    args.envs,
    program=args.programs,
    seed=args.seed,
    observation="autophase_norm",
    reward="ir_instructions/clang-Oz",
    max_steps=20,
    max_uses=2,
)
n_steps = 128 if args.steps >= 1000 else 16
model = MaskablePPO(
    "MlpPolicy",
    env,
    n_steps=n_steps,
    batch_size=n_steps * args.envs // 4,
    n_epochs=6,
    ent_coef=0.01,
    learning_rate=1e-3,
    seed=args.seed,
    device="cpu",
    policy_kwargs={"net_arch": [128, 128]},
)
returns = Returns()
model.learn(args.steps, callback=returns)
window = max(len(returns.all) // 10, 1)
first, last = np.mean(returns.all[:window]), np.mean(returns.all[-window:])
print(f"{model.num_timesteps} steps, {len(returns.all)} episodes; reward: {env.vector.reward_definition}")
print(f"mean return while training: first {window} episodes {first:.4f}, last {window} episodes {last:.4f}")
env.close()
