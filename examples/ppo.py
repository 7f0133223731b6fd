"""PPO with action masks in one file, which prints mean returns: ./ordo python --with sb3 examples/ppo.py"""

from __future__ import annotations

import argparse

import gymnasium
import numpy as np
import torch
from torch import nn

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument(
    "--programs", nargs="+", default=["suite/crc32", "suite/wc", "suite/base64", "suite/life"]
)
parser.add_argument("--steps", type=int, default=20_000)
parser.add_argument("--envs", type=int, default=4)
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()
torch.set_num_threads(1)  # the cores are for the compilers
torch.manual_seed(args.seed)
EPOCHS, BATCHES, GAMMA, LAMBDA, CLIP, ENTROPY = 6, 4, 0.99, 0.95, 0.2, 0.01
HORIZON = 128 if args.steps >= 1000 else 16

options = {"program": args.programs, "observation": "autophase_norm", "max_steps": 20, "max_uses": 2}
envs = gymnasium.make_vec("ordo:ordo/Llvm-v0", args.envs, reward="ir_instructions/clang-Oz", **options)
inputs, choices = envs.single_observation_space.shape[0], int(envs.single_action_space.n)
body = nn.Sequential(nn.Linear(inputs, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh())
heads = nn.ModuleList([nn.Linear(128, choices), nn.Linear(128, 1)])
weights = [*body.parameters(), *heads.parameters()]
optimizer = torch.optim.Adam(weights, lr=1e-3, eps=1e-5)


def judge(state: torch.Tensor, mask: torch.Tensor) -> tuple[torch.distributions.Categorical, torch.Tensor]:
    hidden = body(state)
    logits = heads[0](hidden).masked_fill(~mask, -1e9)
    return torch.distributions.Categorical(logits=logits), heads[1](hidden).squeeze(-1)


observation, info = envs.reset(seed=args.seed)
over, returns, steps = np.zeros(args.envs, bool), [], 0
while steps < args.steps:
    rows, steps = [], steps + HORIZON * args.envs
    for _ in range(HORIZON):
        state, mask = torch.tensor(observation), torch.tensor(info["action_mask"]).bool()
        with torch.no_grad():
            choice, value = judge(state, mask)
            action = choice.sample()
        observation, reward, terminated, truncated, info = envs.step(action.numpy())
        real, over = ~over, terminated | truncated  # in NEXT_STEP mode the step after an end is not real
        returns += list(info["return"][over])
        signals = (torch.tensor(x, dtype=torch.float32) for x in (reward, terminated, over, real))
        rows.append([state, mask, action, choice.log_prob(action), value, *signals])
    states, masks, actions, old, values, rewards, ends, cuts, reals = map(torch.stack, zip(*rows))
    advantages, ahead = torch.zeros_like(rewards), torch.zeros(args.envs)
    with torch.no_grad():
        following = judge(torch.tensor(observation), torch.tensor(info["action_mask"]).bool())[1]
    for t in reversed(range(HORIZON)):  # after a truncation, `following` is of the episode's own last state
        delta = rewards[t] + GAMMA * following * (1 - ends[t]) - values[t]
        advantages[t] = ahead = (delta + GAMMA * LAMBDA * ahead * (1 - cuts[t])) * reals[t]
        following = values[t]
    flat = [x.flatten(0, 1) for x in (states, masks, actions, old, advantages, advantages + values)]
    kept = reals.flatten().nonzero().squeeze(-1)
    for _ in range(EPOCHS):
        for batch in kept[torch.randperm(len(kept))].chunk(BATCHES):
            state, mask, action, before, advantage, target = (x[batch] for x in flat)
            choice, value = judge(state, mask)
            ratio = (choice.log_prob(action) - before).exp()
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            gain = torch.min(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage)
            optimizer.zero_grad()
            (0.5 * (value - target) ** 2 - gain - ENTROPY * choice.entropy()).mean().backward()
            nn.utils.clip_grad_norm_(weights, 0.5)
            optimizer.step()
window = max(len(returns) // 10, 1)
first, last = np.mean(returns[:window]), np.mean(returns[-window:])
print(f"{steps} steps, {len(returns)} episodes; reward: {envs.unwrapped.reward_definition}")
print(f"mean return while training: first {window} episodes {first:.4f}, last {window} episodes {last:.4f}")
envs.close()
