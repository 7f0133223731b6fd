"""The folder of a training run: its settings, its checkpoints, and what happened, as JSON Lines.

::

    RUN/settings.json     what it was asked for: a run goes on only with the same
    RUN/events.jsonl      one line for each record: step, loss, reward and its parts, lengths, tokens a second
    RUN/tensorboard/      the same for TensorBoard, where that is installed
    RUN/checkpoint-N/     after N steps: weights, optimizer, schedule and chance. The last two are kept
    RUN/model/            what came of it (ordo.agent.weights)

A checkpoint appears whole or not at all. A run that goes on from one forgets what was recorded after it.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import shutil
import sys
import time
import warnings
from collections.abc import Iterator
from typing import Any

from transformers import PrinterCallback, TrainerCallback
from transformers.utils import logging

__all__ = ["AtomicCheckpoints", "Events", "begin", "newest_checkpoint", "quietly"]

_KEPT = 2  # checkpoints
_SHOWN = ("loss", "eval_loss", "reward", "agent/gain", "agent/submitted", "tokens_per_second")


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Without what PEFT, TRL and transformers of the same month warn of each other's names, and bars."""
    logging.disable_progress_bar()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        warnings.filterwarnings("ignore", "Setting `save_embedding_layers`")  # as is meant: rows are trained
        yield


def newest_checkpoint(run: pathlib.Path) -> pathlib.Path | None:
    """The checkpoint of the most steps."""
    found = [path for path in run.glob("checkpoint-*") if path.name.removeprefix("checkpoint-").isdigit()]
    return max(found, key=lambda path: int(path.name.removeprefix("checkpoint-")), default=None)


def write_json(file: pathlib.Path, content: Any) -> None:
    """Writes JSON, whole or not at all."""
    beside = file.with_name(file.name + ".new")
    beside.write_text(json.dumps(content, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    os.replace(beside, file)


def begin(run: pathlib.Path, settings: dict[str, Any]) -> pathlib.Path | None:
    """Begins a run, or goes on with it: the checkpoint to go on from, if there is one.

    Raises:
        ValueError: There is a run with other settings; says which.
    """
    run.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(run / ".saving", ignore_errors=True)
    file = run / "settings.json"
    settings = json.loads(json.dumps(settings))
    if file.exists():
        known = json.loads(file.read_text(encoding="utf-8"))
        keys = sorted(key for key in known | settings if known.get(key) != settings.get(key))
        if keys:
            changes = ", ".join(f"{key} was {known.get(key)} and is {settings.get(key)}" for key in keys)
            raise ValueError(f"{run} is a run with other settings: {changes}. Take another folder")
    else:
        write_json(file, settings)
    return newest_checkpoint(run)


class AtomicCheckpoints:
    """A trainer whose checkpoints appear whole or not at all; mixed in before transformers' ``Trainer``."""

    _staging: str | None = None

    def _get_output_dir(self, trial: Any) -> str:
        return self._staging or super()._get_output_dir(trial)  # type: ignore[misc]

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        run = pathlib.Path(self.args.output_dir)  # type: ignore[attr-defined]
        staging = run / ".saving"
        self._staging = str(staging)
        try:
            super()._save_checkpoint(model, trial)  # type: ignore[misc]
        finally:
            self._staging = None
        for made in staging.glob("checkpoint-*"):
            shutil.rmtree(run / made.name, ignore_errors=True)
            os.replace(made, run / made.name)
        shutil.rmtree(staging, ignore_errors=True)
        kept = sorted(run.glob("checkpoint-*"), key=lambda path: int(path.name.split("-")[1]))
        for old in kept[:-_KEPT]:
            shutil.rmtree(old)

    def train(self, *arguments: Any, **options: Any) -> Any:
        """Trains; what is shown of it is the events' business."""
        self.remove_callback(PrinterCallback)  # type: ignore[attr-defined]
        return super().train(*arguments, **options)  # type: ignore[misc]

    def create_model_card(self, *_: Any, **__: Any) -> None:
        """None is written: ``docs/agent.md`` has one."""


class Events(TrainerCallback):
    """Records what a trainer logs, as JSON Lines and for TensorBoard, and shows a line of it."""

    def __init__(self, run: pathlib.Path) -> None:
        self._file = run / "events.jsonl"
        self._board_folder = run / "tensorboard"
        self._board: Any = None
        self._start_s = 0.0
        self._last = (0.0, 0.0)  # when, and how many tokens until then

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Forgets what was recorded after the checkpoint that it goes on from."""
        lines = self._file.read_text(encoding="utf-8").splitlines() if self._file.exists() else []
        kept = [line for line in lines if json.loads(line)["step"] <= state.global_step]
        if len(kept) != len(lines):
            self._file.write_text("".join(line + "\n" for line in kept), encoding="utf-8")
        try:
            from torch.utils.tensorboard import SummaryWriter

            self._board = SummaryWriter(str(self._board_folder), purge_step=state.global_step + 1)
        except ModuleNotFoundError:
            pass
        self._start_s = time.monotonic()
        self._last = (self._start_s, 0.0)

    def on_log(
        self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **_: Any
    ) -> None:
        """Writes a line."""
        now = time.monotonic()
        event = {"step": state.global_step, "seconds": round(now - self._start_s, 3)}
        event |= {key: value for key, value in (logs or {}).items() if isinstance(value, (int, float))}
        tokens = event.get("num_tokens")
        if tokens is not None:
            then, before = self._last
            if before and now > then:
                event["tokens_per_second"] = round((tokens - before) / (now - then), 2)
            self._last = (now, tokens)
        with self._file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(event) + "\n")
        shown = {key: event[key] for key in _SHOWN if key in event}
        if shown:
            words = " ".join(f"{key} {value:.4g}" for key, value in shown.items())
            print(f"step {state.global_step}/{state.max_steps}: {words}", file=sys.stderr, flush=True)
        if self._board is not None:
            for key, value in event.items():
                if key != "step":
                    self._board.add_scalar(key, value, state.global_step)

    def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Closes TensorBoard's file."""
        if self._board is not None:
            self._board.close()
            self._board = None
