"""``python -m ordo.agent.train sft|rl|all``: teaches a language model to use Ordo's tools.

::

    python -m ordo.agent.train sft --run RUN --lines demonstrations.jsonl
    python -m ordo.agent.train rl  --run RUN2 --model hf:RUN/model --lines demonstrations.jsonl
    python -m ordo.agent.train all --run RUN --lines demonstrations.jsonl --rl-steps 200

A run that was stopped goes on from its last checkpoint when the same command is given again. What comes of it
is RUN/model, which ``hf:RUN/model`` names; ``all`` has RUN/sft and RUN/rl. See :mod:`ordo.agent.runs`.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import pathlib
import sys
from collections.abc import Sequence
from typing import Any

import torch

from ordo.agent import exits, rewards, rl, runs, sft, tasks, trainee
from ordo.agent.model import shipped_base
from ordo.agent.tools import Server

__all__ = ["main"]


def _add_fields(parser: argparse.ArgumentParser, kind: type, prefix: str = "") -> None:
    """An option for each field of a dataclass: ``--learning-rate`` for ``learning_rate``."""
    group = parser.add_argument_group(f"{kind.__module__.rpartition('.')[2]}: {kind.__name__}")
    for field in dataclasses.fields(kind):
        name = f"--{prefix}{field.name.replace('_', '-')}"
        where = {"dest": f"{prefix}{field.name}", "default": field.default, "help": f"({field.default})"}
        if isinstance(field.default, bool):
            group.add_argument(name, action=argparse.BooleanOptionalAction, **where)
        elif field.default is None or "None" in str(field.type):
            group.add_argument(name, type=_number_or_none, **where)
        else:
            group.add_argument(name, type=type(field.default), **where)


def _number_or_none(text: str) -> float | None:
    return None if text == "none" else float(text)


def _fields(options: argparse.Namespace, kind: type, prefix: str = "") -> Any:
    given = vars(options)
    return kind(**{field.name: given[f"{prefix}{field.name}"] for field in dataclasses.fields(kind)})


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m ordo.agent.train", description=(__doc__ or "").partition("\n")[0]
    )
    stages = parser.add_subparsers(dest="stage", required=True)
    for stage in ("sft", "rl", "all"):
        one = stages.add_parser(stage)
        one.add_argument("--run", required=True, type=pathlib.Path, help="the folder of the run")
        one.add_argument("--model", default="base", help="base, hf:FOLDER, gguf:FILE, random:N (base)")
        one.add_argument("--lines", required=True, nargs="+", help="files of demonstrations")
        one.add_argument("--form", choices=("compact", "text"), default="compact")
        one.add_argument("--rank", type=int, default=16, help="of LoRA; 0: all weights (16)")
        one.add_argument("--alpha", type=float, default=32, help="LoRA's scale times the rank (32)")
        one.add_argument("--thoughts", action=argparse.BooleanOptionalAction, default=True)
        one.add_argument("--device", default="cpu", help="cpu or cuda (cpu)")
        # Threads that wait for each other beside other work on the machine are slower than one of them.
        one.add_argument("--threads", type=int, default=0, help="of PyTorch; 1 beside other work (all)")
        if stage != "rl":
            one.add_argument("--validation", nargs="*", default=[], help="files whose loss is recorded")
            _add_fields(one, sft.SftSettings, "sft-" if stage == "all" else "")
        if stage != "sft":
            one.add_argument("--ordo", help="the program ordo ($ORDO, else the one found)")
            one.add_argument("--server", nargs="+", help="another command that starts a tool server")
            one.add_argument("--servers", type=int, default=1, help="tool servers at once (1)")
            _add_fields(one, rl.RlSettings, "rl-" if stage == "all" else "")
            _add_fields(one, rewards.Weights, "reward-")
    return parser


def _settings(stage: str, options: argparse.Namespace, *parts: Any) -> dict[str, Any]:
    """What a run is known by."""
    common = ("model", "lines", "form", "rank", "alpha", "thoughts", "device")
    known = {key: getattr(options, key) for key in common} | {"stage": stage}
    for part in parts:
        known |= {f"{type(part).__name__}.{key}": value for key, value in dataclasses.asdict(part).items()}
    return known


def _base(name: str) -> str:
    return f"gguf:{shipped_base()}" if name == "base" else name


def _prepare(
    model: str, options: argparse.Namespace, lines: list[dict[str, Any]], seed: int
) -> trainee.Trainee:
    return trainee.prepare(
        _base(model),
        lines,
        options.form,
        options.rank,
        options.alpha,
        options.thoughts,
        options.device,
        seed,
    )


def _sft(options: argparse.Namespace, run: pathlib.Path, prefix: str = "") -> dict[str, float]:
    settings = _fields(options, sft.SftSettings, prefix)
    checkpoint = runs.begin(run, _settings("sft", options, settings))
    lines = list(tasks.read_lines(options.lines))
    held_out = list(tasks.read_lines(options.validation))
    trained = _prepare(options.model, options, lines, settings.seed)
    # A run that goes on computes as it began: which is faster is measured once.
    decided = run / "bf16.json"
    if not decided.exists():
        encoded, _ = sft.encode_all(lines[:4], trained.agent.form, settings.max_tokens)
        faster = settings.bf16 == "auto" and trainee.bf16_is_faster(
            trained.agent.model, encoded["input_ids"][:]
        )
        runs.write_json(decided, settings.bf16 == "on" or faster)
    half = json.loads(decided.read_text(encoding="utf-8"))
    last = sft.train_sft(trained, lines, run, settings, held_out, half, checkpoint)
    trained.write(run / "model", {"stage": "sft", "seed": settings.seed, "dialogues": len(lines)})
    return last


def _rl(options: argparse.Namespace, run: pathlib.Path, model: str, prefix: str = "") -> dict[str, float]:
    settings, weights = _fields(options, rl.RlSettings, prefix), _fields(options, rewards.Weights, "reward-")
    checkpoint = runs.begin(run, _settings("rl", options, settings, weights) | {"model": model})
    lines = list(tasks.read_lines(options.lines))
    # The same program may be demonstrated in several ways: it is one task.
    known = {(task.program, task.objective): task for task in map(tasks.task_of, lines)}
    trained = _prepare(model, options, lines, settings.seed)
    with contextlib.ExitStack() as stack:
        command = options.server or options.ordo
        servers = [stack.enter_context(Server(command)) for _ in range(options.servers)]
        last = rl.train_rl(trained, list(known.values()), servers, run, settings, weights, checkpoint)
    about = {"stage": "rl", "seed": settings.seed, "tasks": len(known), "steps": settings.steps}
    trained.write(run / "model", about)
    return last


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line. What was recorded last is printed as JSON."""
    options = _parser().parse_args(arguments)
    if options.threads:
        torch.set_num_threads(options.threads)
    with exits.telling("train"):
        if options.stage == "sft":
            last = _sft(options, options.run)
        elif options.stage == "rl":
            last = _rl(options, options.run, options.model)
        else:
            if not (options.run / "sft" / "model" / "tokens.json").exists():
                _sft(options, options.run / "sft", "sft-")
            last = _rl(options, options.run / "rl", f"hf:{options.run / 'sft' / 'model'}", "rl-")
    print(json.dumps(last), file=sys.stdout)


if __name__ == "__main__":
    main()
