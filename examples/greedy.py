"""Greedy search by forking: each step tries every legal action in a copy and keeps the best."""

from __future__ import annotations

import argparse

import ordo

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--program", default="suite/crc32", help="URI or path")
parser.add_argument("--reward", default="ir_instructions/clang-Oz")
parser.add_argument("--steps", type=int, default=2000, help="budget, in actions tried")
args = parser.parse_args()

env = ordo.LlvmEnv(args.program, reward=args.reward, max_steps=0)
env.reset()
stop = env.actions.index("stop")
tried, total = 0, 0.0
while tried < args.steps:
    best, best_reward = stop, 0.0
    for action in env.action_masks()[:stop].nonzero()[0][: args.steps - tried]:
        copy = env.fork()
        _, reward, *_ = copy.step(int(action))
        copy.close()
        tried += 1
        if reward > best_reward:
            best, best_reward = int(action), reward
    if best == stop:
        break
    _, reward, *_ = env.step(best)
    total += reward
    print(f"{env.actions[best]:<44} {reward:+.4f}  {total:.4f}")
env.step(stop)
print(f"return {total:.4f} after {tried} actions tried; reward: {env.reward_definition}")
env.close()
