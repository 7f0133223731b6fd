"""Writes oracle.json: losses and gradients as PyTorch computes them in Python, for tests/unit/learn.

Everything is written anew from the papers' formulas, with torch.nn.functional where it has them.
Run: python tests/data/learn/make.py
"""

import json
import pathlib

import torch
from torch.nn import functional as F

torch.manual_seed(5)
torch.set_default_dtype(torch.float64)
INPUTS, HIDDEN, ACTIONS, BATCH = 5, 4, 3, 6


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(HIDDEN)
        self.up = torch.nn.Linear(HIDDEN, HIDDEN)
        self.down = torch.nn.Linear(HIDDEN, HIDDEN)

    def forward(self, h):
        return h + self.down(torch.relu(self.up(self.norm(h))))


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.input = torch.nn.Linear(INPUTS, HIDDEN)
        self.blocks = torch.nn.ModuleList([Block()])
        self.norm = torch.nn.LayerNorm(HIDDEN)
        self.logits = torch.nn.Linear(HIDDEN, ACTIONS)
        self.value = torch.nn.Linear(HIDDEN, 1)

    def forward(self, x):
        h = self.input(x)
        for block in self.blocks:
            h = block(h)
        h = self.norm(h)
        return self.logits(h), self.value(h).squeeze(1)


def rounded(tensor):
    """As a C++ float holds it, so that both sides start from the same numbers."""
    return tensor.float().double()


network = Network()
with torch.no_grad():
    for parameter in network.parameters():
        parameter.copy_(rounded(parameter))
x = rounded(torch.randn(BATCH, INPUTS))
actions = torch.randint(ACTIONS, (BATCH,))
weights = rounded(torch.rand(BATCH) + 0.1)
old = rounded(-torch.rand(BATCH) * 2)
reference = rounded(-torch.rand(BATCH) * 2)
advantages = rounded(torch.randn(BATCH))
targets = rounded(torch.randn(BATCH))


def gradients(loss):
    network.zero_grad()
    loss.backward(retain_graph=True)
    return {
        name: None if parameter.grad is None else parameter.grad.flatten().tolist()
        for name, parameter in network.named_parameters()
    }


logits, value = network(x)
chosen = -F.cross_entropy(logits, actions, reduction="none")
ratio = torch.exp(chosen - old)
losses = {
    "cloning": F.nll_loss(torch.log_softmax(logits, 1) * 1, actions, reduction="none").mul(weights).sum() / weights.sum(),
    "ppo": -torch.stack(
        [min(r * a, max(min(r, torch.tensor(1.2)), torch.tensor(0.8)) * a) for r, a in zip(ratio, advantages)]
    ).mean(),
    "kl": torch.stack([torch.exp(q - p) - (q - p) - 1 for p, q in zip(chosen, reference)]).mean(),
    "entropy": torch.distributions.Categorical(logits=logits).entropy().mean(),
    "value": F.mse_loss(value, targets),
}

rewards = rounded(torch.randn(5))
values = rounded(torch.randn(6))
gamma, decay = 0.9, 0.8
# By the definition, every sum from its first term.
deltas = [rewards[t] + gamma * values[t + 1] - values[t] for t in range(5)]
gae = [sum((gamma * decay) ** k * deltas[t + k] for k in range(5 - t)) for t in range(5)]
returns = rounded(torch.randn(2, 4))
group = [[float((r - row.mean()) / (row.std(correction=0) + 1e-6)) for r in row] for row in returns]

oracle = {
    "shape": {"inputs": INPUTS, "hidden": HIDDEN, "blocks": 1, "actions": ACTIONS},
    "weights": {name: p.detach().flatten().tolist() for name, p in network.named_parameters()},
    "x": x.tolist(),
    "actions": actions.tolist(),
    "sample_weights": weights.tolist(),
    "old": old.tolist(),
    "reference": reference.tolist(),
    "advantages": advantages.tolist(),
    "targets": targets.tolist(),
    "logits": logits.tolist(),
    "values": value.tolist(),
    "losses": {name: {"value": loss.item(), "gradients": gradients(loss)} for name, loss in losses.items()},
    "gae": {"rewards": rewards.tolist(), "values": values.tolist(), "gamma": gamma, "lambda": decay, "advantages": [float(a) for a in gae]},
    "group": {"returns": returns.tolist(), "advantages": group},
}
path = pathlib.Path(__file__).with_name("oracle.json")
path.write_text(json.dumps(oracle, indent=1) + "\n")
