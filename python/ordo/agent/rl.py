"""The second stage: a model learns from rewards for dialogues with real tools, with TRL's ``GRPOTrainer``.

TRL plays no part in the dialogues: :mod:`ordo.agent.play` is its ``rollout_func``. Its
``environment_factory`` (TRL 1.16) could not be used: it renders prompts and tools' answers with a Jinja chat
template and parses calls with a response schema of a template that it knows, so that there are no compact
tokens, and SmolLM2's template is not one of them ("does not support tool calling", it says and ends); and it
computes the whole dialogue anew for each turn.
Losses, clipping, references, optimizer and checkpoints are TRL's. Its ``RLOOTrainer`` takes neither tools nor
rollouts, and it has no REINFORCE++ for them, so those two estimators are here, on the same loss::

    grpo          (r - mean of the group) / deviation of the group     Shao et al., arXiv 2402.03300
    dr_grpo       r - mean of the group                                Liu et al., arXiv 2503.20783
    rloo          r - mean of the others of the group                  Ahmadian et al., arXiv 2402.14740
    reinforce++   r - mean of the group, divided by the deviation of these over the batch (the variant with a
                  baseline)                                            Hu et al., arXiv 2501.03262

With one iteration over what was played the ratio of the clipped loss is 1, and it is REINFORCE's. There is no
PPO with a critic: TRL's is gone.
"""

from __future__ import annotations

import contextlib
import math
import os
import pathlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import datasets
import peft
import torch
from peft.tuners import lora

os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")  # rollout_func is experimental, which is known
from transformers import TrainerCallback
from trl import GRPOConfig, GRPOTrainer

from ordo.agent import play, rewards, runs
from ordo.agent.generate import Sampling
from ordo.agent.tasks import Task
from ordo.agent.tools import Server
from ordo.agent.trainee import Trainee

__all__ = ["ESTIMATORS", "RlSettings", "advantages", "train_rl"]

ESTIMATORS = ("grpo", "dr_grpo", "rloo", "reinforce++")

_PARTS = ("format", "answer", "price")


@dataclass(frozen=True)
class RlSettings:
    """How it is trained."""

    steps: int = 100
    tasks: int = 4  #: a step
    group: int = 8  #: dialogues for each of them
    micro_batch: int = 8  #: dialogues at once in the loss
    iterations: int = 1  #: over what was played
    estimator: str = "grpo"
    loss: str = "dapo"  #: TRL's loss_type: dapo, grpo, dr_grpo, bnpo, cispo …
    learning_rate: float = 3e-5
    clip: float = 0.2
    beta: float = 0.0  #: weight of the divergence from the model at the start
    temperature: float = 1.0
    repetition_penalty: float = 1.0  #: when playing; the loss does not know of it
    constrained: bool = (
        False  #: likewise: what the grammar forbids is not played, so that format is no matter
    )
    turns: int = 12
    turn_tokens: int = 128
    tokens: int = 768
    save_steps: int = 10
    seed: int = 1
    bf16: bool = False
    seconds: float = 0.0  #: it ends after the step in which so many are over; 0: after the steps


def advantages(values: torch.Tensor, group: int, estimator: str) -> torch.Tensor:
    """What each dialogue is better than expected, of its group.

    Args:
        values: Rewards [tasks * group], those of a task together; NaN for what cannot be judged, which counts
            nowhere.
        group: Dialogues for each task, at least 2.
        estimator: Of :data:`ESTIMATORS`.

    Returns:
        The same shape, 0 for what cannot be judged.
    """
    grouped = values.view(-1, group)
    judged = ~torch.isnan(grouped)
    count = judged.sum(1, keepdim=True)
    mean = torch.nan_to_num(grouped).sum(1, keepdim=True) / count.clamp(min=1)
    centred = torch.where(judged, grouped - mean, 0.0)
    if estimator == "grpo":
        deviation = (centred.square().sum(1, keepdim=True) / (count - 1).clamp(min=1)).sqrt()
        centred = centred / (deviation + 1e-4)
    elif estimator == "rloo":
        centred = centred * count / (count - 1).clamp(min=1)
    elif estimator == "reinforce++":
        total = judged.sum().clamp(min=2)
        centred = centred / ((centred.square().sum() / (total - 1)).sqrt() + 1e-4)
    elif estimator != "dr_grpo":
        raise ValueError(f"there is no estimator '{estimator}': there are {', '.join(ESTIMATORS)}")
    return centred.view(-1)


