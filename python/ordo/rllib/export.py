"""``ordo policy export CHECKPOINT -o policy.safetensors``: what RLlib trained, as the compiler loads it."""

from __future__ import annotations

import argparse
import pathlib
import sys
from collections.abc import Sequence

from ray.rllib.core.rl_module.rl_module import RLModule

from ordo import _core
from ordo.rllib.module import PolicyModule

#: Where an algorithm's checkpoint has the module.
_INSIDE = pathlib.Path("learner_group", "learner", "rl_module", "default_policy")


def load(checkpoint: pathlib.Path) -> PolicyModule:
    """The module in the checkpoint of an algorithm, or in one of its own.

    A checkpoint is pickled: load only what you would run as a program.
    """
    inside = checkpoint / _INSIDE
    folder = inside if inside.is_dir() else checkpoint
    if not (folder / "class_and_ctor_args.pkl").is_file():
        raise ValueError(
            f"{checkpoint} is no checkpoint of RLlib: 'ordo train policy --engine rllib' makes one"
        )
    module = RLModule.from_checkpoint(str(folder.resolve()))
    if not isinstance(module, PolicyModule):
        raise ValueError(f"{checkpoint} has another network than ours: a {type(module).__name__}")
    return module


def write(module: PolicyModule, path: pathlib.Path, provenance: str = "") -> None:
    """Writes the weights, and reads them as the compiler will. Raises ``ordo.Error`` if it would not."""
    about = dict(module.model_config["about"])
    actions = about.pop("actions")
    if provenance:
        about["provenance"] = provenance
    tensors = {
        name: tensor.detach().cpu().contiguous().numpy()
        for name, tensor in module.network.state_dict().items()
    }
    _core.write_policy(
        str(path), about | {"architecture": module.model_config["architecture"]}, actions, tensors
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser("ordo policy export", description=(__doc__ or "").partition(": ")[2])
    parser.add_argument(
        "checkpoint", type=pathlib.Path, help="a folder that RLlib wrote; it is run, as pickles are"
    )
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("policy.safetensors"))
    options = parser.parse_args(arguments)
    try:
        write(load(options.checkpoint), options.output)
    except (ValueError, _core.Error, OSError) as error:
        print(f"ordo: {error}", file=sys.stderr)
        return 1
    print(options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
