"""The first stage: a model learns from demonstrations, with TRL's ``SFTTrainer``.

The dialogues are given to it as ids with labels, in either form: TRL would make text of a chat template,
which has no tokens for actions, and SmolLM2's knows no tools. The loss is over what the model says, and over
the rows there are, which with a table are 1,500 and not 49,152.
"""

from __future__ import annotations

import pathlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import datasets
import torch
from trl import SFTConfig, SFTTrainer

from ordo.agent import runs
from ordo.agent.chat import ChatForm
from ordo.agent.dialogue import CompactForm
from ordo.agent.tasks import tool_names_of
from ordo.agent.trainee import Trainee, bf16_is_faster
from ordo.agent.vocabulary import definition, tool_names

__all__ = ["SftSettings", "encode_all", "train_sft"]


@dataclass(frozen=True)
class SftSettings:
    """How it is trained."""

    steps: int = 0  #: 0: as many as the epochs have
    epochs: float = 1.0
    batch: int = 16  #: dialogues a step
    micro_batch: int = 8  #: of them at once
    learning_rate: float = 3e-4
    warmup: float = 0.05  #: of the steps
    weight_decay: float = 0.0
    max_tokens: int = 1024  #: longer dialogues are left out
    save_steps: int = 50
    log_steps: int = 5
    seed: int = 1
    bf16: str = "auto"  #: "on", "off", or "auto": where it is measured faster


def encode_all(
    lines: Sequence[dict[str, Any]], form: CompactForm | ChatForm, max_tokens: int = 1024
) -> tuple[datasets.Dataset, int]:
    """Dialogues as ids and labels, which are -100 for what others said; and how many were too long.

    Raises:
        ValueError: None is left, or one cannot be encoded: says which.
    """
    rows: dict[str, list[list[int]]] = {"input_ids": [], "labels": []}
    left_out = 0
    for number, line in enumerate(lines):
        known = [definition(name) for name in tool_names_of(line) if name in tool_names()]
        try:
            encoded = form.encode(line["messages"], known)
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"dialogue {number} ({line['program']}): {error}") from error
        if len(encoded.ids) > max_tokens:
            left_out += 1
            continue
        rows["input_ids"].append(encoded.ids)
        rows["labels"].append([token if mine else -100 for token, mine in zip(encoded.ids, encoded.said)])
    if not rows["input_ids"]:
        raise ValueError("there is no dialogue to learn from")
    return datasets.Dataset.from_dict(rows), left_out


class _Trainer(runs.AtomicCheckpoints, SFTTrainer):
    """With checkpoints that appear whole."""


def train_sft(
    trainee: Trainee,
    lines: Sequence[dict[str, Any]],
    run: pathlib.Path,
    settings: SftSettings,
    validation: Sequence[dict[str, Any]] = (),
    half: bool | None = None,
    checkpoint: pathlib.Path | None = None,
) -> dict[str, float]:
    """Trains on demonstrations, to the end of the settings' steps.

    Args:
        trainee: Is changed.
        lines: The demonstrations (:mod:`ordo.agent.tasks`).
        run: A folder that :func:`ordo.agent.runs.begin` began.
        settings: How.
        validation: Demonstrations whose loss is recorded when it saves.
        half: Whether in bfloat16; None: as the settings say.
        checkpoint: Where it goes on from.

    Returns:
        What was recorded last: loss, tokens and so on.
    """
    form = trainee.agent.form
    dataset, _ = encode_all(lines, form, settings.max_tokens)
    held_out = encode_all(validation, form, settings.max_tokens)[0] if validation else None
    if half is None:
        half = settings.bf16 == "on" or (
            settings.bf16 == "auto" and bf16_is_faster(trainee.agent.model, dataset["input_ids"][:4])
        )
    micro = min(settings.micro_batch, settings.batch)
    with runs.quietly():
        config = SFTConfig(
            output_dir=str(run),
            max_steps=settings.steps or -1,
            num_train_epochs=settings.epochs,
            per_device_train_batch_size=micro,
            per_device_eval_batch_size=micro,
            gradient_accumulation_steps=max(1, settings.batch // micro),
            learning_rate=settings.learning_rate,
            warmup_steps=settings.warmup,
            weight_decay=settings.weight_decay,
            lr_scheduler_type="cosine",
            max_length=settings.max_tokens,
            save_steps=settings.save_steps,
            logging_steps=settings.log_steps,
            eval_strategy="steps" if held_out is not None else "no",
            eval_steps=settings.save_steps,
            train_sampling_strategy="group_by_length",
            seed=settings.seed,
            data_seed=settings.seed,
            bf16=half,
            use_cpu=not torch.cuda.is_available(),
            gradient_checkpointing=False,
            dataset_kwargs={"skip_prepare_dataset": True},
            dataloader_pin_memory=torch.cuda.is_available(),
            report_to="none",
            disable_tqdm=True,
        )
        trainer = _Trainer(
            model=trainee.agent.model,
            args=config,
            train_dataset=dataset,
            eval_dataset=held_out,
            processing_class=trainee.tokenizer,
            callbacks=[runs.Events(run)],
        )
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    trainee.agent.model = trainer.accelerator.unwrap_model(trainer.model)
    history = [entry for entry in trainer.state.log_history if "loss" in entry]
    return history[-1] if history else {}