class _Trainer(runs.AtomicCheckpoints, GRPOTrainer):
    """With our estimators, and checkpoints that appear whole."""

    estimator = "grpo"

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        output = super()._generate_and_score_completions(inputs)
        # TRL's mean and deviation are in its record; these are what the loss is with.
        values = torch.tensor([example["reward"] for example in inputs])
        own = advantages(values, self.num_generations, self.estimator)
        output["advantages"] = own.to(output["advantages"])
        return output


class _Deadline(TrainerCallback):
    """Ends a training in time."""

    def __init__(self, seconds: float) -> None:
        self._end_s = time.monotonic() + seconds if seconds else math.inf

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Asks for no more steps when the time is over."""
        control.should_training_stop |= time.monotonic() >= self._end_s


@contextlib.contextmanager
def _multiplied(model: Any) -> Iterator[None]:
    """With the factors multiplied in, which halves the time of a token; what was there comes back exactly."""
    if not isinstance(model, peft.PeftModel):
        yield
        return
    layers = [layer.get_base_layer() for layer in model.modules() if isinstance(layer, lora.Linear)]
    before = [layer.weight.detach().clone() for layer in layers]
    model.merge_adapter()
    try:
        yield
    finally:
        model.unmerge_adapter()
        with torch.no_grad():
            for layer, weight in zip(layers, before, strict=True):
                layer.weight.copy_(weight)


class _Player:
    """Plays the tasks that the trainer asks for, and keeps what came of them."""

    def __init__(
        self,
        trainee: Trainee,
        tasks: Sequence[Task],
        servers: Sequence[Server],
        settings: RlSettings,
        weights: rewards.Weights,
    ) -> None:
        self._trainee, self._tasks, self._servers = trainee, tasks, servers
        self._settings, self._weights = settings, weights

    def __call__(self, prompts: list[str], trainer: Any) -> dict[str, Any]:
        """TRL's ``rollout_func``: a prompt is the number of a task."""
        settings = self._settings
        model = trainer.accelerator.unwrap_model(trainer.model)
        agent = self._trainee.agent
        agent.model = model
        training = model.training
        model.eval()
        try:
            with _multiplied(model):
                episodes = play.play(
                    agent,
                    [self._tasks[int(prompt)] for prompt in prompts],
                    self._servers,
                    Sampling(settings.temperature, settings.repetition_penalty, settings.turn_tokens),
                    [
                        (settings.seed * 1_000_003 + trainer.state.global_step) * 4096 + i
                        for i in range(len(prompts))
                    ],
                    play.Limits(settings.turns, settings.tokens),
                    settings.constrained,
                )
        finally:
            model.train(training)
        return _as_rollout(episodes, self._weights, agent.form.end)


def _as_rollout(episodes: Sequence[play.Episode], weights: rewards.Weights, end: int) -> dict[str, Any]:
    # A dialogue that never began is given one token that counts for nothing: TRL cannot do without.
    silent = [not episode.ids for episode in episodes]
    rows: dict[str, Any] = {
        "prompt_ids": [episode.prompt_ids or [end] for episode in episodes],
        "completion_ids": [[end] if mute else e.ids for mute, e in zip(silent, episodes)],
        "logprobs": [[0.0] if mute else e.logprobs for mute, e in zip(silent, episodes)],
        "env_mask": [[0] if mute else list(map(int, e.said)) for mute, e in zip(silent, episodes)],
        "outcome": [episode.outcome for episode in episodes],
    }
    judged = [
        {name: float("nan") for name in _PARTS}
        if episode.outcome.failure
        else rewards.parts(episode.outcome, weights)
        for episode in episodes
    ]
    rows |= {f"reward_{name}": [parts[name] for parts in judged] for name in _PARTS}
    return rows | {"reward": [sum(parts.values()) for parts in judged]}


