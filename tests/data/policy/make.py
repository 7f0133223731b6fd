"""Writes numpy.safetensors: a small residual network, an input, and what NumPy makes of it in float64.

An implementation of the format (https://huggingface.co/docs/safetensors) and of the network
(docs/formats/weights.md) that shares nothing with src/policy/. Run in this folder: python make.py
"""

import json
import struct

import numpy as np

INPUTS, HIDDEN, BLOCKS, ACTIONS = 21, 19, 2, 6


def norm(x, tensors, name):
    scaled = (x - x.mean()) / np.sqrt(x.var() + 1e-5)
    return scaled * tensors[name + ".weight"] + tensors[name + ".bias"]


def linear(x, tensors, name):
    return tensors[name + ".weight"] @ x + tensors[name + ".bias"]


def forward(x, tensors):
    h = linear(x, tensors, "input")
    for block in (f"blocks.{i}." for i in range(BLOCKS)):
        inner = np.maximum(linear(norm(h, tensors, block + "norm"), tensors, block + "up"), 0)
        h = h + linear(inner, tensors, block + "down")
    y = norm(h, tensors, "norm")
    return np.append(linear(y, tensors, "logits"), linear(y, tensors, "value"))


def save(path, tensors, metadata):
    header, data = {"__metadata__": metadata}, b""
    for name in sorted(tensors):
        raw = tensors[name].astype("<f4").tobytes()
        header[name] = {
            "dtype": "F32",
            "shape": list(tensors[name].shape),
            "data_offsets": [len(data), len(data) + len(raw)],
        }
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def main():
    rng = np.random.default_rng(1)
    shapes = {"input": (HIDDEN, INPUTS), "logits": (ACTIONS, HIDDEN), "value": (1, HIDDEN)}
    norms = ["norm"]
    for i in range(BLOCKS):
        norms.append(f"blocks.{i}.norm")
        shapes |= {f"blocks.{i}.up": (HIDDEN, HIDDEN), f"blocks.{i}.down": (HIDDEN, HIDDEN)}
    tensors = {}
    for name, shape in shapes.items():
        tensors[name + ".weight"] = rng.normal(size=shape) / np.sqrt(shape[1])
        tensors[name + ".bias"] = rng.normal(size=shape[0])
    for name in norms:
        tensors[name + ".weight"] = 1 + rng.normal(size=HIDDEN) / 4
        tensors[name + ".bias"] = rng.normal(size=HIDDEN) / 4
    tensors["x"] = rng.normal(size=INPUTS) * (rng.random(INPUTS) < 0.5)
    # The network is that of the weights as stored.
    tensors = {name: value.astype(np.float32) for name, value in tensors.items()}
    tensors["y"] = forward(tensors["x"].astype(float), {n: t.astype(float) for n, t in tensors.items()})
    save("numpy.safetensors", tensors, {"made_by": "numpy"})


main()
