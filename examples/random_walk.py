"""The smallest agent: legal actions at random. Prints steps per second and the best of all episodes."""

from __future__ import annotations

import argparse
import time

import gymnasium

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--program", default="suite/crc32", help="URI, path or dataset")
parser.add_argument("--steps", type=int, default=2000)
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()

env = gymnasium.make("ordo:ordo/Llvm-v0", program=args.program, reward="ir_instructions/clang-Oz")
env.action_space.seed(args.seed)
_, info = env.reset(seed=args.seed)
total, best, best_actions, episodes = 0.0, float("-inf"), [], 0
start = time.perf_counter()
for _ in range(args.steps):
    _, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
    total += reward
    if terminated or truncated:
        if total > best:
            best, best_actions = total, env.unwrapped.state()["actions"]
        total, episodes = 0.0, episodes + 1
        _, info = env.reset()
seconds = time.perf_counter() - start
print(f"{episodes} episodes, {args.steps / seconds:.0f} steps/s; reward: {env.unwrapped.reward_definition}")
print(f"best return {best:.4f} with {len(best_actions)} passes: {' '.join(best_actions)}")
env.close()
