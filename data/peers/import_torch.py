"""Writes a PyTorch model as a kernel of linalg, by torch-mlir.

``python import_torch.py MODEL.py:FUNCTION OUT.mlir`` calls FUNCTION, which returns the model and a tuple of
inputs of the shapes that it is for. Weights become arguments of the kernel behind its inputs, in the order of
``named_parameters()``, so that the kernel is small and its library serves any weights; OUT.args lists them.
Buffers, as the variances of a batch norm, are part of the kernel: what is done to them is not for any numbers.
"""

from __future__ import annotations

import pathlib
import re
import runpy
import sys
import warnings
from typing import Any

# What torch-mlir asserts of values (that no divisor is 0) is no part of a kernel.
_ASSERTS = re.compile(r"^ *cf\.assert .*\n", re.MULTILINE)


def lifted(torch: Any, model: Any) -> tuple[Any, dict[str, Any]]:
    """The model as one whose weights are inputs, and these."""
    weights = {name: tensor.detach() for name, tensor in model.named_parameters()}

    class Lifted(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            # Kept where its parameters are not found as this one's own.
            self.__dict__["model"] = model

        def forward(self, *given: Any) -> Any:
            inputs = given[: len(given) - len(weights)]
            named = dict(zip(weights, given[len(inputs) :]))
            return torch.func.functional_call(self.__dict__["model"], named, inputs)

    return Lifted(), weights


def convert(place: str, out: pathlib.Path) -> None:
    """Writes the kernel, and what its arguments are."""
    import torch
    from torch_mlir import fx

    file, _, function = place.rpartition(":")
    found = runpy.run_path(file).get(function)
    if found is None:
        sys.exit(f"{file} has no function {function}")
    model, inputs = found()
    model, weights = lifted(torch, model.eval())
    with torch.no_grad():
        module = fx.export_and_import(
            model, *inputs, *weights.values(), output_type="linalg-on-tensors", func_name=function
        )
    out.write_text(_ASSERTS.sub("", str(module)))
    names = [f"input {i}" for i in range(len(inputs))] + list(weights)
    tensors = [*inputs, *weights.values()]
    lines = [f"{name}: {' x '.join(map(str, tensor.shape))}\n" for name, tensor in zip(names, tensors)]
    out.with_suffix(".args").write_text("".join(lines))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if len(sys.argv) != 3 or ":" not in sys.argv[1]:
        sys.exit("usage: python import_torch.py MODEL.py:FUNCTION OUT.mlir")
    try:
        convert(sys.argv[1], pathlib.Path(sys.argv[2]))
    except ImportError as error:
        print(f"torch-mlir is not installed for {sys.executable}: {error}", file=sys.stderr)
        sys.exit(69)  # docs/exit-codes.md
