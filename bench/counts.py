"""A policy that is counts: what `./ordo bench reach` puts in the place of the network.

    python3 bench/counts.py [-o build/studies/counts.safetensors]

Of the sequences of the shipped experience it counts which action follows which, and which belongs to which
objective. A naive Bayes estimate of the next action, P(a | last) P(a | objective) / P(a), is a linear network of
the one-hot features `history.last` and `objective`, so the counts are a file of weights like any other
(docs/formats/weights.md), and the search with them is the same search. They see nothing of the program, and expect
the same of each state. A run's sequences count as they do in cloning (src/learn/samples.h).
"""

import argparse
import json
import math
import struct
from pathlib import Path

import numpy

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = ROOT / "data/policy/size.safetensors"
EXPERIENCE = ROOT / "data/experience/debian.jsonl"
OBJECTIVES = ("ir_instructions", "text_bytes")  # the first of the schema's three
HISTORY_AT = 2 * 56 + 2 * 64  # the bag, the last and the last but one follow Autophase and ir2vec
LEAST_WEIGHT, FULL_GAIN, TEMPERATURE = 0.1, 0.05, 0.005
SMOOTHING = 1.0  # so many sequences of an average run are like any other


def metadata(weights):
    """The metadata of a file of weights, and how many features it looks at."""
    with open(weights, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    return header["__metadata__"], header["input.weight"]["shape"][1]


def sequences(lines):
    """Objective, weight and actions of each of the best sequences; the weights of a run are at most 1.1."""
    for line in lines:
        run = json.loads(line)
        if not run.get("best"):
            continue
        objective = run["objective"]
        base = run["references"]["clang-Oz"][objective]
        if base <= 0:
            continue
        gains = [1 - best["values"][objective] / base for best in run["best"]]
        shares = numpy.exp((numpy.array(gains) - max(gains)) / TEMPERATURE)
        weight = LEAST_WEIGHT + min(max(*gains, 0) / FULL_GAIN, 1)
        for best, share in zip(run["best"], shares / shares.sum()):
            yield objective, weight * share, best["actions"]


def counted(found, actions):
    """Weights of what follows what (the last row: begins), and of what belongs to which objective.

    The action after the last, number `actions`, is to stop.
    """
    follows = numpy.zeros((actions + 1, actions + 1))
    belongs = numpy.zeros((len(OBJECTIVES), actions + 1))
    for objective, weight, sequence in found:
        last = actions
        for action in [*sequence, actions]:
            follows[last, action] += weight / (len(sequence) + 1)
            belongs[OBJECTIVES.index(objective), action] += weight / (len(sequence) + 1)
            last = action
    return follows, belongs


def network(follows, belongs, features):
    """The linear network that says the logarithms of these counts: its weights and its bias."""
    actions = len(follows) - 1
    overall = (belongs.sum(0) + 1e-3) / (belongs.sum(0) + 1e-3).sum()

    def logs(rows):
        smooth = rows + SMOOTHING * overall
        return numpy.log(smooth / smooth.sum(1, keepdims=True))

    after, of = logs(follows), logs(belongs) - numpy.log(overall)
    weights = numpy.zeros((actions + 1, features))
    last_at = HISTORY_AT + actions
    weights[:, last_at : last_at + actions] = (after[:actions] - after[actions]).T  # none was last at first
    objective_at = HISTORY_AT + 3 * actions
    weights[:, objective_at : objective_at + len(OBJECTIVES)] = of.T
    return weights, after[actions]


def safetensors(described, tensors):
    """The bytes of a file of weights."""
    header, data = {"__metadata__": described}, b""
    for name, values in tensors.items():
        content = numpy.ascontiguousarray(values, dtype="<f4").tobytes()
        offsets = [len(data), len(data) + len(content)]
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": offsets}
        data += content
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def write(path):
    """Writes the counts of the shipped experience, for the features and actions of the shipped weights."""
    described, features = metadata(SHIPPED)
    names = described["actions"].split("\n")[:-1]
    with open(EXPERIENCE, encoding="utf-8") as lines:
        header = json.loads(next(lines))
        if header["actions"] != names:
            raise SystemExit(f"{EXPERIENCE} has other actions than {SHIPPED}")
        found = list(sequences(lines))
    weights, bias = network(*counted(found, len(names)), features)
    assert math.isfinite(weights.sum())
    described |= {
        "architecture": "linear",
        "provenance": f"counts of {len(found)} sequences of {EXPERIENCE.relative_to(ROOT)}, by bench/counts.py",
    }
    tensors = {
        "logits.weight": weights,
        "logits.bias": bias,
        "value.weight": numpy.zeros((1, features)),
        "value.bias": numpy.zeros(1),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(safetensors(described, tensors))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "build/studies/counts.safetensors")
    write(parser.parse_args().output)


if __name__ == "__main__":
    main()
