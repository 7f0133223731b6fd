"""Rewards from IR against rewards from the clock: MaskablePPO on both, for the same time, on the same program.

    ./ordo python --with sb3 examples/staging_ppo.py

Immediate rewards (instructions of the IR, at each step) are cheap and plenty; a reward of run time is the
truth, comes once an episode and takes some seconds. What each policy then chooses is timed beside clang -O3.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

import ordo
from ordo.sb3 import SB3VecEnv

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--program", default="suite/crc32")
parser.add_argument("--seconds", type=float, default=120, help="of training, for each reward")
parser.add_argument("--trial-seconds", type=float, default=5, help="of a measurement at most")
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()
torch.set_num_threads(1)  # the cores are for the compilers
REWARDS = {"immediate": "ir_instructions/clang-O3", "staging": "runtime/clang-O3@end"}
COMMON = {
    "program": args.program,
    "observation": "autophase_norm",
    "space": "speed",
    "level": "O3",
    "max_steps": 20,
    "trial_seconds": args.trial_seconds,
}


class UntilTime(BaseCallback):
    """Ends training after so long, and counts episodes."""

    def __init__(self) -> None:
        super().__init__()
        self.episodes = 0
        self.end = time.monotonic() + args.seconds

    def _on_step(self) -> bool:
        self.episodes += sum("episode" in info for info in self.locals["infos"])
        return time.monotonic() < self.end


def choose(model: MaskablePPO) -> float:
    """What the policy's most likely episode comes to, in run times of clang -O3's."""
    env = ordo.LlvmEnv(reward=REWARDS["staging"], **(COMMON | {"trial_seconds": 20}))
    row, info = env.reset(seed=args.seed)
    done = False
    while not done:
        action, _ = model.predict(row, action_masks=env.action_masks(), deterministic=True)
        row, _, terminated, truncated, info = env.step(int(action))
        done = terminated or truncated
    env.close()
    return float(info["metric"])


print("| reward | episodes | run time of its choice, in clang -O3's |\n|---|---|---|")
for name, reward in REWARDS.items():
    envs = SB3VecEnv(2, reward=reward, seed=args.seed, **COMMON)
    model = MaskablePPO("MlpPolicy", envs, n_steps=40, batch_size=40, ent_coef=0.01, seed=args.seed)
    until = UntilTime()
    model.learn(10**9, callback=until)
    envs.close()
    result = choose(model)
    print(f"| {name} | {until.episodes} | {'broken' if np.isnan(result) else f'{result:.3f}'} |", flush=True)