def _reward(name: str) -> Callable[..., list[float | None]]:
    """TRL's reward function for a part, which the player has worked out."""

    def reward(**columns: Any) -> list[float | None]:
        if name == "format":
            _record(columns["outcome"], columns["log_metric"])
        return [None if value != value else value for value in columns[f"reward_{name}"]]

    reward.__name__ = name
    return reward


def _record(outcomes: Sequence[rewards.Outcome], log: Callable[[str, float], None]) -> None:
    """Records what the parts of the reward do not say."""
    judged = [outcome for outcome in outcomes if not outcome.failure]
    log("agent/failures", float(len(outcomes) - len(judged)))
    for outcome in judged:
        log("agent/submitted", float(outcome.submitted))
        log("agent/measured", float(outcome.measured))
        log("agent/gain", outcome.gain if outcome.submitted else 0.0)
        log("agent/turns", float(outcome.turns))
        log("agent/compiles", outcome.compiles)
        log("agent/tool_seconds", outcome.seconds)


def train_rl(
    trainee: Trainee,
    tasks: Sequence[Task],
    servers: Sequence[Server],
    run: pathlib.Path,
    settings: RlSettings,
    weights: rewards.Weights = rewards.Weights(),  # noqa: B008 (immutable)
    checkpoint: pathlib.Path | None = None,
) -> dict[str, float]:
    """Trains on dialogues with the tools, to the end of the settings' steps or seconds.

    Args:
        trainee: Is changed.
        tasks: Programs to play.
        servers: Of tools.
        run: A folder that :func:`ordo.agent.runs.begin` began.
        settings: How.
        weights: Of the reward's parts.
        checkpoint: Where it goes on from.

    Returns:
        What was recorded last: loss, reward and so on.

    Raises:
        ValueError: A group has fewer than two dialogues, or the micro-batch does not divide a step's.
    """
    batch = settings.tasks * settings.group
    micro = min(settings.micro_batch, batch)
    if settings.group < 2:
        raise ValueError("a group has at least two dialogues: one alone is not better than others")
    if batch % micro:
        raise ValueError(f"a step has {batch} dialogues, which micro-batches of {micro} do not divide")
    advantages(torch.zeros(settings.group), settings.group, settings.estimator)
    with runs.quietly():
        config = GRPOConfig(
            output_dir=str(run),
            max_steps=settings.steps,
            per_device_train_batch_size=micro,
            gradient_accumulation_steps=batch // micro,
            generation_batch_size=batch,
            num_generations=settings.group,
            num_iterations=settings.iterations,
            max_completion_length=settings.tokens,
            temperature=settings.temperature,
            learning_rate=settings.learning_rate,
            lr_scheduler_type="constant_with_warmup",
            warmup_steps=min(5, settings.steps // 10),
            epsilon=settings.clip,
            beta=settings.beta,
            loss_type=settings.loss,
            scale_rewards="group",
            save_steps=settings.save_steps,
            logging_steps=1,
            seed=settings.seed,
            data_seed=settings.seed,
            bf16=settings.bf16,
            use_cpu=not torch.cuda.is_available(),
            gradient_checkpointing=False,
            dataloader_pin_memory=torch.cuda.is_available(),
            remove_unused_columns=False,
            report_to="none",
            disable_tqdm=True,
        )
        trainer = _Trainer(
            model=trainee.agent.model,
            reward_funcs=[_reward(name) for name in _PARTS],
            args=config,
            train_dataset=datasets.Dataset.from_dict({"prompt": [str(i) for i in range(len(tasks))]}),
            processing_class=trainee.tokenizer,
            rollout_func=_Player(trainee, tasks, servers, settings, weights),
            callbacks=[runs.Events(run), _Deadline(settings.seconds)],
        )
        trainer.estimator = settings.estimator
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    trainee.agent.model = trainer.accelerator.unwrap_model(trainer.model)
    history = [entry for entry in trainer.state.log_history if "reward" in entry]
    return history[-1] if history else {}
