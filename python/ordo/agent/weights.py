"""What training adds to a base model, as one small file: LoRA factors and the rows of a table's tokens.

``agent.safetensors`` has ``rows.in`` and ``rows.out`` [tokens, width], and for each adapted matrix
``lora.NAME.a`` [rank, in] and ``lora.NAME.b`` [out, rank], in half precision; ``tokens.json`` beside it is
the table. Its header says which base model it is for, by digest, which table, and how factors are scaled::

    W' = W + scale * b @ a                         (Hu et al., LoRA, arXiv 2106.09685)

Where all weights were trained there is no small file, but a Hugging Face folder with the table beside it.
"""

from __future__ import annotations

import json
import os
import pathlib
import warnings
from typing import Any

import peft
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from ordo.agent import exits
from ordo.agent.model import TOKENS, WEIGHTS, Base, compact, load_base, shipped_base
from ordo.agent.tokens import VERSION as TOKENS_VERSION
from ordo.agent.tokens import TokenTable

__all__ = ["add_lora", "read", "resume_lora", "write"]

VERSION = 1
MOST_BYTES = 40 * 2**20  # of what is shipped
_MATRICES = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
_ROWS = {"rows.in": "get_input_embeddings", "rows.out": "get_output_embeddings"}


def add_lora(model: Any, rank: int, alpha: float, rows: bool = True) -> Any:
    """``model`` with LoRA factors of a rank on all its matrices, which are what is trained.

    Args:
        model: A compact one, whose rows are not tied; any other without ``rows``.
        rank: Of the factors.
        alpha: They are scaled by alpha / rank.
        rows: Whether the rows of its tokens are trained too.
    """
    config = peft.LoraConfig(
        r=rank,
        lora_alpha=alpha,
        target_modules=_MATRICES,
        modules_to_save=["embed_tokens", "lm_head"] if rows else None,
        task_type="CAUSAL_LM",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # PEFT asks transformers by a name of last month
        return peft.get_peft_model(model, config)


def _factors(model: Any) -> dict[str, tuple[torch.Tensor, torch.Tensor, float]]:
    """The parts of each adapted matrix, by its name in the base model: a, b and the scale."""
    found = {}
    for name, module in model.base_model.model.named_modules():
        if isinstance(module, peft.tuners.lora.Linear):
            a, b = module.lora_A["default"].weight, module.lora_B["default"].weight
            found[name] = (a, b, module.scaling["default"])
    return found


def _rows(model: Any) -> dict[str, torch.Tensor]:
    inner = model.base_model.model if isinstance(model, peft.PeftModel) else model
    rows = {}
    for key, getter in _ROWS.items():
        module = getattr(inner, getter)()
        rows[key] = getattr(module, "modules_to_save", {"default": module})["default"].weight
    return rows


def write(
    folder: str | os.PathLike[str], model: Any, table: TokenTable, base: Base, about: dict[str, Any]
) -> None:
    """Writes a trained compact model into a folder, from which :func:`ordo.agent.model.load` reads it.

    Args:
        folder: Made if it is not there.
        model: With LoRA factors, or without: then all of it is written.
        table: Its tokens.
        base: What it was made of.
        about: More for the header: space, steps, seeds. Values are written as JSON.

    Raises:
        ValueError: The small file would have more than 40 MB: the rank is too high.
    """
    target = pathlib.Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    table.save(target / TOKENS)
    if not isinstance(model, peft.PeftModel):
        model.save_pretrained(target)
        return
    factors = _factors(model)
    tensors = {
        f"lora.{name}.{part}": pair[i] for name, pair in factors.items() for i, part in enumerate("ab")
    }
    tensors |= _rows(model)
    halves = {key: value.detach().to("cpu", torch.float16).contiguous() for key, value in tensors.items()}
    size = sum(value.numel() * 2 for value in halves.values())
    if size > MOST_BYTES:
        raise ValueError(f"the weights have {size} bytes, and {MOST_BYTES} are allowed: take a lower rank")
    scales = {scale for _, _, scale in factors.values()}
    header = {
        "ordo_agent": VERSION,
        "base": base.digest,
        "base_name": "shipped" if base.name.startswith("gguf:") else base.name,
        "tokens_version": TOKENS_VERSION,
        "tokens": table.digest,
        "spaces": sorted(table.spaces),
        "scale": scales.pop(),
    } | about
    beside = target / (WEIGHTS + ".new")
    save_file(halves, beside, {key: json.dumps(value) for key, value in header.items()})
    os.replace(beside, target / WEIGHTS)


def _open(folder: pathlib.Path) -> tuple[dict[str, Any], dict[str, torch.Tensor], TokenTable]:
    table = TokenTable.load(folder / TOKENS)
    with safe_open(folder / WEIGHTS, "pt") as file:
        header = {key: json.loads(value) for key, value in (file.metadata() or {}).items()}
        tensors = {key: file.get_tensor(key).float() for key in file.keys()}  # noqa: SIM118 (no dict)
    if header.get("ordo_agent") != VERSION or header.get("tokens_version") != TOKENS_VERSION:
        raise exits.Refused(exits.BAD_FILE, f"{folder / WEIGHTS} is no agent of version {VERSION}")
    if header["tokens"] != table.digest or tensors["rows.in"].shape[0] != len(table):
        raise exits.Refused(
            exits.BAD_FILE,
            f"{folder / TOKENS} is not the table that the weights beside it were trained with",
        )
    return header, tensors, table


def _base_of(header: dict[str, Any], folder: pathlib.Path) -> Base:
    name = header["base_name"]
    base = load_base(f"gguf:{shipped_base()}" if name == "shipped" else name)
    if base.digest != header["base"]:
        raise exits.Refused(
            exits.BAD_FILE, f"{folder} is for a base model with digest {header['base']}, not {base.digest}"
        )
    return base


def _set_rows(model: Any, tensors: dict[str, torch.Tensor]) -> None:
    for key, weight in _rows(model).items():
        weight.copy_(tensors[key])


def read(folder: pathlib.Path) -> tuple[Any, TokenTable, Base]:
    """The model that was written there, with its factors multiplied in, its table and its base.

    Raises:
        ValueError: The files do not belong together, or the base model is another.
        FileNotFoundError: The base model is not there.
    """
    header, tensors, table = _open(folder)
    base = _base_of(header, folder)
    model = compact(base, table)
    with torch.no_grad():
        _set_rows(model, tensors)
        for name, module in model.named_modules():
            if f"lora.{name}.a" in tensors:
                factors = tensors[f"lora.{name}.b"] @ tensors[f"lora.{name}.a"]
                module.weight.add_(factors, alpha=header["scale"])
    return model, table, base


def resume_lora(folder: pathlib.Path) -> tuple[Any, TokenTable, Base]:
    """As :func:`read`, but with its factors apart, to train them further."""
    header, tensors, table = _open(folder)
    base = _base_of(header, folder)
    rank = next(value.shape[0] for key, value in tensors.items() if key.endswith(".a"))
    model = add_lora(compact(base, table), rank, header["scale"] * rank)
    with torch.no_grad():
        _set_rows(model, tensors)
        for name, (a, b, _) in _factors(model).items():
            a.copy_(tensors[f"lora.{name}.a"])
            b.copy_(tensors[f"lora.{name}.b"])
    return model, table, base
